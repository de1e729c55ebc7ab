import RotateCw from 'lucide-react/icons/rotate-cw';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useEffect, useState } from 'react';
import type { Failure } from '../lib/api/api-error.ts';
import { controlText } from '../messages/shell.ts';
import { Reference } from './alert.tsx';
import { Button } from './button.tsx';
import { ICON } from './inline.tsx';

const DELAY_MS = 150;

/** Whether `milliseconds` have passed since the component was mounted. */
export const useDelay = (milliseconds: number): boolean => {
  const [hasPassed, setHasPassed] = useState(milliseconds === 0);
  useEffect(() => {
    const timer = setTimeout(() => setHasPassed(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return hasPassed;
};

type BarProps = { width?: string; height?: string };

export const Bar = ({ width = '100%', height = '1em' }: BarProps): ReactNode => (
  <span className="skeleton-bar" style={{ inlineSize: width, blockSize: height }} />
);

type SkeletonProps = { label?: string; delayMs?: number | undefined; children: ReactNode };

/** A placeholder in the layout of the loading content. It becomes visible after a delay, so that it does not flicker. */
export const Skeleton = ({
  label = controlText('loading'),
  delayMs = DELAY_MS,
  children,
}: SkeletonProps): ReactNode => {
  const isVisible = useDelay(delayMs);
  return (
    <div aria-busy="true">
      <span className="visually-hidden" role="status">
        {label}
      </span>
      <div aria-hidden="true" style={isVisible ? undefined : { visibility: 'hidden' }}>
        {children}
      </div>
    </div>
  );
};

export const SkeletonPanel = ({ lines = 3 }: { lines?: number }): ReactNode => (
  <div className="panel">
    <div className="panel-head">
      <Bar width="30%" />
    </div>
    <div className="panel-body stack">
      {Array.from({ length: lines }, (_, index) => (
        <Bar key={index} width={`${80 - index * 12}%`} />
      ))}
    </div>
  </div>
);

/** Stands for the three cells of a sheet of cards. */
export const CardsSkeleton = (): ReactNode => (
  <div className="card-grid">
    {[1, 2, 3].map((cell) => (
      <div className="card" key={cell}>
        <Bar width="40%" height="1.375rem" />
        <Bar height="3.5rem" />
        <Bar width="50%" height="2.875rem" />
      </div>
    ))}
  </div>
);

type ErrorStateProps = {
  title: string;
  message: string;
  failure?: Failure;
  isRetrying?: boolean;
  onRetry?: () => void;
};

/** The state of content that could not be loaded. */
export const ErrorState = (props: ErrorStateProps): ReactNode => {
  const { title, message, failure, isRetrying = false, onRetry } = props;
  return (
    <div className="page-state" role="alert">
      <TriangleAlert {...ICON} />
      <h2>{title}</h2>
      <p>{message}</p>
      {failure && <Reference failure={failure} />}
      {onRetry && (
        <Button isReadOnly isBusy={isRetrying} onClick={onRetry}>
          <RotateCw {...ICON} />
          {controlText('retry')}
        </Button>
      )}
    </div>
  );
};

/** The state of a page that waits for another site. The text says what it waits for, because the spinner may not move. */
export const LoadingState = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <div className="page-state" role="status" aria-busy="true">
    <span className="spinner is-large" aria-hidden="true" />
    <p className="card-title">{title}</p>
    <p className="muted">{children}</p>
  </div>
);
