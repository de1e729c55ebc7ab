import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import X from 'lucide-react/icons/x';
import type { ReactNode, Ref } from 'react';
import { controlText } from '../messages/controls.ts';
import { focusHeading } from './focus-heading.ts';

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
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      <div>{children}</div>
      {onDismiss && (
        <button
          type="button"
          className="alert-dismiss"
          aria-label={controlText('dismiss')}
          onClick={() => {
            focusHeading();
            onDismiss();
          }}
        >
          <X size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      )}
    </div>
  );
};
