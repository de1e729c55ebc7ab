// What Stripe's state means for a plan. A paid invoice for one of our prices pays for its own period; one invoice makes one period,
// whichever events reported it. An invoice that a discount or the customer's balance paid in full counts too: it was sold at our
// price and earned nothing. While a subscription renews, the plan outlives the period by the grace days in which Stripe collects
// the renewal; after the subscription has ended, or will not renew, the plan ends with the period. An invoice that was returned,
// by a full refund or a lost dispute, pays for nothing, and a subscription whose newest payment was returned gets no grace and is
// to be canceled. A partial refund changes nothing. A refund may fail at the bank later: then its invoice counts again, for the
// whole period, although its subscription was canceled for it.
import { days } from '@shortlist/contracts/durations';
import type { PlanEndReason } from '@shortlist/contracts/events/billing';
import { GRACE_DAYS } from '@shortlist/contracts/limits';
import { type Coverage, laterOf } from '@shortlist/contracts/plan';
import type {
  CustomerSnapshot,
  DisputeSnapshot,
  InvoiceSnapshot,
  SubscriptionSnapshot,
} from '../stripe/snapshot.ts';

// A dispute is a payer's objection to a payment at the bank. While it is open the plan stays, although the money is withdrawn. A lost
// dispute returns the payment to the payer, as a full refund does, whatever part of it was disputed: a payer who objects to the
// plan does not keep it, also while the loss is being appealed. A dispute that was won, closed as an inquiry, or prevented leaves
// everything as it was.

const CLOSED = new Set(['won', 'lost', 'warning_closed', 'prevented']);

export const isClosed = ({ status }: Pick<DisputeSnapshot, 'status'>): boolean => CLOSED.has(status);

/** An appeal follows a loss: the payer keeps the money until it is won. */
const LOST = new Set(['lost', 'appeal_needs_response', 'appeal_under_review']);

/** Whether a dispute of the invoice's payment was lost. */
export const isLost = ({ id }: InvoiceSnapshot, { disputes }: CustomerSnapshot): boolean =>
  disputes.some(({ invoiceId, status }) => invoiceId === id && LOST.has(status));

// An invoice counts as sold when it is paid, by money, discount or balance, in the currency of its subscription's price. It counts
// as refunded when all of its amount went back; an invoice of amount 0 cannot be refunded. It counts as returned when it was
// refunded or a dispute of it was lost.

export const refundedAmount = ({ refunds }: InvoiceSnapshot): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

export const isSold = (
  { status, currency, subscriptionId }: InvoiceSnapshot,
  { subscriptions }: CustomerSnapshot,
): boolean => {
  const price = subscriptions.find(({ id }) => id === subscriptionId)?.price;
  return status === 'paid' && currency === (price?.currency ?? currency);
};

const isRefunded = (invoice: InvoiceSnapshot): boolean =>
  invoice.amount > 0 && refundedAmount(invoice) >= invoice.amount;

const isReturned = (invoice: InvoiceSnapshot, snapshot: CustomerSnapshot): boolean =>
  isRefunded(invoice) || isLost(invoice, snapshot);

/** Whether an invoice was paid after this time. */
export const isPaidAfter = ({ status, paidAt }: InvoiceSnapshot, time: Date): boolean =>
  status === 'paid' && paidAt !== null && paidAt > time;

const ENDED = new Set(['canceled', 'unpaid', 'incomplete', 'incomplete_expired']);

type ReturnReason = 'refund' | 'dispute';

export const isOngoing = (status: string | null): boolean => status !== null && !ENDED.has(status);

/** Whether a subscription awaits a payment that Stripe no longer collects by itself; the user may buy again. */
export const isUnfinished = (status: string | null): boolean =>
  status === 'incomplete' || status === 'unpaid';

const countsForPlan = (invoice: InvoiceSnapshot, snapshot: CustomerSnapshot): boolean =>
  isSold(invoice, snapshot) && !isReturned(invoice, snapshot);

const latest = (invoices: InvoiceSnapshot[]): InvoiceSnapshot | null =>
  invoices.reduce<InvoiceSnapshot | null>(
    (best, invoice) => (best === null || invoice.period.end > best.period.end ? invoice : best),
    null,
  );

const graceAfter = (end: Date): string => new Date(end.getTime() + days(GRACE_DAYS)).toISOString();

/** The newest payment for a subscription. */
const newestSold = (snapshot: CustomerSnapshot, subscriptionId: string | null): InvoiceSnapshot | null =>
  latest(
    snapshot.invoices.filter(
      (invoice) => isSold(invoice, snapshot) && invoice.subscriptionId === subscriptionId,
    ),
  );

