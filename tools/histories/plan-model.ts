// What the state of one customer means here, written from docs/product.md and not from billing's rules.
import { days } from '@shortlist/contracts/durations';
import {
  endSubscription,
  monthsAfter,
  type ModelCustomer,
  type ModelInvoice,
  type ModelPack,
  type ModelSubscription,
} from './stripe-model.ts';

export const PACK_PRICE = 1_900;
const PACK_CREDITS = 250;
/** Stripe's price in the United States: 2.9 % and 30 cents. What costs nothing is not charged. */
export const feeOf = (price: number): number => (price === 0 ? 0 : Math.round(price * 0.029) + 30);
const DISPUTE_FEE = 1_500;
const GRACE = days(7);
export const INVOICE_STATUSES = ['open', 'paid', 'void', 'uncollectible'];

export const refundedOf = ({ refunds }: Pick<ModelInvoice, 'refunds'>): number =>
  refunds.filter(({ failed }) => !failed).reduce((sum, { amount }) => sum + amount, 0);

/** What followed the years of a subscription that were paid to their ends. */
export const yearEndsOf = ({ invoices }: ModelSubscription): string[] =>
  invoices.flatMap(({ months, status, end }) => {
    const next = invoices.find(({ start }) => start === end);
    if (months !== 12 || status !== 'paid' || next === undefined) return [];
    if (next.months !== 12) return ['months followed a year'];
    return [next.status === 'paid' ? 'a year was renewed' : 'the renewal of a year failed'];
  });

/** Whether the money of a paid invoice went back in full, to the customer or to the bank. */
const isReversed = (invoice: ModelInvoice): boolean =>
  (invoice.price > 0 && refundedOf(invoice) >= invoice.price) || invoice.dispute?.status === 'lost';

/** A second trial sells nothing. */
export const paidOf = ({ invoices, isRefused }: ModelSubscription): ModelInvoice[] =>
  invoices.filter(({ status, isForeign }) => status === 'paid' && !isForeign && !isRefused);

const newestPaid = (subscription: ModelSubscription): ModelInvoice | undefined =>
  paidOf(subscription)
    .filter(({ lateFrom }) => lateFrom === null)
    .toSorted((one, other) => other.end - one.end)[0];

const hasLostDispute = ({ invoices }: ModelSubscription): boolean =>
  invoices.some(({ dispute }) => dispute?.status === 'lost');

/** Why a subscription may not go on: a payment for it was disputed and lost, or the newest one went back in full. */
const reversalOf = (subscription: ModelSubscription): ModelSubscription['canceledFor'] => {
  if (hasLostDispute(subscription)) return 'dispute';
  const newest = newestPaid(subscription);
  return newest !== undefined && isReversed(newest) ? 'refund' : null;
};

/** Whether a payment for the subscription is disputed, was lost, or the newest was returned in full or in part. */
export const isTouched = (subscription: ModelSubscription): boolean =>
  subscription.invoices.some(({ dispute }) => dispute !== null && dispute.status !== 'won') ||
  (newestPaid(subscription)?.refunds ?? []).length > 0;

const endReversed = (subscription: ModelSubscription, now: number): void => {
  const reversal = reversalOf(subscription);
  if (subscription.status === 'canceled' || !subscription.sellsPlan || reversal === null) return;
  endSubscription(subscription, now);
  subscription.canceledFor = reversal;
};

/** What billing ends at Stripe: a subscription whose payment went back, and the open invoices of one that has ended. */
export const endUnwanted = ({ subscriptions, now, voidsUnpaid }: ModelCustomer): void => {
  for (const subscription of subscriptions) {
    endReversed(subscription, now);
    if (subscription.status !== 'canceled' || !voidsUnpaid) continue;
    for (const invoice of subscription.invoices)
      if (invoice.status === 'open' && !invoice.isForeign) invoice.status = 'void';
  }
};

/** Whether Stripe goes on with the plan beyond what is paid. */
const renews = ({ cancelsAtEnd, endsAt, sellsPlan }: ModelSubscription, paidUntil: number): boolean =>
  sellsPlan && !cancelsAtEnd && (endsAt === null || endsAt > paidUntil);

