// The sheet of a premium plan: what is charged next, to which card, and the plan itself with its renewal.
import type { Price, SubscriptionView } from '@shortlist/contracts/api/billing';
import type { UserView } from '@shortlist/contracts/api/profile';
import type { ReactNode } from 'react';
import { shortTime, shortDay } from '../../lib/dates.ts';
import { useConfig } from '../../lib/data/use-config.ts';
import { money, planPrice, reduction } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import {
  type DateName,
  type DisplayedState,
  isPaying,
  isTrial,
  STATES,
} from '../../lib/subscription.rules.ts';
import { billingText } from '../../messages/billing.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge } from '../../ui/inline.tsx';
import { Details } from '../../ui/panel.tsx';
import { ChangeInterval } from './change-interval.tsx';
import { ChangeRenewal } from './change-renewal.tsx';
import { cardText } from './portal-changes.ts';

type PartProps = { state: DisplayedState; view: SubscriptionView };

/** A price may be charged with a discount or a tax, which the last payment shows. */
const isPlain = ({ price, lastPayment, nextInterval, discount }: SubscriptionView): boolean =>
  !nextInterval &&
  !discount &&
  lastPayment?.amount === price.amount &&
  lastPayment.currency === price.currency;

/** The price that is charged next, with its interval. `monthly`: the price to which a year may change. */
const nextPrice = ({ price, interval = 'month', nextInterval }: SubscriptionView, monthly: Price | null) =>
  nextInterval === 'month' && monthly !== null
    ? { price: monthly, interval: nextInterval }
    : { price, interval };

const noteOf = (view: SubscriptionView): 'afterTrial' | 'beforeTax' | 'chargedOn' => {
  if (isTrial(view)) return 'afterTrial';
  return isPlain(view) ? 'chargedOn' : 'beforeTax';
};

/** What is due now, or is charged next; null for nothing. */
const chargeOf = (
  { state, view }: PartProps,
  monthly: Price | null,
): { figure: string; note: string } | null => {
  const { periodEnd, problem } = view;
  const { price, interval } = nextPrice(view, monthly);
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
  const note = billingText(noteOf(view), { day: shortDay(periodEnd), interval });
  return { figure, note };
};

const NextCharge = (props: PartProps): ReactNode => {
  const charge = chargeOf(props, useConfig().price);
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

const discountRow = ({ discount }: SubscriptionView): readonly [string, string][] => {
  if (!discount) return [];
  const { name, endsAt } = discount;
  const off = reduction(discount);
  const text =
    endsAt === null
      ? billingText('discountText', { off })
      : billingText('discountUntil', { off, day: shortDay(endsAt) });
  return [[billingText('discountFor'), name === null ? text : billingText('discountNamed', { name, text })]];
};

/** A change that follows with the next period. Its line is there before the price is loaded, so that it moves nothing. */
const changeRow = (
  { nextInterval, periodEnd }: SubscriptionView,
  monthly: Price | null,
): readonly [string, string][] => {
  if (!nextInterval || periodEnd === null) return [];
  const day = shortDay(periodEnd);
  const text =
    monthly === null ? day : billingText('changesOn', { price: planPrice(monthly, nextInterval), day });
  return [[billingText('changesTo'), text]];
};

type PlanProps = { state: DisplayedState; view: SubscriptionView | undefined };

const Rows = ({ state, view }: PartProps): ReactNode => {
  const { price } = useConfig();
  const names = STATES[state].dates.filter((name) => name !== 'lastPayment' || !isTrial(view));
  const dates = names.map((name) => rowOf(name, view));
  return <Details rows={[...dates, ...discountRow(view), ...changeRow(view, price)]} />;
};

/** Only a user who pays sees the price: an admin may have granted the plan. */
const Plan = ({ state, view }: PlanProps): ReactNode => (
  <section className="card" aria-labelledby="your-plan">
    <div className="card-head">
      <h2 id="your-plan">
        {isPaying(state, view) ? planPrice(view.price, view.interval) : billingText('yourPlan')}
      </h2>
      <Badge tone="premium">{billingText('premium')}</Badge>
    </div>
    {view === undefined ? <p>{billingText('notAvailable')}</p> : <Rows state={state} view={view} />}
    <div className="button-row">
      {view !== undefined && <ChangeInterval state={state} view={view} />}
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
