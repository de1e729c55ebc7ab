import type { ReactNode } from 'react';
import { FreeCredits } from '../features/billing/free-credits.tsx';
import { PaidPlan } from '../features/billing/paid-plan.tsx';
import { PlanOffer } from '../features/billing/plan-offer.tsx';
import { failureOf } from '../lib/api/api-error.ts';
import { useSubscription } from '../lib/data/use-plan.ts';
import { usePlanShown, type PlanShown } from '../lib/data/use-plan-shown.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/use-page-info.ts';
import { Alert } from '../ui/alert.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton, SkeletonPanel } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';

const TITLE = 'Subscription Status';

const DESCRIPTIONS: Record<PlanShown, string> = {
  unknown: 'Loading Your Payment Information Please Wait',
  confirming: 'Your payment is being confirmed',
  premium: 'Your monthly subscription is currently paid for and active',
  free: 'You are currently un-subscribed',
};

const Waiting = (): ReactNode => (
  <Skeleton label={DESCRIPTIONS.unknown}>
    <SkeletonPanel lines={3} />
  </Skeleton>
);

const Confirming = (): ReactNode => (
  <Alert>
    We have received your payment and are waiting for its confirmation. This page shows your plan as soon as
    it is there; you need not do anything.
  </Alert>
);

const Content = (): ReactNode => {
  const { plan, user } = usePlanShown();
  const { data: subscription } = useSubscription();
  if (user === undefined) return <Waiting />;
  if (plan === 'confirming') return <Confirming />;
  if (plan === 'premium') return <PaidPlan user={user} subscription={subscription} />;
  return (
    <div className="split">
      <PlanOffer email={user.email} />
      <FreeCredits />
    </div>
  );
};

const PaymentsPage = (): ReactNode => {
  const { plan, user, error, mutate } = usePlanShown();
  usePageInfo({ pageName: 'payments', pageTitle: TITLE, pageDescripttion: DESCRIPTIONS[plan] });
  const hasFailed = error !== undefined && user === undefined;
  return (
    <>
      <PageHeader
        title={TITLE}
        description={hasFailed ? undefined : DESCRIPTIONS[plan]}
        actions={plan === 'premium' && <ButtonLink to={paths.subscription}>Open billing portal</ButtonLink>}
      />
      {hasFailed ? (
        <ErrorState
          title="Your plan could not be loaded"
          message={`${failureOf(error).message} Your plan itself is not affected.`}
          onRetry={() => void mutate()}
        />
      ) : (
        <Content />
      )}
    </>
  );
};

export default PaymentsPage;
