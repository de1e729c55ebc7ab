import type { ReactNode } from 'react';
import { usePortal, useReloadWhile } from '../features/billing/use-portal.ts';
import { failureOf } from '../lib/api/api-error.ts';
import { useUser } from '../lib/data/use-user.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/use-page-info.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton, SkeletonPanel } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';

const TITLE = 'Stripe Billing Portal';

const SubscriptionPage = (): ReactNode => {
  const { data: user, error, mutate } = useUser();
  const customerId = user?.stripe_customer_id ?? null;
  const portal = usePortal(customerId);
  const failure = portal.failure ?? (user === undefined && error !== undefined ? failureOf(error) : null);
  const isLoading = failure === null && (user === undefined || customerId !== null);
  useReloadWhile(isLoading);
  usePageInfo({ pageName: 'subscription', pageTitle: TITLE, pageDescripttion: '' });
  const handleRetry = (): void => {
    portal.retry();
    void mutate();
  };
  if (failure !== null)
    return (
      <>
        <PageHeader title={TITLE} />
        <ErrorState
          title="The billing portal could not be opened"
          message={failure.message}
          onRetry={handleRetry}
        />
      </>
    );
  if (isLoading)
    return (
      <>
        <PageHeader title={TITLE} description="Loading your Stripe billing portal now" />
        <Skeleton label="Loading your Stripe billing portal now">
          <SkeletonPanel lines={2} />
        </Skeleton>
      </>
    );
  return (
    <>
      <PageHeader title={TITLE} description="You are currently un-subscribed" />
      <ButtonLink look="primary" to={paths.payments}>
        See the monthly plan
      </ButtonLink>
    </>
  );
};

export default SubscriptionPage;
