// Which listed subscription shows that the stored state is wrong: a different state of the stored subscription, a different paid period, or a
// change among other ongoing subscriptions. A subscription that ended and was replaced is not a difference.
import type { DisputeRow } from '../records/dispute-queries.ts';
import type { InvoiceRow } from '../records/invoice-queries.ts';
import type { PayoutRow } from '../records/payout-queries.ts';
import type { RefundRow } from '../records/refund-queries.ts';
import type {
  ListedCharge,
  ListedDispute,
  ListedInvoice,
  ListedRefund,
  ListedSubscription,
} from '../stripe/lists.ts';
import type { PayoutSnapshot } from '../stripe/snapshot.ts';
import type { SubscriberRow } from '../subscriptions/queries.ts';
import { isOngoing } from '../subscriptions/subscription.rules.ts';

const paidUntil = ({ paid }: SubscriberRow): number => (paid === null ? 0 : Date.parse(paid.end));

/**
 * An active subscription is paid, so the stored period must end exactly with Stripe's, unless a bank debit is still being
 * confirmed, which takes days; its end is an event.
 */
const hasOtherPeriod = ({ status, periodEnd }: ListedSubscription, row: SubscriberRow): boolean =>
  status === 'active' &&
  periodEnd !== null &&
  row.problem?.kind !== 'processing' &&
  paidUntil(row) !== periodEnd.getTime();

/** A row from before there were years has no interval. */
const hasSamePrice = ({ price, interval }: ListedSubscription, row: SubscriberRow): boolean =>
  (price?.amount ?? null) === row.priceAmount &&
  (price?.currency ?? null) === row.priceCurrency &&
  (interval === row.priceInterval || (interval === 'month' && row.priceInterval === null));

/** A problem from before problems had a time, whose event lacked it. */
const isProblemUnannounced = ({ problem }: SubscriberRow): boolean => problem !== null && !problem.since;

const hasOther = ({ problem }: SubscriberRow): boolean => problem?.kind === 'other_subscription';

/** A subscription with an end date renews while that is after the paid period. */
const hasSameEnd = ({ renews, endsAt }: ListedSubscription, row: SubscriberRow): boolean => {
  const goesOn = renews && (endsAt === null || endsAt.getTime() > paidUntil(row));
  const until = goesOn ? endsAt : null;
  return goesOn === row.renews && until?.getTime() === row.renewsUntil?.getTime();
};

const hasSameNext = ({ renews, nextInterval }: ListedSubscription, row: SubscriberRow): boolean =>
  (renews ? nextInterval : null) === row.nextInterval;

const DISCOUNT_PARTS = ['name', 'percentOff', 'amountOff', 'currency', 'endsAt'] as const;

const hasSameDiscount = ({ discount }: ListedSubscription, row: SubscriberRow): boolean =>
  DISCOUNT_PARTS.every((part) => discount?.[part] === row.discount?.[part]);

const isSame = (subscription: ListedSubscription, row: SubscriberRow): boolean =>
  subscription.status === row.subscriptionStatus &&
  hasSameEnd(subscription, row) &&
  hasSamePrice(subscription, row) &&
  (!isOngoing(subscription.status) || (hasSameNext(subscription, row) && hasSameDiscount(subscription, row)));

/** `isPaid`: whether the paid period alone, without a grant, makes this user premium now. */
export const differsFrom = (
  subscription: ListedSubscription,
  row: SubscriberRow,
  isPaid: boolean,
): boolean => {
  const ongoing = isOngoing(subscription.status);
  if (row.deletedAt !== null || subscription.id !== row.subscriptionId) return ongoing || hasOther(row);
  if (!isSame(subscription, row) || isProblemUnannounced(row)) return true;
  return hasOtherPeriod(subscription, row) || (!ongoing && isPaid);
};

