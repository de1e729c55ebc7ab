import { Suspense, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { PlanLoading } from '../../features/billing/plan-loading.tsx';
import { paths } from '../../lib/paths.ts';
import { shellText } from '../../messages/shell.ts';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { usePendingNavigation } from './pending-navigation.tsx';

const PageSkeleton = ({ delayMs }: { delayMs?: number }): ReactNode => (
  <Skeleton label={shellText('loadingPage')} delayMs={delayMs}>
    <div className="stack">
      <SkeletonPanel lines={1} />
      <SkeletonPanel lines={4} />
    </div>
  </Skeleton>
);

const isPlanPage = (pathname: string): boolean => pathname.replace(/\/+$/, '') === paths.payments;

/** Stands in for the current page while its session is being checked. */
export const PagePlaceholder = (): ReactNode =>
  isPlanPage(useLocation().pathname) ? <PlanLoading /> : <PageSkeleton />;

/** Stands in for a page whose code is late already. */
const LatePage = ({ pathname }: { pathname: string }): ReactNode =>
  isPlanPage(pathname) ? <PlanLoading /> : <PageSkeleton delayMs={0} />;

/**
 * The current page. A navigation leaves it on the screen until the next one can be shown, or is late; the page of the plan has a key of
 * its own, because its placeholder is required to be visible (docs/product.md).
 */
export const CurrentPage = ({ children }: { children: ReactNode }): ReactNode => {
  const { pathname } = useLocation();
  const { target, isLate } = usePendingNavigation();
  if (isLate) return <LatePage pathname={target} />;
  return (
    <Suspense key={isPlanPage(pathname) ? 'plan' : 'page'} fallback={<LatePage pathname={pathname} />}>
      {children}
    </Suspense>
  );
};
