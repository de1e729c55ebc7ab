import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { ReactNode } from 'react';
import { useSubscriptionState } from '../../lib/data/use-plan.ts';
import { paths } from '../../lib/paths.ts';
import { payLabel, textOf } from '../../lib/subscription-text.ts';
import { type DisplayedState, needsUser, STATES } from '../../lib/subscription.rules.ts';
import { billingText } from '../../messages/billing.ts';
import { stateText } from '../../messages/subscription.ts';
import { Alert } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { ExternalLink, ICON } from '../../ui/inline.tsx';

/** Without a view, billing could not be reached. */
type StateProps = { state: DisplayedState; view: SubscriptionView | undefined };

/** Leads to what mends a payment in trouble: the page of the open invoice, or the billing portal. */
const StateAction = ({ state, view }: StateProps): ReactNode => {
  const problem = view?.problem ?? null;
  if (!needsUser(state) || problem === null) return null;
  if (STATES[state].action === 'portal' || problem.payUrl === null)
    return (
      <ButtonLink variant="primary" to={paths.subscription}>
        {stateText('openPortal')}
      </ButtonLink>
    );
  return (
    <ExternalLink className="button is-primary" href={problem.payUrl}>
      {payLabel(problem)}
      <ArrowUpRight {...ICON} />
    </ExternalLink>
  );
};

/** What happens next, with the action that mends it. The page's description has said the rest, unless the plan is its subject. */
export const StateNotice = ({ state, view }: StateProps): ReactNode => {
  const { trouble, next, headline, action } = STATES[state];
  if (next === null) return null;
  return (
    <div className="plan-problem">
      <Alert tone={action === null ? 'plain' : 'warn'}>
        {trouble !== null && trouble !== headline && <strong>{textOf(trouble, view)} </strong>}
        {textOf(next, view)}
      </Alert>
      <StateAction state={state} view={view} />
    </div>
  );
};

/** Leads to the offer, or to a plan that cannot be bought now. */
const OfferLink = ({ state }: { state: DisplayedState }): ReactNode => {
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