const PARTS = [
  ['subscription', ({ subscriptionId }: SubscriberRow) => subscriptionId],
  ['status', ({ subscriptionStatus }: SubscriberRow) => subscriptionStatus],
  ['renews', ({ renews }: SubscriberRow) => String(renews)],
  ['price', ({ priceAmount }: SubscriberRow) => priceAmount?.toString() ?? null],
  ['interval', ({ priceInterval }: SubscriberRow) => priceInterval],
  ['next interval', ({ nextInterval }: SubscriberRow) => nextInterval],
  ['discount', ({ discount }: SubscriberRow) => discount && JSON.stringify(discount)],
  ['invoice', ({ paid }: SubscriberRow) => paid?.key ?? null],
  ['paid until', ({ paid }: SubscriberRow) => paid?.end ?? null],
  ['version', ({ version }: SubscriberRow) => String(version)],
] as const;

/** Describes a repair for the log; empty if nothing changed. */
export const changesOf = (before: SubscriberRow, after: SubscriberRow): string =>
  PARTS.map(([name, read]) => ({ name, from: read(before), to: read(after) }))
    .filter(({ from, to }) => from !== to)
    .map(({ name, from, to }) => `${name} ${from ?? 'none'} to ${to ?? 'none'}`)
    .join(', ');

// Which listed invoice, dispute or payout shows that a stored record is missing or wrong.

type Value = string | number | boolean | Date | null;

const plain = (value: Value | undefined) => (value instanceof Date ? value.getTime() : value);

/** Whether a row has the listed value in each of its columns, except ignored ones. */
const isSameRecord = <Row extends Record<keyof Row, Value>>(
  listed: Partial<Row>,
  row: Row,
  ...ignored: (keyof Row)[]
): boolean =>
  (Object.keys(row) as (keyof Row)[]).every(
    (field) => !(field in listed) || ignored.includes(field) || plain(listed[field]) === plain(row[field]),
  );

/**
 * Stripe may return a different link to the page of the same invoice each time, and lists do not show whether a payment is in progress. An
 * invoice from before monthly amounts were stored gets its own with its customer's next refresh.
 */
export const isInvoiceStored = (listed: ListedInvoice, row: InvoiceRow | undefined): boolean =>
  row !== undefined &&
  isSameRecord(listed, row, 'hostedUrl', 'isProcessing', 'monthlyAmount') &&
  plain(listed.period.start) === plain(row.periodStart) &&
  plain(listed.period.end) === plain(row.periodEnd);

/** `transactionIds`: those stored for this dispute. */
export const isDisputeStored = (
  listed: ListedDispute,
  row: DisputeRow | undefined,
  transactionIds: ReadonlySet<string>,
): boolean =>
  row !== undefined &&
  isSameRecord(listed, row) &&
  listed.transactions.every(({ id }) => transactionIds.has(id));

/** The column of an exchange rate has ten decimals. */
const isSameRate = (listed: number | null, stored: number | null): boolean =>
  listed === null || stored === null ? listed === stored : Math.abs(listed - stored) < 1e-9;

/** `row`: the invoice that the charge paid. */
export const isChargeStored = (listed: ListedCharge, row: InvoiceRow): boolean =>
  isSameRecord(listed, row, 'exchangeRate') && isSameRate(listed.exchangeRate, row.exchangeRate);

/** A refund that moved no money has no row; the time of a failure may not be known yet. */
export const isRefundStored = (listed: ListedRefund, row: RefundRow | undefined): boolean => {
  if (!listed.hasMoved || row === undefined) return !listed.hasMoved && row === undefined;
  const { failedAt, ...rest } = listed;
  const hasSameEnd = listed.isReturned === (row.failedAt !== null);
  return hasSameEnd && isSameRecord(failedAt === null ? rest : listed, row);
};

export const isPayoutStored = (listed: PayoutSnapshot, row: PayoutRow | undefined): boolean =>
  row !== undefined && isSameRecord(listed, row);
