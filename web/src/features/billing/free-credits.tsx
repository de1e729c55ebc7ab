import type { CreditsView } from '@shortlist/contracts/api/public';
import { FREE_CREDITS, FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { useCredits } from '../../lib/data/use-plan.ts';
import { longDay } from '../../lib/dates.ts';
import { billingText } from '../../messages/billing.ts';
import { Meter } from '../../ui/meter.tsx';
import { Bar, Skeleton } from '../../ui/skeleton.tsx';

const PLAN = { limit: FREE_CREDITS, days: FREE_WINDOW_DAYS };

const usageText = ({ used, windowEnd }: CreditsView): string =>
  windowEnd === null
    ? billingText('freeUsed', { ...PLAN, used })
    : billingText('freeUsedUntil', { ...PLAN, used, day: longDay(windowEnd) });

/** As high as the text and the meter that replace it. */
const UsageSkeleton = (): ReactNode => (
  <Skeleton label={billingText('loadingFree')}>
    <Bar height="1lh" />
    <Bar height="2rem" />
  </Skeleton>
);

const Usage = (): ReactNode => {
  const { data, error } = useCredits();
  if (data?.plan === 'free')
    return (
      <>
        <p className="num">{usageText(data)}</p>
        <Meter label={billingText('freeMeter')} value={data.used} max={FREE_CREDITS} />
      </>
    );
  if (data === undefined && error === undefined) return <UsageSkeleton />;
  return <p className="num">{billingText(data === undefined ? 'freeUnknown' : 'free', PLAN)}</p>;
};

/** The free plan's credits and their usage. */
export const FreeCredits = (): ReactNode => (
  <section className="panel credit is-beside-plan" aria-labelledby="free-credits">
    <div className="body">
      <h2 id="free-credits">{billingText('freePlan')}</h2>
      <Usage />
    </div>
  </section>
);
