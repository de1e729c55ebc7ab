import { useEffect, useState, type ReactNode } from 'react';
import { controlText } from '../messages/controls.ts';

const DELAY_MS = 150;

/** Whether `milliseconds` have passed since the component was mounted. */
export const useDelay = (milliseconds: number): boolean => {
  const [hasPassed, setHasPassed] = useState(false);
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

type SkeletonProps = { label?: string; children: ReactNode };

/** A placeholder in the layout of the loading content. It becomes visible after a delay, so that it does not flicker. */
export const Skeleton = ({ label = controlText('loading'), children }: SkeletonProps): ReactNode => {
  const isVisible = useDelay(DELAY_MS);
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
    <div className="head">
      <Bar width="30%" />
    </div>
    <div className="body stack">
      {Array.from({ length: lines }, (_, index) => (
        <Bar key={index} width={`${80 - index * 12}%`} />
      ))}
    </div>
  </div>
);
