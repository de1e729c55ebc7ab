// What the provider's state means for a plan. A paid invoice for our price covers its own period, and one invoice makes one
// period, whatever events told of it; so does one that a discount or the customer's own balance covered in full, since it was sold
// at our price and what it brought in is nothing. While the subscription goes on, cover outlives the period by the grace days in which the
// renewal is collected; once it has ended, or will not renew, cover stops when it stopped. An invoice that was
// refunded in full covers nothing, and a subscription whose newest payment went back is not collected for any more: it gets no
// grace and is to be ended. A refund in part takes nothing away.
import { CURRENCY, GRACE_DAYS, PLAN_MONTHS } from '@shortlist/contracts/limits';
import { type Coverage, laterOf } from '@shortlist/contracts/plan';

export type ProviderSubscription = {
  id: string;
  status: string;
  renews: boolean;
  endedAt: Date | null;
};

export type ProviderRefund = { id: string; amount: number; createdAt: Date };

export type ProviderInvoice = {
  id: string;
  subscriptionId: string | null;
  status: 'open' | 'paid';
  amount: number;
  currency: string;
  paidAt: Date | null;
  attempts: number;
  nextAttemptAt: Date | null;
  period: { start: Date; end: Date };
  fee: number;
  refunds: ProviderRefund[];
};

/** Everything that the provider says of one customer, read at one time. Only what was bought at our price is in it. */
export type ProviderState = { subscriptions: ProviderSubscription[]; invoices: ProviderInvoice[] };

const ENDED = new Set(['canceled', 'unpaid', 'incomplete', 'incomplete_expired']);
const DAY_MS = 86_400_000;

export const isGoingOn = (status: string | null): boolean => status !== null && !ENDED.has(status);

export const refundedAmount = ({ refunds }: ProviderInvoice): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

/** Paid, if only by a discount, and in the currency in which we sell. */
export const isSold = ({ status, currency }: ProviderInvoice): boolean =>
  status === 'paid' && currency === CURRENCY;

/** What cost nothing cannot be given back. */
const isRefunded = (invoice: ProviderInvoice): boolean =>
  invoice.amount > 0 && refundedAmount(invoice) >= invoice.amount;

const isCovering = (invoice: ProviderInvoice): boolean => isSold(invoice) && !isRefunded(invoice);

const latest = (invoices: ProviderInvoice[]): ProviderInvoice | null =>
  invoices.reduce<ProviderInvoice | null>(
    (best, invoice) => (best === null || invoice.period.end > best.period.end ? invoice : best),
    null,
  );

const graceAfter = (end: Date): string => new Date(end.getTime() + GRACE_DAYS * DAY_MS).toISOString();

/** Whether the newest payment for a subscription was given back in full. */
const wasReleased = ({ invoices }: ProviderState, subscriptionId: string): boolean => {
  const newest = latest(invoices.filter((one) => isSold(one) && one.subscriptionId === subscriptionId));
  return newest !== null && isRefunded(newest);
};

/** A subscription that the provider no longer lists has ended with its period. */
const NOT_LISTED = { id: '', status: 'canceled', renews: false, endedAt: null };

/**
 * When a paid period stops to count: with the subscription that ended in it, by our clock when the provider's is ahead. What was
 * paid after the end was paid for the whole period.
 */
const endOf = (
  { period, paidAt }: ProviderInvoice,
  { status, endedAt }: ProviderSubscription,
  now: Date,
): Date => {
  if (isGoingOn(status) || endedAt === null || (paidAt !== null && paidAt > endedAt)) return period.end;
  return new Date(Math.min(period.end.getTime(), endedAt.getTime(), now.getTime()));
};

const coverageOf = (state: ProviderState, invoice: ProviderInvoice, now: Date): Coverage => {
  const subscription = state.subscriptions.find(({ id }) => id === invoice.subscriptionId) ?? NOT_LISTED;
  const { status, renews, id } = subscription;
  const end = endOf(invoice, subscription, now);
  const isCollected = isGoingOn(status) && renews && !wasReleased(state, id);
  return {
    key: invoice.id,
    start: invoice.period.start.toISOString(),
    end: end.toISOString(),
    graceUntil: isCollected ? graceAfter(end) : null,
  };
};

/** Of the paid periods that still count the one that lasts longest, or null. */
export const paidCoverage = (state: ProviderState, now: Date): Coverage | null =>
  state.invoices
    .filter(isCovering)
    .reduce<Coverage | null>((best, invoice) => laterOf(best, coverageOf(state, invoice, now)), null);

/** The subscription that is going on, or the latest that was. The provider lists newest first. */
export const currentSubscription = ({ subscriptions }: ProviderState): ProviderSubscription | null =>
  subscriptions.find(({ status }) => !ENDED.has(status)) ?? subscriptions[0] ?? null;

/** Over for good: the provider collects nothing more and it cannot come back. */
const OVER = new Set(['canceled', 'incomplete_expired']);

/** The subscriptions that could still take money. */
export const liveSubscriptions = ({ subscriptions }: ProviderState): string[] =>
  subscriptions.filter(({ status }) => !OVER.has(status)).map(({ id }) => id);

/** Those of them whose current period was given back in full: nobody is to be charged for the next. */
export const refundedSubscriptions = (state: ProviderState): string[] =>
  liveSubscriptions(state).filter((id) => wasReleased(state, id));

/** The same day of the next month at the same time, or that month's last day when it is shorter. UTC. */
export const nextMonth = (from: Date): Date => {
  const next = new Date(from);
  next.setUTCMonth(next.getUTCMonth() + PLAN_MONTHS, 1);
  const lastDay = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate();
  next.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return next;
};

/** A month of premium from `now`, given by an admin. `id` names the grant, so that its credits come once. */
export const grantCoverage = (id: string, now: Date): Coverage => ({
  key: `grant:${id}`,
  start: now.toISOString(),
  end: nextMonth(now).toISOString(),
  graceUntil: null,
});

/** The grant cut off at `now`; one that has run out already is left as it was. */
export const endGrant = (granted: Coverage | null, now: Date): Coverage | null =>
  granted === null || new Date(granted.end) <= now ? granted : { ...granted, end: now.toISOString() };

const COVERAGE_PARTS = ['key', 'start', 'end', 'graceUntil'] as const;

export const sameCoverage = (one: Coverage | null, other: Coverage | null): boolean =>
  COVERAGE_PARTS.every((part) => one?.[part] === other?.[part]);
