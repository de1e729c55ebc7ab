// What the records of one user say about revenue, as movements: changes of monthly recurring revenue (MRR), money that came or went, and
// renewals that failed at first.
//
// A subscription has MRR from its first payment on, and what it is worth is what its newest invoice sold for one month, without tax and after
// discounts. While its renewal is collected, it counts through the grace; then it has ended, although a later payment may revive it. One that
// ended at Stripe has ended then, and one that nobody collects any more ends with its period. A late payment buys a past period, so it is money
// without MRR. The first MRR of a user is new; MRR after a time without is reactivated.
import { days } from '@shortlist/contracts/durations';
import type { RevenueKind } from '@shortlist/contracts/api/revenue';
import { GRACE_DAYS } from '@shortlist/contracts/limits';
import { paidTax } from '../records/tax.rules.ts';
import type { InvoiceRow } from '../records/invoice-queries.ts';
import type { SubscriptionRow } from '../records/subscription-queries.ts';
import { inOneMonth } from '../stripe/monthly-amount.rules.ts';
import { DEBIT_DAYS } from '../subscriptions/subscription.rules.ts';

/** `amount` in minor units and `count` of payments, refunds or subscribers; both are negative in a correction. */
export type Movement = {
  kind: RevenueKind;
  currency: string;
  amount: number;
  count: number;
  movedAt: Date;
  /** Stripe's object that moved the money; empty for MRR. */
  source: string;
  invoiceId: string | null;
};

export type InvoiceRecord = Pick<
  InvoiceRow,
  | 'invoiceId'
  | 'subscriptionId'
  | 'billingReason'
  | 'credits'
  | 'status'
  | 'amount'
  | 'currency'
  | 'tax'
  | 'total'
  | 'monthlyAmount'
  | 'fee'
  | 'settlementCurrency'
  | 'isProcessing'
  | 'periodStart'
  | 'periodEnd'
  | 'paidAt'
  | 'bookedAt'
  | 'failedAt'
>;
export type RefundRecord = {
  refundId: string;
  invoiceId: string;
  currency: string;
  amount: number;
  tax: number;
  createdAt: Date;
  failedAt: Date | null;
};
export type DisputeRecord = {
  transactionId: string;
  invoiceId: string;
  currency: string;
  amount: number;
  fee: number;
  createdAt: Date;
};
export type SubscriptionRecord = Pick<
  SubscriptionRow,
  'subscriptionId' | 'status' | 'canceledAt' | 'endedAt'
>;
/** All of one user. */
export type RevenueRecords = {
  invoices: InvoiceRecord[];
  refunds: RefundRecord[];
  disputes: DisputeRecord[];
  subscriptions: SubscriptionRecord[];
};

/** What a subscription is worth in a month, from `from` until `end` or until its next payment. */
type Interval = { from: Date; end: Date; amount: number; currency: string };

const OF_A_PERIOD = new Set<string | null>(['subscription_create', 'subscription_cycle']);

/** Null for an invoice without a period of the plan. One stored before its lines were is judged by its totals. */
const monthlyAmount = (invoice: InvoiceRecord): number | null => {
  const { monthlyAmount: stored, billingReason, total, tax, periodStart: start, periodEnd: end } = invoice;
  if (stored !== null || !OF_A_PERIOD.has(billingReason) || start === null || end === null) return stored;
  return inOneMonth(total - tax, { start, end });
};

const COLLECTED = new Set(['active', 'past_due', 'trialing']);

const later = (date: Date, count: number): Date => new Date(date.getTime() + days(count));
const earlier = (one: Date, other: Date | null): Date => (other !== null && other < one ? other : one);

