import type { ReactNode } from 'react';
import { planLoadingText } from '../../messages/subscription.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

export const PLAN_TITLE = planLoadingText('title');
export const PLAN_LOADING = planLoadingText('loading');

/** The title of the plan's page, and what is known of the plan; null where it cannot be read. */
export const PlanHeader = ({ description }: { description: string | null }): ReactNode => (
  <PageHeader className="is-plan" title={PLAN_TITLE} description={description} />
);

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
    <PlanHeader description={PLAN_LOADING} />
    <PlanSkeleton />
  </>
);
