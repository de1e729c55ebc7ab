// What Stripe's state means for a plan. A paid invoice for one of our prices pays for its own period; one invoice makes one period,
// whichever events reported it. An invoice that a discount or the customer's balance paid in full counts too: it was sold at our
// price and earned nothing. While a subscription renews, the plan outlives the period by the grace days in which Stripe collects
// the renewal; after the subscription has ended, or will not renew, the plan ends with the period. An invoice that was returned,
// by a full refund or a lost dispute, pays for nothing, and a subscription whose newest payment was returned gets no grace and is
// to be canceled. A partial refund changes nothing. A refund may fail at the bank later: then its invoice counts again, for the
// whole period, although its subscription was canceled for it.
import type { PlanOutlook } from '@shortlist/contracts/api/public';
import { days } from '@shortlist/contracts/durations';
import type { PlanEndReason } from '@shortlist/contracts/events/billing';
import { GRACE_DAYS, PLAN_MONTHS } from '@shortlist/contracts/limits';
import { type Coverage, laterOf, planAt, type PlanState, premiumUntil } from '@shortlist/contracts/plan';
import { isLost, isRefunded, isReturned, isSold } from '../records/records.rules.ts';
import type { CustomerSnapshot, InvoiceSnapshot, SubscriptionSnapshot } from '../stripe/snapshot.ts';

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

/** The same day of the next month at the same time, or that month's last day when it is shorter. UTC. */
export const nextMonth = (from: Date): Date => {
  const next = new Date(from);
  next.setUTCMonth(next.getUTCMonth() + PLAN_MONTHS, 1);
  const lastDay = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate();
  next.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return next;
};

const GRANT_KEY = 'grant:';

/** A month of premium from `now`, granted by an admin. `id` makes the key unique, so that credits are added once per grant. */
export const grantCoverage = (id: string, now: Date): Coverage => ({
  key: `${GRANT_KEY}${id}`,
  start: now.toISOString(),
  end: nextMonth(now).toISOString(),
  graceUntil: null,
});

/** The grant with its end at `now`; an expired grant is returned unchanged. */
export const endGrant = (granted: Coverage | null, now: Date): Coverage | null =>
  granted === null || new Date(granted.end) <= now ? granted : { ...granted, end: now.toISOString() };

/** The reason of an end before its time: a lost dispute or a refund of the paid period, or else a cancellation. */
export const earlyEndReason = (snapshot: CustomerSnapshot, paid: Coverage | null): PlanEndReason => {
  const invoice = snapshot.invoices.find(({ id }) => id === paid?.key);
  if (invoice && isLost(invoice, snapshot)) return 'dispute';
  return invoice && isRefunded(invoice) ? 'refund' : 'canceled';
};

/** Why a plan ended: by time if its last moment has passed, else for the `early` reason. */
export const endReason = (before: PlanState, early: PlanEndReason, now: Date): PlanEndReason => {
  const until = premiumUntil(before);
  if (until === null || new Date(until) > now) return early;
  const last = laterOf(before.paid, before.granted);
  if (last?.key.startsWith(GRANT_KEY)) return 'grant_end';
  return last?.graceUntil ? 'grace_end' : 'period_end';
};

const COVERAGE_PARTS = ['key', 'start', 'end', 'graceUntil'] as const;

export const sameCoverage = (one: Coverage | null, other: Coverage | null): boolean =>
  COVERAGE_PARTS.every((part) => one?.[part] === other?.[part]);

// What becomes of a premium plan without a further action. A paid period that has a grace is renewed by Stripe at its end; once that
// end has passed, the plan lasts only while the renewal is being collected. Without a grace the period runs out. A grant runs out
// too, and it may outlast a paid period.

type Premium = Pick<PlanState, 'paid' | 'granted'>;

/** The end of premium if the paid period is not renewed. */
const unrenewedEnd = ({ paid, granted }: Premium): string =>
  laterOf(paid && { ...paid, graceUntil: null }, granted)?.end ?? '';

/** The outlook of the plan at `now`; null for a free plan. */
export const outlookOf = (state: PlanState, now: Date): PlanOutlook | null => {
  const { plan, coverage } = planAt(state, now);
  if (plan === 'free' || coverage === null) return null;
  if (coverage.key === state.granted?.key) return { continuation: 'granted', premiumUntil: coverage.end };
  if (new Date(coverage.end) <= now)
    return { continuation: 'collecting', premiumUntil: premiumUntil(state) ?? coverage.end };
  const continuation = coverage.graceUntil === null ? 'ends' : 'renews';
  return { continuation, premiumUntil: unrenewedEnd(state) };
};
