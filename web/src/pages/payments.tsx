import type { UserView } from '@shortlist/contracts/api/public';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import type { ReactNode } from 'react';
import { PaidPlan, ProblemNotice } from '../features/billing/paid-plan.tsx';
import { PLAN_LOADING, PLAN_TITLE, PlanSkeleton } from '../features/billing/plan-link.tsx';
import { FreeCredits, PlanOffer } from '../features/billing/plan-offer.tsx';
import { type DisplayedPlan, useDisplayedPlan, useSubscription } from '../lib/data/use-plan.ts';
import { canBuy } from '../lib/payment-problem.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { billingText } from '../messages/billing.ts';
import { Alert } from '../ui/alert.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/states.tsx';

const DESCRIPTIONS: Record<DisplayedPlan, string> = {
  unknown: PLAN_LOADING,
  confirming: billingText('planConfirming'),
  premium: billingText('planPremium'),
  free: billingText('planFree'),
};

const Confirming = (): ReactNode => <Alert>{billingText('confirmingText')}</Alert>;

type FreePlanProps = { subscription: SubscriptionView | undefined; email: string };

/** The offer, unless a payment that has not gone through is to be mended first. */
const FreePlan = ({ subscription, email }: FreePlanProps): ReactNode => (
  <div className="stack sheets">
    {subscription !== undefined && <ProblemNotice subscription={subscription} />}
    {canBuy(subscription?.problem ?? null) && <PlanOffer email={email} />}
    <FreeCredits />
  </div>
);

type ContentProps = { plan: DisplayedPlan; user: UserView; subscription: SubscriptionView | undefined };

const Content = ({ plan, user, subscription }: ContentProps): ReactNode => {
  if (plan === 'unknown') return <PlanSkeleton />;
  if (plan === 'confirming') return <Confirming />;
  if (plan === 'premium') return <PaidPlan user={user} subscription={subscription} />;
  return <FreePlan subscription={subscription} email={user.email} />;
};

/** The plan, which is known once billing has responded: a payment may be in progress. */
const usePlan = () => {
  const { plan, query } = useDisplayedPlan();
  const subscription = useSubscription();
  const isLoading = subscription.data === undefined && subscription.error === undefined;
  const known: DisplayedPlan = isLoading && plan !== 'confirming' ? 'unknown' : plan;
  return { plan: known, query, subscription };
};

const PaymentsPage = (): ReactNode => {
  const { plan, query, subscription } = usePlan();
  const hasFailed = query.error !== undefined && query.data === undefined;
  usePageInfo({ pageName: 'payments', pageTitle: PLAN_TITLE, pageDescripttion: DESCRIPTIONS[plan] });
  return (
    <>
      <PageHeader title={PLAN_TITLE} description={!hasFailed && DESCRIPTIONS[plan]} />
      <QueryView
        query={query}
        skeleton={<PlanSkeleton />}
        errorTitle={billingText('planFailed')}
        reassurance={billingText('planUnaffected')}
      >
        {(user) => <Content plan={plan} user={user} subscription={subscription.data} />}
      </QueryView>
    </>
  );
};

export default PaymentsPage;
