import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';

type AlertProps = {
  tone?: 'plain' | 'good' | 'warn' | 'bad';
  onDismiss?: () => void;
  children: ReactNode;
};

/** A message above the content. It is read out; a bad one at once. */
export const Alert = ({ tone = 'plain', onDismiss, children }: AlertProps): ReactNode => (
  <div className={`alert is-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    <div>{children}</div>
    {onDismiss && (
      <button type="button" className="alert-dismiss" aria-label="Dismiss" onClick={onDismiss}>
        <X size={16} aria-hidden="true" />
      </button>
    )}
  </div>
);
