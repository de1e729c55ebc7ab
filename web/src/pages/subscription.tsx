import type { ReactNode } from 'react';
import { useReloadWhileLoading, usePortal } from '../features/billing/portal.ts';
import { PlanOffer } from '../features/billing/offers.tsx';
import { type Failure, failureOf } from '../lib/api/api-error.ts';
import { useSubscriptionState } from '../lib/data/use-plan.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { type DisplayedState, STATES } from '../lib/subscription.rules.ts';
import { textOf } from '../lib/subscription-text.ts';
import { paths } from '../lib/paths.ts';
import { shellText } from '../messages/shell.ts';
import { billingText } from '../messages/billing.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ErrorState, LoadingState } from '../ui/states.tsx';

const TITLE = shellText('portal');

const Loading = (): ReactNode => (
  <>
    <PageHeader title={TITLE} />
    <LoadingState title={billingText('portalLoading')}>{billingText('portalNext')}</LoadingState>
  </>
);

type NoCustomerProps = { state: DisplayedState; email: string; trialDays: number };

/** What a user without a billing customer has instead of the portal: the offer, or a granted plan. */
const NoCustomer = ({ state, email, trialDays }: NoCustomerProps): ReactNode => {
  const { headline, action } = STATES[state];
  return (
    <>
      <PageHeader title={TITLE} description={textOf(headline, undefined)} />
      <div className="measure stack sheets">
        {action === 'buy' ? (
          <PlanOffer email={email} trialDays={trialDays} />
        ) : (
          <p>{billingText('portalEmpty')}</p>
        )}
        <div>
          <ButtonLink to={paths.payments}>{billingText('goToPlan')}</ButtonLink>
        </div>
      </div>
    </>
  );
};

/** Nothing was typed here, as the messages of the connection say. */
const messageOf = ({ code, message }: Failure): string => {
  if (code === 'client.timeout') return billingText('portalSlow');
  if (code !== 'client.unreachable') return message;
  return billingText(navigator.onLine ? 'portalUnreachable' : 'portalOffline');
};

/** The state of opening the portal, which needs the user first. */
const usePortalState = () => {
  const { state, view, query } = useSubscriptionState();
  const { data: user, error, mutate } = query;
  const customerId = user?.stripe_customer_id ?? null;
  const portal = usePortal(customerId, view);
  const userFailure = user === undefined && error !== undefined ? failureOf(error) : null;
  const retry = (): void => {
    portal.retry();
    void mutate();
  };
  const isLoading = user === undefined || customerId !== null || state === 'unknown';
  const failure = useReloadWhileLoading(isLoading, portal.failure ?? userFailure);
  const { trialDays = 0 } = view ?? {};
  return { failure, isLoading, retry, state, email: user?.email ?? '', trialDays };
};

const SubscriptionPage = (): ReactNode => {
  const { failure, isLoading, retry, ...known } = usePortalState();
  usePageInfo({ pageName: 'subscription', pageTitle: TITLE, pageDescription: '' });
  if (failure === null) return isLoading ? <Loading /> : <NoCustomer {...known} />;
  return (
    <>
      <PageHeader title={TITLE} />
      <ErrorState title={billingText('portalFailed')} message={messageOf(failure)} onRetry={retry} />
    </>
  );
};

export default SubscriptionPage;
