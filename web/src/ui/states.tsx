import type { ReactNode } from 'react';
import { Button } from './button.tsx';

type EmptyStateProps = { children: ReactNode; action?: ReactNode };

/** One sentence, and the action that fills the emptiness. */
export const EmptyState = ({ children, action }: EmptyStateProps): ReactNode => (
  <div className="state">
    <p>{children}</p>
    {action}
  </div>
);

type ErrorStateProps = { title: string; message: string; isRetrying?: boolean; onRetry?: () => void };

/** What happened, what is safe, and a way to try again. */
export const ErrorState = ({ title, message, isRetrying = false, onRetry }: ErrorStateProps): ReactNode => (
  <div className="state" role="alert">
    <h2>{title}</h2>
    <p>{message}</p>
    {onRetry && (
      <Button isBusy={isRetrying} onClick={onRetry}>
        Retry
      </Button>
    )}
  </div>
);
