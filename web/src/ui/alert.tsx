import X from 'lucide-react/icons/x';
import type { ReactNode, Ref } from 'react';
import { focusHeading } from './focus-heading.ts';

type AlertProps = {
  tone?: 'plain' | 'good' | 'warn' | 'bad';
  onDismiss?: () => void;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
};

/** The bar of the page lies over what is scrolled to its top. */
const UNDER_BAR = { scrollMarginBlock: 'calc(var(--top) + 1rem)' };

/** A message above the content. It is read out; a bad one at once. One with a `ref` can be scrolled to and focused. */
export const Alert = ({ tone = 'plain', onDismiss, ref, children }: AlertProps): ReactNode => (
  <div
    className={`alert is-${tone}`}
    role={tone === 'bad' ? 'alert' : 'status'}
    ref={ref}
    tabIndex={ref ? -1 : undefined}
    style={ref ? UNDER_BAR : undefined}
  >
    <div>{children}</div>
    {onDismiss && (
      <button
        type="button"
        className="alert-dismiss"
        aria-label="Dismiss"
        onClick={() => {
          focusHeading();
          onDismiss();
        }}
      >
        <X size={16} aria-hidden="true" />
      </button>
    )}
  </div>
);
