import type { ReactNode } from 'react';
import { useSubscriptionState } from '../../lib/data/use-plan.ts';
import { paths } from '../../lib/paths.ts';
import { type DisplayedState, needsUser, STATES } from '../../lib/subscription.rules.ts';
import { billingText } from '../../messages/billing.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { StateAction } from './paid-plan.tsx';

/** Leads to the offer, or to a plan that cannot be bought now. */
export const OfferLink = ({ state }: { state: DisplayedState }): ReactNode => {
  const canBuy = STATES[state].action === 'buy';
  return (
    <ButtonLink variant={canBuy ? 'primary' : 'plain'} to={paths.payments}>
      {billingText(canBuy ? 'getStarted' : 'goToPlan')}
    </ButtonLink>
  );
};

/** Leads to the plan's credits: to the offer, or to what keeps a payment for the plan from going through. */
export const PlanLink = (): ReactNode => {
  const { state, view } = useSubscriptionState();
  if (state === 'unknown') return null;
  return needsUser(state) ? <StateAction state={state} view={view} /> : <OfferLink state={state} />;
};