const intervalsOf = (subscription: SubscriptionRecord | undefined, invoices: InvoiceRecord[]): Interval[] => {
  const { endedAt = null, canceledAt = null, status = 'canceled' } = subscription ?? {};
  const isCollected = endedAt === null && canceledAt === null && COLLECTED.has(status);
  const isDebited = invoices.some(({ isProcessing }) => isProcessing);
  const paid = invoices.flatMap((invoice) => {
    const { paidAt, periodEnd, currency } = invoice;
    const amount = monthlyAmount(invoice);
    if (invoice.status !== 'paid' || paidAt === null || periodEnd === null || amount === null) return [];
    const isLate = paidAt >= periodEnd || (endedAt !== null && paidAt > endedAt);
    return isLate ? [] : [{ from: paidAt, periodEnd, amount, currency }];
  });
  const inOrder = paid.toSorted((one, other) => one.from.getTime() - other.from.getTime());
  return inOrder.map(({ periodEnd, ...interval }, index) => {
    const next = inOrder[index + 1];
    const graceDays = isDebited && next === undefined ? DEBIT_DAYS : GRACE_DAYS;
    const hasGrace = next !== undefined || isCollected || endedAt !== null;
    const end = hasGrace ? later(periodEnd, graceDays) : periodEnd;
    return { ...interval, end: earlier(earlier(end, next?.from ?? null), endedAt) };
  });
};

const bySubscription = ({ invoices, subscriptions }: RevenueRecords): Interval[] => {
  const groups = Map.groupBy(
    invoices.filter(({ credits }) => credits === null),
    ({ subscriptionId }) => subscriptionId ?? '',
  );
  return [...groups].flatMap(([id, group]) =>
    intervalsOf(
      subscriptions.find(({ subscriptionId }) => subscriptionId === id),
      group,
    ),
  );
};

const kindOf = (before: number, after: number, hadBefore: boolean): RevenueKind => {
  if (after === 0) return 'churned';
  if (before === 0) return hadBefore ? 'reactivated' : 'new';
  return after > before ? 'expansion' : 'contraction';
};

const mrrMovements = (records: RevenueRecords, now: Date): Movement[] => {
  const intervals = bySubscription(records).filter(({ amount, from, end }) => amount > 0 && from < end);
  const times = new Set(intervals.flatMap(({ from, end }) => [from.getTime(), end.getTime()]));
  const currencies = [...new Set(intervals.map(({ currency }) => currency))].toSorted();
  const movements: Movement[] = [];
  const current = new Map<string, number>();
  for (const at of [...times].filter((time) => time <= now.getTime()).toSorted((one, two) => one - two)) {
    const hadBefore = movements.length > 0;
    for (const currency of currencies) {
      const before = current.get(currency) ?? 0;
      const after = intervals
        .filter((one) => one.currency === currency && one.from.getTime() <= at && one.end.getTime() > at)
        .reduce((sum, { amount }) => sum + amount, 0);
      if (after === before) continue;
      current.set(currency, after);
      const kind = kindOf(before, after, hadBefore);
      const change = { amount: after - before, count: 1, movedAt: new Date(at) };
      movements.push({ kind, currency, ...change, source: '', invoiceId: null });
    }
  }
  return movements;
};

const ofPayment = (invoice: InvoiceRecord): Movement[] => {
  const { invoiceId, credits, status, amount, currency, fee, settlementCurrency, bookedAt } = invoice;
  if (status !== 'paid' || bookedAt === null || amount === 0) return [];
  const tax = paidTax(invoice);
  const common = { movedAt: bookedAt, source: invoiceId, invoiceId, count: 1 };
  return [
    { kind: credits === null ? 'payment' : 'pack', currency, amount: amount - tax, ...common },
    { kind: 'tax', currency, amount: tax, ...common },
    { kind: 'fee', currency: settlementCurrency ?? currency, amount: -(fee ?? 0), ...common },
  ];
};

/** A refund that the bank returns is taken back on the day of its return, so that the day of the refund keeps its sum. */
const ofRefund = (refund: RefundRecord): Movement[] => {
  const { refundId: source, invoiceId, currency, amount, tax, createdAt, failedAt } = refund;
  const moved = (movedAt: Date, sign: 1 | -1): Movement[] => [
    { kind: 'refund', currency, amount: sign * (tax - amount), count: sign, movedAt, source, invoiceId },
    { kind: 'tax', currency, amount: sign * -tax, count: sign, movedAt, source, invoiceId },
  ];
  return [...moved(createdAt, 1), ...(failedAt === null ? [] : moved(failedAt, -1))];
};

