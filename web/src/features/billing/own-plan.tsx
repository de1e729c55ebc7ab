// The sheet of a premium plan: what is charged next, to which card, and the plan itself with its renewal.
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import type { UserView } from '@shortlist/contracts/api/profile';
import type { ReactNode } from 'react';
import { shortTime, shortDay } from '../../lib/dates.ts';
import { money, monthlyPrice } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { type DateName, type DisplayedState, isPaying, STATES } from '../../lib/subscription.rules.ts';
import { billingText } from '../../messages/billing.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge } from '../../ui/inline.tsx';
import { Details } from '../../ui/panel.tsx';
import { ChangeRenewal } from './change-renewal.tsx';
import { cardText } from './portal-changes.ts';

type PartProps = { state: DisplayedState; view: SubscriptionView };

/** A price may be charged with a discount or a tax, which the last payment shows. */
const isPlain = ({ price, lastPayment }: SubscriptionView): boolean =>
  lastPayment?.amount === price.amount && lastPayment.currency === price.currency;

/** What is due now, or is charged next; null for nothing. */
const chargeOf = ({ state, view }: PartProps): { figure: string; note: string } | null => {
  const { price, periodEnd, problem } = view;
  if (STATES[state].action === 'pay' && problem !== null) {
    const { amount, currency } = problem;
    return amount === null || currency === null
      ? null
      : { figure: money(amount, currency), note: billingText('dueNow') };
  }
  const figure = money(price.amount, price.currency);
  if (state === 'renewing' || state === 'processing_paid')
    return { figure, note: billingText('beingCollected') };
  if (!STATES[state].dates.includes('nextInstallment') || periodEnd === null) return null;
  const note = billingText(isPlain(view) ? 'chargedOn' : 'beforeTax', { day: shortDay(periodEnd) });
  return { figure, note };
};

const NextCharge = (props: PartProps): ReactNode => {
  const charge = chargeOf(props);
  return (
    <section className="card" aria-labelledby="next-charge">
      <div className="card-head">
        <h2 id="next-charge">{billingText('nextCharge')}</h2>
      </div>
      <div className="card-fact">
        <p className="card-figure num">{charge === null ? billingText('noCharge') : charge.figure}</p>
        {charge !== null && <p className="small muted">{charge.note}</p>}
      </div>
    </section>
  );
};

const PaymentMethod = ({ view }: { view: SubscriptionView }): ReactNode => {
  const card = view.card ?? null;
  const [year = '', month = ''] = card?.expires.split('-') ?? [];
  return (
    <section className="card" aria-labelledby="payment-method">
      <div className="card-head">
        <h2 id="payment-method">{billingText('paymentMethod')}</h2>
      </div>
      {card === null ? (
        <p>{billingText('cardAtStripe')}</p>
      ) : (
        <div>
          <p className="card-title num">{cardText(card)}</p>
          <p className="small muted num">{billingText('cardUntil', { month, year })}</p>
        </div>
      )}
      {view.customerId !== null && (
        <div>
          <ButtonLink to={paths.changeCard}>{billingText('changeCard')}</ButtonLink>
        </div>
      )}
    </section>
  );
};

const dateOf = (date: string | null): string => (date === null ? billingText('notSet') : shortTime(date));

/** Last payment and start are both the last credit reset; the next installment is due at the period's end. Source: docs/product.md. */
const rowOf = (
  name: DateName,
  { periodStart, periodEnd, premiumUntil }: SubscriptionView,
): readonly [string, string] => {
  if (name === 'nextInstallment') return [billingText(name), dateOf(periodEnd)];
  return [billingText(name), dateOf(name === 'planEnds' ? premiumUntil : periodStart)];
};

/** Only a user who pays sees the price: an admin may have granted the plan. */
const Plan = ({ state, view }: { state: DisplayedState; view: SubscriptionView | undefined }): ReactNode => (
  <section className="card" aria-labelledby="your-plan">
    <div className="card-head">
      <h2 id="your-plan">{isPaying(state, view) ? monthlyPrice(view.price) : billingText('yourPlan')}</h2>
      <Badge tone="premium">{billingText('premium')}</Badge>
    </div>
    {view === undefined ? (
      <p>{billingText('notAvailable')}</p>
    ) : (
      <Details rows={STATES[state].dates.map((name) => rowOf(name, view))} />
    )}
    <div className="button-row">
      {view !== undefined && <ChangeRenewal state={state} view={view} />}
      <ButtonLink variant="quiet" to={paths.credits}>
        {billingText('credits')}
      </ButtonLink>
    </div>
  </section>
);

type OwnPlanProps = { user: UserView; state: DisplayedState; view: SubscriptionView | undefined };

/** A user who never paid has neither a next charge nor a card. */
export const OwnPlan = ({ user, state, view }: OwnPlanProps): ReactNode => (
  <div className="card-grid is-plan">
    <Plan state={state} view={view} />
    {view !== undefined && user.stripe_customer_id !== null && (
      <>
        <NextCharge state={state} view={view} />
        <PaymentMethod view={view} />
      </>
    )}
  </div>
);
