import type { UserView } from '@shortlist/contracts/api/profile';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import type { ReactNode } from 'react';
import { ChangeRenewal } from '../features/billing/change-renewal.tsx';
import { InvoicesPanel } from '../features/billing/invoices-panel.tsx';
import { OwnPlan } from '../features/billing/own-plan.tsx';
import { StateNotice } from '../features/billing/plan-state.tsx';
import { PortalReturn } from '../features/billing/portal-return.tsx';
import { PLAN_LOADING, PLAN_TITLE, PlanHeader, PlanSkeleton } from '../features/billing/plan-loading.tsx';
import { FreeCredits, PlanOffer } from '../features/billing/offers.tsx';
import { useSubscriptionState } from '../lib/data/use-plan.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { type DisplayedState, STATES } from '../lib/subscription.rules.ts';
import { textOf } from '../lib/subscription-text.ts';
import { billingText } from '../messages/billing.ts';
import { Alert } from '../ui/alert.tsx';
import { QueryView } from '../ui/query-view.tsx';

const Confirming = (): ReactNode => <Alert>{billingText('confirmingText')}</Alert>;

type ContentProps = { state: DisplayedState; user: UserView; view: SubscriptionView | undefined };

/** The offer, unless a payment in trouble is to be mended first. */
const FreePlan = ({ state, user, view }: ContentProps): ReactNode => (
  <>
    {view !== undefined && STATES[state].renewal !== null && (
      <div>
        <ChangeRenewal state={state} view={view} />
      </div>
    )}
    {view?.isTrialRefused === true && <Alert>{billingText('trialRefusedText')}</Alert>}
    {STATES[state].action === 'buy' && <PlanOffer email={user.email} trialDays={view?.trialDays ?? 0} />}
    <FreeCredits />
  </>
);

const Content = (props: ContentProps): ReactNode => {
  const { state, user, view } = props;
  if (state === 'unknown') return <PlanSkeleton />;
  if (state === 'confirming') return <Confirming />;
  return (
    <div className="stack sheets">
      <StateNotice state={state} view={view} />
      {STATES[state].plan === 'premium' ? <OwnPlan {...props} /> : <FreePlan {...props} />}
      <InvoicesPanel hasCustomer={user.stripe_customer_id !== null} />
    </div>
  );
};

const PaymentsPage = (): ReactNode => {
  const { state, view, query } = useSubscriptionState();
  const hasFailed = query.error !== undefined && query.data === undefined;
  const description = state === 'unknown' ? PLAN_LOADING : textOf(STATES[state].headline, view);
  usePageInfo({ pageName: 'payments', pageTitle: PLAN_TITLE, pageDescription: description });
  return (
    <>
      <PlanHeader description={hasFailed ? null : description} />
      <div className="stack sheets">
        <PortalReturn />
        <QueryView
          query={query}
          skeleton={<PlanSkeleton />}
          errorTitle={billingText('planFailed')}
          reassurance={billingText('planUnaffected')}
        >
          {(user) => <Content state={state} user={user} view={view} />}
        </QueryView>
      </div>
    </>
  );
};

export default PaymentsPage;
