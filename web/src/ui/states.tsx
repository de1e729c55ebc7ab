import ListX from 'lucide-react/icons/list-x';
import RotateCw from 'lucide-react/icons/rotate-cw';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

const ICON = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;

type EmptyStateProps = { children: ReactNode; action?: ReactNode };

/** One sentence, and the action that fills the emptiness. */
export const EmptyState = ({ children, action }: EmptyStateProps): ReactNode => (
  <div className="state">
    <ListX {...ICON} />
    <p>{children}</p>
    {action}
  </div>
);

type ErrorStateProps = { title: string; message: string; isRetrying?: boolean; onRetry?: () => void };

/** What happened, what is safe, and a way to try again. */
export const ErrorState = ({ title, message, isRetrying = false, onRetry }: ErrorStateProps): ReactNode => (
  <div className="state" role="alert">
    <TriangleAlert {...ICON} />
    <h2>{title}</h2>
    <p>{message}</p>
    {onRetry && (
      <Button isBusy={isRetrying} onClick={onRetry}>
        <RotateCw {...ICON} />
        Retry
      </Button>
    )}
  </div>
);

/** What is being waited for from elsewhere, for as long as that takes. The words tell it where nothing turns. */
export const LoadingState = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <div className="state" role="status" aria-busy="true">
    <span className="spinner is-large" aria-hidden="true" />
    <p className="title-line">{title}</p>
    <p className="muted">{children}</p>
  </div>
);