/** While Stripe collects the renewals, the plan outlives a period by the grace. */
const isCollected = (subscription: ModelSubscription): boolean => {
  const { status, pause } = subscription;
  const newest = newestPaid(subscription);
  const isCollecting =
    status === 'past_due' || ((status === 'active' || status === 'trialing') && pause === null);
  if (!isCollecting || newest === undefined) return false;
  return renews(subscription, newest.end) && reversalOf(subscription) === null;
};

const lastMoment = (
  subscription: ModelSubscription,
  { end, paidAt, lateFrom, months }: ModelInvoice,
): number => {
  if (lateFrom !== null) return monthsAfter(lateFrom, months);
  const { endedAt, canceledFor } = subscription;
  if (isCollected(subscription)) return end + GRACE;
  // A refund that failed at the bank gives back the whole period, although the subscription was ended for it.
  const isWhole = canceledFor === 'refund' && !hasLostDispute(subscription);
  if (endedAt === null || isWhole) return end;
  return (paidAt ?? 0) <= endedAt ? Math.min(end, endedAt) : end;
};

/**
 * The moment until which the payments make the user premium; 0 without any. What was paid before everything was ended at once lasts until
 * then.
 */
export const paidUntil = ({ subscriptions }: ModelCustomer, revokedAt: number | null): number => {
  const until = (subscription: ModelSubscription, invoice: ModelInvoice): number => {
    const last = lastMoment(subscription, invoice);
    return revokedAt !== null && (invoice.paidAt ?? 0) <= revokedAt ? Math.min(last, revokedAt) : last;
  };
  return Math.max(
    0,
    ...subscriptions.flatMap((subscription) =>
      paidOf(subscription)
        .filter((invoice) => !isReversed(invoice))
        .map((invoice) => until(subscription, invoice)),
    ),
  );
};

/** How many credits of a pack are paid for: a refund takes its share, a dispute all until it is won. */
export const paidCreditsOf = (pack: ModelPack): number => {
  if (pack.dispute !== null && pack.dispute.status !== 'won') return 0;
  return Math.floor((PACK_CREDITS * (PACK_PRICE - refundedOf(pack))) / PACK_PRICE);
};

const PLAN_CREDITS = 500;

/**
 * What refunds take back of the credits of the month in which the last of them was made, when the plan is paid by this invoice. A refund after the
 * end of the plan is of the last month that began.
 */
export const withdrawnOf = (subscription: ModelSubscription, invoice: ModelInvoice) => {
  const { refunds, start, lateFrom, months, price } = invoice;
  const until = lastMoment(subscription, invoice);
  const monthAt = (time: number): number =>
    Array.from({ length: months }, (_, index) => monthsAfter(lateFrom ?? start, index)).findLastIndex(
      (begin, index) => index === 0 || (begin <= time && begin < until),
    );
  const taking = refunds
    .filter(({ failed }) => !failed)
    .flatMap(({ amount, takesCreditsAt: at }) => (at === undefined ? [] : [{ amount, month: monthAt(at) }]));
  const month = Math.max(0, ...taking.map((one) => one.month));
  const amount = taking.reduce((sum, one) => sum + (one.month === month ? one.amount : 0), 0);
  return amount === 0 ? null : { month, credits: Math.floor((PLAN_CREDITS * amount) / price) };
};

/** What the books must show of this customer. */
export const totalsOf = ({ subscriptions, packs }: ModelCustomer) => {
  const invoices = subscriptions.flatMap((one) => one.invoices.filter(({ isForeign }) => !isForeign));
  const sold = [...invoices, ...packs.map((pack) => ({ ...pack, price: PACK_PRICE }))];
  const count = (status: string): number => invoices.filter((invoice) => invoice.status === status).length;
  const disputed = sold.filter(({ dispute }) => dispute !== null);
  const kept = disputed.filter(({ dispute }) => dispute?.status !== 'won');
  return {
    invoices: Object.fromEntries(INVOICE_STATUSES.map((status) => [status, count(status)])),
    refunded: sold.reduce((sum, one) => sum + refundedOf(one), 0),
    withdrawn: kept.reduce((sum, { price }) => sum + price, 0),
    disputeFees: disputed.length * DISPUTE_FEE,
  };
};
