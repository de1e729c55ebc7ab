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

type StepProps = { onPress: (() => void) | null; children: string };

/** At the end of the list the button stays focusable, so that keyboard users keep their position. */
const Step = ({ onPress, children }: StepProps): ReactNode => (
  <Button isSmall isHarmless aria-disabled={onPress === null || undefined} onClick={() => onPress?.()}>
    {children}
  </Button>
);

export const Pager = ({ summary, previous, next, onPrevious, onNext, children }: PagerProps): ReactNode => (
  <div className="pager num">
    <span role="status">{summary}</span>
    {children}
    <span className="pager-steps">
      <Step onPress={onPrevious}>{previous}</Step>
      <Step onPress={onNext}>{next}</Step>
    </span>
  </div>
);
