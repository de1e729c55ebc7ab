import type { SubscriptionView, UserView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { FreeCredits } from '../features/billing/free-credits.tsx';
import { PaidPlan } from '../features/billing/paid-plan.tsx';
import { ProblemNotice } from '../features/billing/payment-problem.tsx';
import { PlanOffer } from '../features/billing/plan-offer.tsx';
import { useSubscription } from '../lib/data/use-plan.ts';
import { useDisplayedPlan, type DisplayedPlan } from '../lib/data/use-displayed-plan.ts';
import { canBuy } from '../lib/payment-problem.ts';
import { usePageInfo } from '../lib/state/use-page-info.ts';
import { Alert } from '../ui/alert.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../ui/skeleton.tsx';

const TITLE = 'Subscription Status';

const DESCRIPTIONS: Record<DisplayedPlan, string> = {
  unknown: 'Loading Your Payment Information Please Wait',
  confirming: 'Your payment is being confirmed',
  premium: 'Your monthly subscription is currently paid for and active',
  free: 'You are currently un-subscribed',
};

const PlanSkeleton = (): ReactNode => (
  <Skeleton label={DESCRIPTIONS.unknown}>
    <div className="measure">
      <SkeletonPanel lines={3} />
    </div>
  </Skeleton>
);

const Confirming = (): ReactNode => (
  <Alert>
    We have received your payment and are waiting for its confirmation. This page shows your plan as soon as
    it is there; you need not do anything.
  </Alert>
);

type FreePlanProps = { subscription: SubscriptionView | undefined; email: string };

/** The offer, unless a payment that has not gone through is to be mended first. */
const FreePlan = ({ subscription, email }: FreePlanProps): ReactNode => (
  <div className="stack sheets">
    {subscription !== undefined && <ProblemNotice subscription={subscription} />}
    {canBuy(subscription?.problem ?? null) && <PlanOffer email={email} />}
    <FreeCredits />
  </div>
);

const Content = ({ plan, user }: { plan: DisplayedPlan; user: UserView }): ReactNode => {
  const subscription = useSubscription();
  if (plan === 'confirming') return <Confirming />;
  if (plan === 'premium') return <PaidPlan user={user} subscription={subscription} />;
  // Without knowing of a payment in progress, the offer would lead to a refusal.
  if (subscription.data === undefined && subscription.error === undefined) return <PlanSkeleton />;
  return <FreePlan subscription={subscription.data} email={user.email} />;
};

const PaymentsPage = (): ReactNode => {
  const { plan, query } = useDisplayedPlan();
  const hasFailed = query.error !== undefined && plan === 'unknown';
  usePageInfo({ pageName: 'payments', pageTitle: TITLE, pageDescripttion: DESCRIPTIONS[plan] });
  return (
    <>
      <PageHeader title={TITLE} description={!hasFailed && DESCRIPTIONS[plan]} />
      <QueryView
        query={query}
        skeleton={<PlanSkeleton />}
        errorTitle="Your plan could not be loaded"
        reassurance="Your plan itself is not affected."
      >
        {(user) => <Content plan={plan} user={user} />}
      </QueryView>
    </>
  );
};

export default PaymentsPage;
