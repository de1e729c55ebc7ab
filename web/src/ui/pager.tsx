import type { ReactNode } from 'react';
import { Button } from './button.tsx';

type PagerProps = {
  summary: ReactNode;
  previous: string;
  next: string;
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  children?: ReactNode;
};

export const Pager = ({ summary, previous, next, onPrevious, onNext, children }: PagerProps): ReactNode => (
  <div className="pager num">
    <span role="status">{summary}</span>
    {children}
    <Button isSmall disabled={onPrevious === null} onClick={() => onPrevious?.()}>
      {previous}
    </Button>
    <Button isSmall disabled={onNext === null} onClick={() => onNext?.()}>
      {next}
    </Button>
  </div>
);
