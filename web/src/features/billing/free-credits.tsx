import type { CreditsView } from '@shortlist/contracts/api/public';
import { FREE_CREDITS, FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { useCredits } from '../../lib/data/use-plan.ts';
import { longDay } from '../../lib/dates.ts';
import { Meter } from '../../ui/meter.tsx';
import { Bar, Skeleton } from '../../ui/skeleton.tsx';

const usageText = ({ used, windowEnd }: CreditsView): string =>
  windowEnd === null
    ? `${used} of them used.`
    : `${used} of them used, the rest until ${longDay(windowEnd)}.`;

const INTRO = `${FREE_CREDITS} credits in each ${FREE_WINDOW_DAYS} days.`;

/** As high as the text and the meter that replace it. */
const UsageSkeleton = (): ReactNode => (
  <Skeleton label="Loading your free credits">
    <Bar height="1lh" />
    <Bar height="2rem" />
  </Skeleton>
);

const Usage = (): ReactNode => {
  const { data, error } = useCredits();
  if (data?.plan === 'free')
    return (
      <>
        <p className="num">
          {INTRO} {usageText(data)}
        </p>
        <Meter label="Free credits used" value={data.used} max={FREE_CREDITS} />
      </>
    );
  if (data === undefined && error === undefined) return <UsageSkeleton />;
  return (
    <p className="num">
      {INTRO} {data === undefined && 'What is left is not available now.'}
    </p>
  );
};

/** The free plan's credits and their usage. */
export const FreeCredits = (): ReactNode => (
  <section className="panel credit is-beside-plan" aria-labelledby="free-credits">
    <div className="body">
      <h2 id="free-credits">On the free plan</h2>
      <Usage />
    </div>
  </section>
);