const ofDispute = ({ transactionId, invoiceId, ...moved }: DisputeRecord): Movement[] => {
  const { currency, amount, fee, createdAt: movedAt } = moved;
  const common = { currency, count: 1, movedAt, source: transactionId, invoiceId };
  return [
    { kind: 'dispute', amount: -amount, ...common },
    { kind: 'fee', amount: -fee, ...common },
  ];
};

const ofRenewal = (invoice: InvoiceRecord): Movement[] => {
  const { invoiceId, billingReason, status, amount, currency, failedAt, paidAt } = invoice;
  if (billingReason !== 'subscription_cycle' || failedAt === null) return [];
  const common = { currency, amount, count: 1, source: invoiceId, invoiceId };
  const isRecovered = status === 'paid' && paidAt !== null && paidAt > failedAt;
  return [
    { kind: 'failed_renewal', movedAt: failedAt, ...common },
    ...(isRecovered ? [{ kind: 'recovered_renewal', movedAt: paidAt, ...common } as const] : []),
  ];
};

/** Everything that has moved by `now`, in no order. */
export const movementsOf = (records: RevenueRecords, now: Date): Movement[] =>
  [
    ...mrrMovements(records, now),
    ...records.invoices.flatMap(ofPayment),
    ...records.refunds.flatMap(ofRefund),
    ...records.disputes.flatMap(ofDispute),
    ...records.invoices.flatMap(ofRenewal),
  ].filter(({ amount }) => amount !== 0);

const keyOf = ({ kind, currency, movedAt, source }: Movement): string =>
  [kind, currency, movedAt.getTime(), source].join(' ');

/** One movement for each key, with the sums; those that come to nothing are left out. */
export const addUp = (movements: readonly Movement[]): Movement[] => {
  const sums = new Map<string, Movement>();
  for (const movement of movements) {
    const { amount, count } = sums.get(keyOf(movement)) ?? { amount: 0, count: 0 };
    const sum = { amount: amount + movement.amount, count: count + movement.count };
    sums.set(keyOf(movement), { ...movement, ...sum });
  }
  return [...sums.values()].filter(({ amount, count }) => amount !== 0 || count !== 0);
};

const negated = (movement: Movement): Movement => ({
  ...movement,
  amount: -movement.amount,
  count: -movement.count,
});

/** What has to be added to the stored movements, so that they come to the derived ones. A stored movement is never changed, only corrected. */
export const missingMovements = (derived: Movement[], stored: Movement[]): Movement[] =>
  addUp([...derived, ...stored.map(negated)]);

/** How many of those who first paid in the month `cohort` began or ended in `month` (YYYY-MM, UTC), in one currency. */
export type CohortChange = {
  currency: string;
  cohort: string;
  month: string;
  people: number;
  active: number;
};

/** The month in UTC, as YYYY-MM. */
export const monthOf = (date: Date): string => date.toISOString().slice(0, 7);

const ACTIVE: Partial<Record<RevenueKind, 1 | -1>> = { new: 1, reactivated: 1, churned: -1 };

/** The changes of all cohorts by the movements of one user. */
const cohortChanges = (movements: Movement[]): CohortChange[] => {
  const first = movements.find(({ kind, count }) => kind === 'new' && count > 0);
  if (first === undefined) return [];
  const cohort = monthOf(first.movedAt);
  return movements.flatMap(({ kind, currency, count, movedAt }) => {
    const sign = ACTIVE[kind];
    if (sign === undefined) return [];
    const people = kind === 'new' ? count : 0;
    return [{ currency, cohort, month: monthOf(movedAt), people, active: sign * count }];
  });
};

/** What has to be added to the cohorts, when the stored movements of a user become the derived ones. */
export const missingCohortChanges = (derived: Movement[], stored: Movement[]): CohortChange[] => {
  const sums = new Map<string, CohortChange>();
  const add = ({ people, active, ...key }: CohortChange, sign: 1 | -1): void => {
    const name = Object.values(key).join(' ');
    const sum = sums.get(name) ?? { people: 0, active: 0 };
    sums.set(name, { ...key, people: sum.people + sign * people, active: sum.active + sign * active });
  };
  for (const change of cohortChanges(derived)) add(change, 1);
  for (const change of cohortChanges(stored)) add(change, -1);
  return [...sums.values()].filter(({ people, active }) => people !== 0 || active !== 0);
};
