import type { ReactNode } from 'react';
import { usePlan } from '../../lib/data/use-plan.ts';
import { paths } from '../../lib/paths.ts';
import { needsUser, STATES } from '../../lib/subscription.rules.ts';
import { billingText } from '../../messages/billing.ts';
import { stateText } from '../../messages/subscription.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { StateAction } from './paid-plan.tsx';

/** Leads to the plan's credits: to the offer, or to what keeps a payment for the plan from going through. */
export const PlanLink = (): ReactNode => {
  const { state, view } = usePlan();
  if (state === 'unknown') return null;
  if (needsUser(state)) return <StateAction state={state} view={view} />;
  const canBuy = STATES[state].action === 'buy';
  return (
    <ButtonLink variant={canBuy ? 'primary' : 'plain'} to={paths.payments}>
      {billingText(canBuy ? 'getStarted' : 'goToPlan')}
    </ButtonLink>
  );
};

export const PLAN_TITLE = billingText('planTitle');
export const PLAN_LOADING = stateText('loading');

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
