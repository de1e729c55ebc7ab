import ListX from 'lucide-react/icons/list-x';
import RotateCw from 'lucide-react/icons/rotate-cw';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { controlText } from '../messages/controls.ts';
import { Button } from './button.tsx';

const ICON = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;

type EmptyStateProps = { children: ReactNode; action?: ReactNode };

/** The state of a list without entries. */
export const EmptyState = ({ children, action }: EmptyStateProps): ReactNode => (
  <div className="state">
    <ListX {...ICON} />
    <p>{children}</p>
    {action}
  </div>
);

type ErrorStateProps = { title: string; message: string; isRetrying?: boolean; onRetry?: () => void };

/** The state of content that could not be loaded. */
export const ErrorState = ({ title, message, isRetrying = false, onRetry }: ErrorStateProps): ReactNode => (
  <div className="state" role="alert">
    <TriangleAlert {...ICON} />
    <h2>{title}</h2>
    <p>{message}</p>
    {onRetry && (
      <Button isBusy={isRetrying} onClick={onRetry}>
        <RotateCw {...ICON} />
        {controlText('retry')}
      </Button>
    )}
  </div>
);

/** The state of a page that waits for another site. The text says what it waits for, because the spinner may not move. */
export const LoadingState = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <div className="state" role="status" aria-busy="true">
    <span className="spinner is-large" aria-hidden="true" />
    <p className="title-line">{title}</p>
    <p className="muted">{children}</p>
  </div>
);
