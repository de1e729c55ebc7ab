import type { UserView } from '@shortlist/contracts/api/profile';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import type { ReactNode } from 'react';
import { PremiumPlan, StateNotice } from '../features/billing/plan-state.tsx';
import { PLAN_LOADING, PLAN_TITLE, PlanSkeleton } from '../features/billing/plan-loading.tsx';
import { FreeCredits, PlanOffer } from '../features/billing/offers.tsx';
import { useSubscriptionState } from '../lib/data/use-plan.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { type DisplayedState, STATES } from '../lib/subscription.rules.ts';
import { textOf } from '../lib/subscription-text.ts';
import { billingText } from '../messages/billing.ts';
import { Alert } from '../ui/alert.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/states.tsx';

const Confirming = (): ReactNode => <Alert>{billingText('confirmingText')}</Alert>;

type ContentProps = { state: DisplayedState; user: UserView; view: SubscriptionView | undefined };

/** The offer, unless a payment in trouble is to be mended first. */
const FreePlan = ({ state, user, view }: ContentProps): ReactNode => (
  <div className="stack sheets">
    <StateNotice state={state} view={view} />
    {STATES[state].action === 'buy' && <PlanOffer email={user.email} />}
    <FreeCredits />
  </div>
);

const Content = (props: ContentProps): ReactNode => {
  if (props.state === 'unknown') return <PlanSkeleton />;
  if (props.state === 'confirming') return <Confirming />;
  return STATES[props.state].plan === 'premium' ? <PremiumPlan {...props} /> : <FreePlan {...props} />;
};

const PaymentsPage = (): ReactNode => {
  const { state, view, query } = useSubscriptionState();
  const hasFailed = query.error !== undefined && query.data === undefined;
  const description = state === 'unknown' ? PLAN_LOADING : textOf(STATES[state].headline, view);
  usePageInfo({ pageName: 'payments', pageTitle: PLAN_TITLE, pageDescription: description });
  return (
    <>
      <PageHeader title={PLAN_TITLE} description={!hasFailed && description} />
      <QueryView
        query={query}
        skeleton={<PlanSkeleton />}
        errorTitle={billingText('planFailed')}
        reassurance={billingText('planUnaffected')}
      >
        {(user) => <Content state={state} user={user} view={view} />}
      </QueryView>
    </>
  );
};

export default PaymentsPage;
