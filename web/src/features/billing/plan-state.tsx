import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import type { UserView } from '@shortlist/contracts/api/profile';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { ReactNode } from 'react';
import { useSubscriptionState } from '../../lib/data/use-plan.ts';
import { longDate } from '../../lib/dates.ts';
import { monthlyPrice } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { payLabel, textOf } from '../../lib/subscription-text.ts';
import {
  type DateName,
  type DisplayedState,
  isPaying,
  needsUser,
  STATES,
} from '../../lib/subscription.rules.ts';
import { billingText } from '../../messages/billing.ts';
import { stateText } from '../../messages/subscription.ts';
import { Alert } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, ExternalLink, ICON } from '../../ui/inline.tsx';
import { Details } from '../../ui/panel.tsx';

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

const dateOf = (date: string | null): string => (date === null ? billingText('notSet') : longDate(date));

/** Last payment and start are both the last credit reset; the next installment is due at the period's end. Source: docs/product.md. */
const rowOf = (
  name: DateName,
  { periodStart, periodEnd, premiumUntil }: SubscriptionView,
): readonly [string, string] => {
  if (name === 'noInstallment') return [billingText('nextInstallment'), billingText('none')];
  if (name === 'nextInstallment') return [billingText(name), dateOf(periodEnd)];
  return [billingText(name), dateOf(name === 'planEnds' ? premiumUntil : periodStart)];
};

type PremiumPlanProps = StateProps & { user: UserView };

/** Only a user who pays sees the price, and the portal: an admin may have granted the plan. */
export const PremiumPlan = ({ user, state, view }: PremiumPlanProps): ReactNode => (
  <div className="measure stack sheets">
    <StateNotice state={state} view={view} />
    <section className="panel" aria-labelledby="your-plan">
      <div className="panel-head">
        <h2 id="your-plan">{isPaying(state, view) ? monthlyPrice(view.price) : billingText('yourPlan')}</h2>
        <Badge isPremium>{billingText('premium')}</Badge>
      </div>
      <div className="panel-body">
        {view === undefined ? (
          <p>{billingText('notAvailable')}</p>
        ) : (
          <Details rows={STATES[state].dates.map((name) => rowOf(name, view))} />
        )}
      </div>
      <div className="panel-actions">
        {user.stripe_customer_id !== null && STATES[state].action !== 'portal' && (
          <ButtonLink to={paths.subscription}>{billingText('managePortal')}</ButtonLink>
        )}
        <ButtonLink variant="quiet" to={paths.credits}>
          {billingText('credits')}
        </ButtonLink>
      </div>
    </section>
  </div>
);

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
