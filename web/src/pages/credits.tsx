import { type ReactNode, useState } from 'react';
import { PackLine } from '../features/billing/offers.tsx';
import { PlanLink } from '../features/billing/plan-state.tsx';
import { BalancePanel, LowCredits } from '../features/credits/balance-panel.tsx';
import { HistoryPanel } from '../features/credits/history-panel.tsx';
import { UsagePanel, useUsage } from '../features/credits/usage-panel.tsx';
import { useApiKeys } from '../lib/data/use-tools.ts';
import { useCreditPacks, useCredits, useSubscriptionState } from '../lib/data/use-plan.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { STATES } from '../lib/subscription.rules.ts';
import { creditsTextOf } from '../lib/subscription-text.ts';
import { headingText } from '../messages/headings.ts';
import { creditsText } from '../messages/credits.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { isSettled, type QueryState, QueryView } from '../ui/query-view.tsx';
import { Bar, Skeleton } from '../ui/states.tsx';

const TITLE = headingText('credits');

/** As high as the balance panel. */
const BalanceSkeleton = (): ReactNode => (
  <Skeleton label={creditsText('loading')}>
    <div className="panel credit-panel">
      <div className="panel-body stack">
        <Bar width="14rem" height="2.625rem" />
        <Bar height="2rem" />
        <Bar width="20rem" height="1lh" />
      </div>
      <div className="panel-body">
        <Bar height="2.625rem" />
      </div>
    </div>
  </Skeleton>
);

const Balance = (): ReactNode => {
  const { state, view } = useSubscriptionState();
  const query = useCredits();
  const packs = useCreditPacks();
  // The line of the pack would move what stands below it. If the packs cannot be read, the line is left out.
  if (!isSettled(packs)) return <BalanceSkeleton />;
  const offer = packs.data?.offer ?? null;
  return (
    <QueryView query={query} skeleton={<BalanceSkeleton />} errorTitle={creditsText('failed')}>
      {(credits) => (
        <>
          <LowCredits credits={credits} />
          <BalancePanel
            credits={credits}
            packLine={
              offer && (
                <PackLine
                  offer={offer}
                  plan={credits.plan}
                  isPrimary={credits.plan === 'premium' || !credits.exhausted}
                />
              )
            }
            planLink={<PlanLink />}
            nextCredits={creditsTextOf(STATES[state].credits, view, credits.windowEnd)}
          />
        </>
      )}
    </QueryView>
  );
};

/** Whether all of these were settled at once: a later change of the period hides nothing. */
const useWereSettled = (queries: readonly Pick<QueryState<unknown>, 'data' | 'error'>[]): boolean => {
  const [wereSettled, setWereSettled] = useState(false);
  const areSettled = wereSettled || queries.every(isSettled);
  if (areSettled && !wereSettled) setWereSettled(true);
  return areSettled;
};

const CreditsPage = (): ReactNode => {
  const credits = useCredits();
  const packs = useCreditPacks();
  const hasUsage = useWereSettled([credits, packs, useUsage(), useApiKeys()]);
  usePageInfo({ pageName: 'credits', pageTitle: TITLE, pageDescription: '' });
  return (
    <>
      <PageHeader title={TITLE} />
      <div className="stack sheets">
        <Balance />
        {/* They load at the same time, but are hidden until what is above has its height. */}
        <div hidden={!isSettled(credits) || !isSettled(packs)}>
          <UsagePanel />
        </div>
        <div hidden={!hasUsage}>
          <HistoryPanel />
        </div>
      </div>
    </>
  );
};

export default CreditsPage;
