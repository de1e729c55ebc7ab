import type { ReactNode } from 'react';
import { useReloadWhileLoading, usePortal } from '../features/billing/portal.tsx';
import { failureOf } from '../lib/api/api-error.ts';
import { useUser } from '../lib/data/use-user.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { billingText } from '../messages/billing.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ErrorState, LoadingState } from '../ui/states.tsx';

const TITLE = billingText('portalTitle');

const LOADING = billingText('portalLoading');

const Loading = (): ReactNode => (
  <>
    <PageHeader title={TITLE} />
    <LoadingState title={LOADING}>{billingText('portalNext')}</LoadingState>
  </>
);

const Unsubscribed = (): ReactNode => (
  <>
    <PageHeader title={TITLE} description={billingText('planFree')} />
    <ButtonLink variant="primary" to={paths.payments}>
      {billingText('getStarted')}
    </ButtonLink>
  </>
);

/** The state of opening the portal, which needs the user first. */
const usePortalState = () => {
  const { data: user, error, mutate } = useUser();
  const customerId = user?.stripe_customer_id ?? null;
  const portal = usePortal(customerId);
  const userFailure = user === undefined && error !== undefined ? failureOf(error) : null;
  const retry = (): void => {
    portal.retry();
    void mutate();
  };
  const isLoading = user === undefined || customerId !== null;
  const failure = useReloadWhileLoading(isLoading, portal.failure ?? userFailure);
  return { failure, isLoading, retry };
};

const SubscriptionPage = (): ReactNode => {
  const { failure, isLoading, retry } = usePortalState();
  usePageInfo({ pageName: 'subscription', pageTitle: TITLE, pageDescripttion: '' });
  if (failure === null) return isLoading ? <Loading /> : <Unsubscribed />;
  return (
    <>
      <PageHeader title={TITLE} />
      <ErrorState title={billingText('portalFailed')} message={failure.message} onRetry={retry} />
    </>
  );
};

export default SubscriptionPage;
