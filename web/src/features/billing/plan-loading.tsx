import type { ReactNode } from 'react';
import { planLoadingText } from '../../messages/subscription.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

export const PLAN_TITLE = planLoadingText('title');
export const PLAN_LOADING = planLoadingText('loading');

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