/** Why a subscription must not be charged again: its newest payment was returned. Null if it was not. */
const returnReason = (snapshot: CustomerSnapshot, subscriptionId: string): ReturnReason | null => {
  const newest = newestSold(snapshot, subscriptionId);
  if (newest === null || !isReturned(newest, snapshot)) return null;
  return isLost(newest, snapshot) ? 'dispute' : 'refund';
};

/** A subscription that Stripe no longer lists counts as ended with its period. */
const NOT_LISTED: SubscriptionSnapshot = {
  id: '',
  status: 'canceled',
  renews: false,
  price: null,
  startedAt: new Date(0),
  canceledAt: null,
  endedAt: null,
  cancelReason: null,
  isCanceledForReturn: false,
};

/** Whether we canceled the subscription because this invoice was returned, which it no longer is. */
const countsAgain = (
  invoice: InvoiceSnapshot,
  { id, isCanceledForReturn }: SubscriptionSnapshot,
  snapshot: CustomerSnapshot,
): boolean => isCanceledForReturn && newestSold(snapshot, id)?.id === invoice.id;

/**
 * The end of a paid period: that of the subscription if it ended earlier, but at most now, since Stripe's clock may be ahead of
 * ours. A payment after the subscription's end pays for the whole period.
 */
const endOf = (
  { period, paidAt }: InvoiceSnapshot,
  { status, endedAt }: SubscriptionSnapshot,
  now: Date,
): Date => {
  if (isOngoing(status) || endedAt === null || (paidAt !== null && paidAt > endedAt)) return period.end;
  return new Date(Math.min(period.end.getTime(), endedAt.getTime(), now.getTime()));
};

const coverageOf = (snapshot: CustomerSnapshot, invoice: InvoiceSnapshot, now: Date): Coverage => {
  const subscription = snapshot.subscriptions.find(({ id }) => id === invoice.subscriptionId) ?? NOT_LISTED;
  const { status, renews, id } = subscription;
  const isWhole = countsAgain(invoice, subscription, snapshot);
  const end = isWhole ? invoice.period.end : endOf(invoice, subscription, now);
  const isCollected = isOngoing(status) && renews && returnReason(snapshot, id) === null;
  return {
    key: invoice.id,
    start: invoice.period.start.toISOString(),
    end: end.toISOString(),
    graceUntil: isCollected ? graceAfter(end) : null,
  };
};

/** The paid period that lasts longest, or null. */
export const paidCoverage = (snapshot: CustomerSnapshot, now: Date): Coverage | null =>
  snapshot.invoices
    .filter((invoice) => countsForPlan(invoice, snapshot))
    .reduce<Coverage | null>((best, invoice) => laterOf(best, coverageOf(snapshot, invoice, now)), null);

/** The ongoing subscription, or else the newest. */
export const currentSubscription = ({ subscriptions }: CustomerSnapshot): SubscriptionSnapshot | null =>
  subscriptions.find(({ status }) => !ENDED.has(status)) ?? subscriptions[0] ?? null;

/** Final states: Stripe collects nothing more. */
const FINAL = new Set(['canceled', 'incomplete_expired']);

/** Whether Stripe collects nothing more for a subscription; also without one. */
export const isFinal = (status: string | null): boolean => status === null || FINAL.has(status);

const UNPAID = new Set(['past_due', 'unpaid', 'incomplete']);

/** Whether the current period of a subscription is not paid. */
export const awaitsPayment = (status: string): boolean => UNPAID.has(status);

/** The subscriptions for which Stripe may still collect money. */
export const liveSubscriptions = ({ subscriptions }: CustomerSnapshot): string[] =>
  subscriptions.filter(({ status }) => !isFinal(status)).map(({ id }) => id);

/** Those of them whose newest payment was returned, and how: they must not be charged for the next period. */
export const returnedSubscriptions = (snapshot: CustomerSnapshot): { id: string; reason: ReturnReason }[] =>
  liveSubscriptions(snapshot).flatMap((id) => {
    const reason = returnReason(snapshot, id);
    return reason === null ? [] : [{ id, reason }];
  });

/** The reason of an end before its time: a lost dispute or a refund of the paid period, or else a cancellation. */
export const earlyEndReason = (snapshot: CustomerSnapshot, paid: Coverage | null): PlanEndReason => {
  const invoice = snapshot.invoices.find(({ id }) => id === paid?.key);
  if (invoice && isLost(invoice, snapshot)) return 'dispute';
  return invoice && isRefunded(invoice) ? 'refund' : 'canceled';
};
