import { Suspense, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { PlanLoading } from '../../features/billing/plan-link.tsx';
import { paths } from '../../lib/paths.ts';
import { shellText } from '../../messages/shell.ts';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const PageSkeleton = (): ReactNode => (
  <Skeleton label={shellText('loadingPage')}>
    <div className="stack">
      <SkeletonPanel lines={1} />
      <SkeletonPanel lines={4} />
    </div>
  </Skeleton>
);

const isPlanPage = (pathname: string): boolean => pathname.replace(/\/+$/, '') === paths.payments;

/** Stands in for the current page while its session is being checked or its code loads. */
export const PagePlaceholder = (): ReactNode =>
  isPlanPage(useLocation().pathname) ? <PlanLoading /> : <PageSkeleton />;

/**
 * The current page with a placeholder while its code loads. A navigation leaves the previous page on the screen meanwhile; the
 * page of the plan has a key of its own, because its placeholder is required to be visible (docs/product.md).
 */
export const CurrentPage = ({ children }: { children: ReactNode }): ReactNode => (
  <Suspense key={isPlanPage(useLocation().pathname) ? 'plan' : 'page'} fallback={<PagePlaceholder />}>
    {children}
  </Suspense>
);
