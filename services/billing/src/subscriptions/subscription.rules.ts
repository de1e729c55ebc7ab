// What Stripe's state means for a plan. A paid invoice for one of our prices pays for its own period; each invoice makes one period, whichever
// events reported it. An invoice that was paid in full by a discount or the customer's balance counts too: it was sold at our price, although
// it earned nothing. While a subscription renews, the plan continues after the period for the grace days in which Stripe collects the renewal;
// if the subscription has ended or will not renew, the plan ends with the period. A subscription with an end date renews until then; a paused
// one collects nothing, so the plan ends with the period. A returned invoice (fully refunded, or with a lost dispute) pays for nothing, and a
// subscription whose newest payment was returned gets no grace and must be canceled. A partial refund changes nothing, but an admin may choose
// that it takes back its share of the credits of the month in which it is made, rounded down to whole credits; credits takes no more than is
// left of them. A refund that failed takes nothing. What else was paid for a subscription that we canceled because a payment was refunded counts
// for its whole period: a month that was paid before the change to a year, or the payment whose refund later fails at the bank. A late payment pays for a whole period from its day on. Ending the plan at once ends everything paid
// until then, whatever the bank does later. A subscription that was moved to another price keeps what its invoices sold, but does not renew the
// plan.
import { days, inSeconds, monthsAfter, seconds } from '@shortlist/contracts/durations';
import type { PlanEndReason } from '@shortlist/contracts/events/billing';
import { GRACE_DAYS, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import { type Coverage, laterOf, monthIndexAt } from '@shortlist/contracts/plan';
import type { Policies } from '../config.ts';
import type {
  CustomerSnapshot,
  DisputeSnapshot,
  InvoiceSnapshot,
  SubscriptionSnapshot,
} from '../stripe/snapshot.ts';
import { monthsIn } from '../stripe/monthly-amount.rules.ts';

// A dispute is a payer's objection to a payment at the bank. While it is open, the plan stays, although the money is withdrawn. A lost dispute
// counts like a full refund, whatever part of the payment was disputed: a payer who disputes the plan does not keep it, even while the loss is
// being appealed. A dispute that was won, closed as an inquiry or prevented changes nothing.

const CLOSED = new Set(['won', 'lost', 'warning_closed', 'prevented']);

export const isClosed = ({ status }: Pick<DisputeSnapshot, 'status'>): boolean => CLOSED.has(status);

/** An appeal follows a loss: the payer keeps the money until it is won. */
const LOST = new Set(['lost', 'appeal_needs_response', 'appeal_under_review']);

/** Whether a dispute of the invoice's payment was lost. */
export const isLost = ({ id }: InvoiceSnapshot, { disputes }: CustomerSnapshot): boolean =>
  disputes.some(({ invoiceId, status }) => invoiceId === id && LOST.has(status));

// An invoice counts as sold if it is paid, by money, discount or balance, in any currency in which the price is offered; as refunded if its
// whole amount was refunded (an invoice of amount 0 cannot be); and as returned if it was refunded or its dispute was lost.

export const refundedAmount = ({ refunds }: Pick<InvoiceSnapshot, 'refunds'>): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

const isSold = ({ status }: InvoiceSnapshot): boolean => status === 'paid';

const isRefunded = (invoice: InvoiceSnapshot): boolean =>
  invoice.amount > 0 && refundedAmount(invoice) >= invoice.amount;

const isReturned = (invoice: InvoiceSnapshot, snapshot: CustomerSnapshot): boolean =>
  isRefunded(invoice) || isLost(invoice, snapshot);

/**
 * Whether an invoice was paid after this time. Stripe states whole seconds, so a payment in the same second counts as later, even if its
 * webhook came before the event of the deletion.
 */
export const isPaidAfter = ({ status, paidAt }: InvoiceSnapshot, time: Date): boolean =>
  status === 'paid' && paidAt !== null && paidAt.getTime() >= seconds(Math.floor(inSeconds(time.getTime())));

const ENDED = new Set(['canceled', 'unpaid', 'incomplete', 'incomplete_expired']);

type ReturnReason = 'refund' | 'dispute';

export const isOngoing = (status: string | null): boolean => status !== null && !ENDED.has(status);

const isCollecting = (status: string): boolean => isOngoing(status) && status !== 'paused';

/** Whether a subscription awaits a payment that Stripe no longer collects automatically; the user may buy again. */
export const isUnfinished = (status: string | null): boolean =>
  status === 'incomplete' || status === 'unpaid';

/** A subscription that Stripe no longer lists counts as having ended with its period. */
const NOT_LISTED: SubscriptionSnapshot = {
  id: '',
  status: 'canceled',
  sellsPlan: true,
  interval: null,
  currency: '',
  nextInterval: null,
  scheduleId: null,
  isScheduledElsewhere: false,
  discount: null,
  renews: false,
  endsAt: null,
  price: null,
  startedAt: new Date(0),
  canceledAt: null,
  endedAt: null,
  resumesAt: null,
  cancelReason: null,
  isCanceledForReturn: false,
  card: null,
  trial: null,
  isTrialRefused: false,
};

const subscriptionOf = (
  { subscriptionId }: InvoiceSnapshot,
  { subscriptions }: CustomerSnapshot,
): SubscriptionSnapshot => subscriptions.find(({ id }) => id === subscriptionId) ?? NOT_LISTED;

/** Whether an invoice sold a trial to which its user had no right. */
export const isRefusedTrial = (invoice: InvoiceSnapshot, snapshot: CustomerSnapshot): boolean =>
  invoice.isTrial && subscriptionOf(invoice, snapshot).isTrialRefused;

const countsForPlan = (invoice: InvoiceSnapshot, snapshot: CustomerSnapshot): boolean =>
  isSold(invoice) && !isReturned(invoice, snapshot) && !isRefusedTrial(invoice, snapshot);

/** Whether an invoice was paid after its subscription or its period had ended. */
export const isLate = (invoice: InvoiceSnapshot, snapshot: CustomerSnapshot): boolean => {
  const { period, paidAt, status } = invoice;
  const { endedAt } = subscriptionOf(invoice, snapshot);
  if (status !== 'paid' || paidAt === null) return false;
  return paidAt >= period.end || (endedAt !== null && paidAt > endedAt);
};

const latest = (invoices: InvoiceSnapshot[]): InvoiceSnapshot | null =>
  invoices.reduce<InvoiceSnapshot | null>(
    (best, invoice) => (best === null || invoice.period.end > best.period.end ? invoice : best),
    null,
  );

/** The newest payment for a subscription, without late ones, which were for a past period. */
const newestSold = (snapshot: CustomerSnapshot, subscriptionId: string | null): InvoiceSnapshot | null =>
  latest(
    snapshot.invoices.filter(
      (invoice) => isSold(invoice) && !isLate(invoice, snapshot) && invoice.subscriptionId === subscriptionId,
    ),
  );

/**
 * Whether Stripe will collect another payment for a subscription. With an end date it renews until then, judged by what is paid, because Stripe
 * begins a period before its invoice is collected.
 */
export const renewsAgain = (
  snapshot: CustomerSnapshot,
  { id, renews, endsAt, startedAt }: SubscriptionSnapshot,
): boolean => renews && (endsAt === null || endsAt > (newestSold(snapshot, id)?.period.end ?? startedAt));

/** Whether a dispute of any payment for the subscription was lost. */
const hasLostDispute = (snapshot: CustomerSnapshot, subscriptionId: string): boolean =>
  snapshot.invoices.some((invoice) => invoice.subscriptionId === subscriptionId && isLost(invoice, snapshot));

/**
 * Why a subscription must not be charged again: its newest payment was returned, or (by default) a dispute of an older payment was lost.
 * Otherwise null.
 */
const returnReason = (
  snapshot: CustomerSnapshot,
  subscriptionId: string,
  { olderDisputes }: Pick<Policies, 'olderDisputes'>,
): ReturnReason | null => {
  if (olderDisputes === 'end' && hasLostDispute(snapshot, subscriptionId)) return 'dispute';
  const newest = newestSold(snapshot, subscriptionId);
  if (newest === null || !isReturned(newest, snapshot)) return null;
  return isLost(newest, snapshot) ? 'dispute' : 'refund';
};

/** Whether we canceled a subscription because a payment was refunded: what else was paid for it keeps its whole period. */
const keepsPeriods = (
  { id, isCanceledForReturn }: SubscriptionSnapshot,
  snapshot: CustomerSnapshot,
): boolean => isCanceledForReturn && !hasLostDispute(snapshot, id);

/**
 * The end of a paid period: that of the subscription if it ends earlier, but at most now once it has ended, because Stripe's clock may be ahead
 * of ours.
 */
const endOf = (
  { period }: InvoiceSnapshot,
  { status, endedAt, endsAt }: SubscriptionSnapshot,
  now: Date,
): Date => {
  const end = isOngoing(status) ? endsAt : endedAt && new Date(Math.min(endedAt.getTime(), now.getTime()));
  return end !== null && end < period.end ? end : period.end;
};

/** The bank confirms or returns a debit within this time; SEPA allows it 14 business days. */
export const DEBIT_DAYS = 21;

/** How long the plan continues after its period while Stripe collects the renewal: the grace, or as long as the bank processes a debit. */
const graceAfter = (end: Date, { invoices }: CustomerSnapshot, subscriptionId: string): string => {
  const isDebited = invoices.some((one) => one.subscriptionId === subscriptionId && one.isProcessing);
  return new Date(end.getTime() + days(isDebited ? DEBIT_DAYS : GRACE_DAYS)).toISOString();
};

/** What limits or moves the paid periods of a user: the user's grant, and when everything paid was last ended. */
export type PlanLimits = { granted: Coverage | null; revokedAt: Date | null };

export type Reading = PlanLimits & { now: Date; policies: Policies };

/** Only a payment for more than one month says for how many, so that others stay as they were stored. */
const monthsOf = ({ period }: InvoiceSnapshot): Pick<Coverage, 'months'> => {
  const months = monthsIn(period);
  return months > 1 ? { months } : {};
};

/** What refunds take back of the credits of the month that the newest of them was made in; those of earlier months have ended. */
const withdrawnOf = (
  { refunds, amount }: InvoiceSnapshot,
  coverage: Coverage,
): Pick<Coverage, 'withdrawn'> => {
  const taking = refunds
    .filter(({ takesCredits }) => takesCredits)
    .map((refund) => ({ amount: refund.amount, month: monthIndexAt(coverage, refund.createdAt) }));
  const month = Math.max(0, ...taking.map((refund) => refund.month));
  const refunded = taking.reduce((sum, refund) => sum + (refund.month === month ? refund.amount : 0), 0);
  const credits = refunded === 0 ? 0 : Math.floor((PREMIUM_CREDITS * refunded) / amount);
  return credits === 0 ? {} : { withdrawn: { month, credits } };
};

/** A late payment pays from its day on, or from the end of a grant that is in force on that day. */
const lateCoverage = (invoice: InvoiceSnapshot, { granted, now }: Reading): Coverage => {
  const { id, paidAt } = invoice;
  const paid = paidAt ?? now;
  const isGranted = granted !== null && new Date(granted.start) <= paid && new Date(granted.end) > paid;
  const start = isGranted ? new Date(granted.end) : paid;
  const end = monthsAfter(start, monthsIn(invoice.period));
  return {
    key: id,
    start: start.toISOString(),
    end: end.toISOString(),
    graceUntil: null,
    ...monthsOf(invoice),
  };
};

const timelyCoverage = (snapshot: CustomerSnapshot, invoice: InvoiceSnapshot, reading: Reading): Coverage => {
  const subscription = subscriptionOf(invoice, snapshot);
  const { status, sellsPlan, id } = subscription;
  const end = keepsPeriods(subscription, snapshot)
    ? invoice.period.end
    : endOf(invoice, subscription, reading.now);
  const isReturning = returnReason(snapshot, id, reading.policies) !== null;
  const isCollected =
    isCollecting(status) && sellsPlan && renewsAgain(snapshot, subscription) && !isReturning;
  return {
    key: invoice.id,
    start: invoice.period.start.toISOString(),
    end: end.toISOString(),
    graceUntil: isCollected ? graceAfter(end, snapshot, id) : null,
    ...monthsOf(invoice),
  };
};

/** The period that an invoice pays for. If everything paid was ended at once, earlier payments last until then. */
const coverageOf = (snapshot: CustomerSnapshot, invoice: InvoiceSnapshot, reading: Reading): Coverage => {
  const { revokedAt } = reading;
  const period = isLate(invoice, snapshot)
    ? lateCoverage(invoice, reading)
    : timelyCoverage(snapshot, invoice, reading);
  const coverage = { ...period, ...withdrawnOf(invoice, period) };
  const isRevoked = revokedAt !== null && (invoice.paidAt === null || invoice.paidAt <= revokedAt);
  if (!isRevoked || new Date(coverage.end) <= revokedAt) return coverage;
  return { ...coverage, end: revokedAt.toISOString(), graceUntil: null };
};

/** The paid period that lasts longest, or null. */
export const paidCoverage = (snapshot: CustomerSnapshot, reading: Reading): Coverage | null =>
  snapshot.invoices
    .filter((invoice) => countsForPlan(invoice, snapshot))
    .reduce<Coverage | null>((best, invoice) => laterOf(best, coverageOf(snapshot, invoice, reading)), null);

/** When the trial of a subscription ends; null unless nothing but it was paid so far. */
export const trialEndOf = (
  snapshot: CustomerSnapshot,
  { id, status, trial }: SubscriptionSnapshot,
): Date | null =>
  trial !== null && isOngoing(status) && newestSold(snapshot, id)?.isTrial === true ? trial.endsAt : null;

/** The ongoing subscription, preferably one that sells the plan, or otherwise the newest. */
export const currentSubscription = ({ subscriptions }: CustomerSnapshot): SubscriptionSnapshot | null => {
  const ongoing = subscriptions.filter(({ status }) => isOngoing(status));
  return ongoing.find(({ sellsPlan }) => sellsPlan) ?? ongoing[0] ?? subscriptions[0] ?? null;
};

/**
 * The customer's other subscriptions, newest first: those that never sold the plan or were moved to another price, and a second one of the plan.
 */
export const otherSubscriptions = (snapshot: CustomerSnapshot): SubscriptionSnapshot[] => {
  const current = currentSubscription(snapshot);
  return [...snapshot.subscriptions, ...snapshot.foreign].filter(
    (one) => isOngoing(one.status) && (one.id !== current?.id || !one.sellsPlan),
  );
};

/** Final states: Stripe collects nothing more. */
const FINAL = new Set(['canceled', 'incomplete_expired']);

/** Whether Stripe collects nothing more for a subscription; true without one. */
export const isFinal = (status: string | null): boolean => status === null || FINAL.has(status);

const UNPAID = new Set(['past_due', 'unpaid', 'incomplete']);

/** Whether the current period of a subscription is not paid. */
export const awaitsPayment = (status: string): boolean => UNPAID.has(status);

/** The subscriptions for which Stripe may still collect money. */
export const liveSubscriptions = ({ subscriptions }: CustomerSnapshot): string[] =>
  subscriptions.filter(({ status }) => !isFinal(status)).map(({ id }) => id);

/**
 * The snapshot with subscriptions as Stripe returned them after a change of their renewal or their end. Such a response has no more than the first
 * items, no card of the customer and no more than the ids of a schedule and of discounts, so these stay as they were, which such a change does not affect. Null if it may have affected more:
 * an open invoice.
 */
export const withChanged = (
  snapshot: CustomerSnapshot,
  changed: SubscriptionSnapshot[],
): CustomerSnapshot | null => {
  const byId = new Map(changed.map((one) => [one.id, one]));
  const isOpen = ({ status, subscriptionId }: InvoiceSnapshot): boolean =>
    status === 'open' && byId.has(subscriptionId ?? '');
  if (snapshot.invoices.some(isOpen)) return null;
  const subscriptions = snapshot.subscriptions.map((before) => {
    const { sellsPlan, interval, price, discount, card, trial } = before;
    const after = { ...before, ...byId.get(before.id) };
    const nextInterval = after.scheduleId === null ? null : before.nextInterval;
    return { ...after, sellsPlan, interval, nextInterval, price, discount, card, trial };
  });
  return { ...snapshot, subscriptions };
};

const livePlans = (snapshot: CustomerSnapshot): string[] => {
  const { subscriptions } = snapshot;
  return liveSubscriptions({ ...snapshot, subscriptions: subscriptions.filter((one) => one.sellsPlan) });
};

/** Live subscriptions of the plan that must not be charged for the next period, and why. */
export const returnedSubscriptions = (
  snapshot: CustomerSnapshot,
  policies: Policies,
): { id: string; reason: ReturnReason }[] =>
  livePlans(snapshot).flatMap((id) => {
    const reason = returnReason(snapshot, id, policies);
    return reason === null ? [] : [{ id, reason }];
  });

/** Invoices that could still be paid on their page. Stripe refuses to void one whose payment is being processed. */
export const isPayable = ({ status, isProcessing }: InvoiceSnapshot): boolean =>
  (status === 'open' || status === 'uncollectible') && !isProcessing;

/** The open invoices of ended subscriptions: paying one would buy a past period. */
export const invoicesToVoid = (
  snapshot: CustomerSnapshot,
  { unpaidInvoices }: Pick<Policies, 'unpaidInvoices'>,
): InvoiceSnapshot[] =>
  unpaidInvoices === 'keep'
    ? []
    : snapshot.invoices.filter(
        (invoice) =>
          invoice.status === 'open' &&
          isPayable(invoice) &&
          isFinal(subscriptionOf(invoice, snapshot).status),
      );

/** Whether an earlier payment covers the time of this one, or its subscription is still collected. */
const isCoveredElsewhere = (
  snapshot: CustomerSnapshot,
  { id, paidAt, subscriptionId }: InvoiceSnapshot,
  reading: Reading,
): boolean => {
  const paid = paidAt ?? reading.now;
  const isOngoingStill = snapshot.subscriptions.some(
    (one) => one.id === subscriptionId && one.sellsPlan && isOngoing(one.status),
  );
  const others = snapshot.invoices.filter(
    (other) =>
      other.id !== id && countsForPlan(other, snapshot) && other.paidAt !== null && other.paidAt <= paid,
  );
  return isOngoingStill || others.some((other) => new Date(coverageOf(snapshot, other, reading).end) > paid);
};

/**
 * The late payments to refund: all of them by policy, or by default those that would buy nothing because the payer has a paid period at the
 * time. A payment that was disputed or whose refund failed is left to an operator.
 */
export const unwantedPayments = (snapshot: CustomerSnapshot, reading: Reading): InvoiceSnapshot[] =>
  snapshot.invoices.filter(
    (invoice) =>
      isLate(invoice, snapshot) &&
      refundedAmount(invoice) < invoice.amount &&
      invoice.failedRefunds.length === 0 &&
      !snapshot.disputes.some(({ invoiceId }) => invoiceId === invoice.id) &&
      (reading.policies.latePayments === 'refund' || isCoveredElsewhere(snapshot, invoice, reading)),
  );

/** The unwanted payments that are refunded automatically. A payment that was also for something else is left to an operator. */
export const paymentsToRefund = (snapshot: CustomerSnapshot, reading: Reading): InvoiceSnapshot[] =>
  unwantedPayments(snapshot, reading).filter(({ sellsMore }) => !sellsMore);

/** The reason for an end before its time: a lost dispute or a refund of the paid period, or otherwise a cancellation. */
export const earlyEndReason = (snapshot: CustomerSnapshot, paid: Coverage | null): PlanEndReason => {
  const invoice = snapshot.invoices.find(({ id }) => id === paid?.key);
  if (invoice && hasLostDispute(snapshot, invoice.subscriptionId ?? '')) return 'dispute';
  return invoice && isRefunded(invoice) ? 'refund' : 'canceled';
};
