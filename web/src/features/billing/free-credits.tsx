import type { CreditsView } from '@shortlist/contracts/api/public';
import { FREE_CREDITS, FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { useCredits } from '../../lib/data/use-plan.ts';
import { longDay } from '../../lib/dates.ts';
import { Meter } from '../../ui/meter.tsx';

const usageWords = ({ used, windowEnd }: CreditsView): string =>
  windowEnd === null
    ? `${used} of them used.`
    : `${used} of them used, the rest until ${longDay(windowEnd)}.`;

/** What the free plan gives, and how much of it is left. */
export const FreeCredits = (): ReactNode => {
  const { data } = useCredits();
  const credits = data?.plan === 'free' ? data : null;
  return (
    <section className="panel" aria-labelledby="free-credits">
      <div className="body stack">
        <h2 id="free-credits">On the free plan</h2>
        <p className="small num">
          {FREE_CREDITS} credits in each {FREE_WINDOW_DAYS} days. {credits !== null && usageWords(credits)}
        </p>
        <Meter label="Free credits used" value={credits?.used ?? 0} max={FREE_CREDITS} />
      </div>
    </section>
  );
};
