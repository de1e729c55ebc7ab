import type { ReactNode } from 'react';
import { useSubscription } from '../../lib/data/use-plan.ts';
import { paths } from '../../lib/paths.ts';
import { isActionable } from '../../lib/payment-problem.ts';
import { billingText } from '../../messages/billing.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { ProblemAction } from './paid-plan.tsx';

/** Leads to the plan's credits: to the offer, or to what keeps a payment for the plan from going through. */
export const PlanLink = (): ReactNode => {
  const problem = useSubscription().data?.problem ?? null;
  if (problem !== null && isActionable(problem)) return <ProblemAction problem={problem} />;
  return (
    <ButtonLink variant="primary" to={paths.payments}>
      {billingText('getStarted')}
    </ButtonLink>
  );
};

export const PLAN_TITLE = billingText('planTitle');
export const PLAN_LOADING = billingText('planLoading');

export const PlanSkeleton = (): ReactNode => (
  <Skeleton label={PLAN_LOADING}>
    <div className="measure">
      <SkeletonPanel lines={3} />
    </div>
  </Skeleton>
);

/** Stands in for the page of the plan while the session is being checked or the page's code loads. */
export const PlanLoading = (): ReactNode => (
  <>
    <PageHeader title={PLAN_TITLE} description={PLAN_LOADING} />
    <PlanSkeleton />
  </>
);
