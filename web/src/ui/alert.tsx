import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import X from 'lucide-react/icons/x';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import type { Failure } from '../lib/api/api-error.ts';
import { controlText } from '../messages/shell.ts';
import { focusHeading } from './page-header.tsx';
import { ICON } from './inline.tsx';

type Tone = 'plain' | 'good' | 'warn' | 'bad';

type AlertProps = {
  tone?: Tone;
  onDismiss?: () => void;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
};

/** A scroll position below the sticky top bar. */
const BELOW_TOP_BAR = { scrollMarginBlock: 'calc(var(--top) + 1rem)' };

/** An icon for each tone, because colour must not be the only distinction. */
const ICONS = { plain: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert } as const;

/** A message that screen readers announce, immediately if its tone is bad. With a `ref` it can be focused. */
export const Alert = ({ tone = 'plain', onDismiss, ref, children }: AlertProps): ReactNode => {
  const Icon = ICONS[tone];
  return (
    <div
      className={`alert is-${tone}`}
      role={tone === 'bad' ? 'alert' : 'status'}
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      style={ref ? BELOW_TOP_BAR : undefined}
    >
      <Icon {...ICON} />
      <div>{children}</div>
      {onDismiss && (
        <button
          type="button"
          className="dismiss"
          aria-label={controlText('dismiss')}
          onClick={() => {
            focusHeading();
            onDismiss();
          }}
        >
          <X {...ICON} />
        </button>
      )}
    </div>
  );
};

/** By which support finds a failure of the server in its logs; nothing for other failures. */
export const Reference = ({ failure: { status, requestId } }: { failure: Failure }): ReactNode =>
  status >= 500 && requestId !== null ? (
    <p className="failure-reference">
      {controlText('reference')} <code>{requestId}</code>
    </p>
  ) : null;

/** Why a change has failed. */
export const FailureAlert = ({ failure }: { failure: Failure }): ReactNode => (
  <Alert tone="bad">
    {failure.message}
    <Reference failure={failure} />
  </Alert>
);

const VISIBLE_MS = 6_000;

type Item = { id: string; text: string; isBad: boolean };

const ToastItem = ({ item, onDismiss }: { item: Item; onDismiss: (id: string) => void }): ReactNode => {
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const isPaused = isHovered || isFocused;
  useEffect(() => {
    if (isPaused) return undefined;
    const timer = setTimeout(() => onDismiss(item.id), VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [isPaused, item.id, onDismiss]);
  const Icon = item.isBad ? CircleAlert : Check;
  return (
    <div
      className={item.isBad ? 'toast is-bad' : 'toast'}
      onMouseEnter={() => setIsHovered(true)}
      onMouseLeave={() => setIsHovered(false)}
      onFocus={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
    >
      <Icon {...ICON} />
      <p>{item.text}</p>
      <button
        type="button"
        className="dismiss"
        aria-label={controlText('dismissMessage')}
        onClick={() => onDismiss(item.id)}
      >
        <X {...ICON} />
      </button>
    </div>
  );
};

type ToastListProps = { items: Item[]; onDismiss: (id: string) => void };

export const ToastList = ({ items, onDismiss }: ToastListProps): ReactNode => (
  <div className="toasts" role="status" aria-live="polite">
    {items.map((item) => (
      <ToastItem key={item.id} item={item} onDismiss={onDismiss} />
    ))}
  </div>
);
