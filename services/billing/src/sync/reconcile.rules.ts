// Which listed subscription shows that the stored state is wrong: another state of the subscription that is stored, another paid
// period, or an ongoing subscription that is not stored. A subscription that ended and was replaced is no difference.
import type { ListedSubscription } from '../stripe/lists.ts';
import type { SubscriberRow } from '../subscriptions/subscriber.entity.ts';
import { isOngoing } from '../subscriptions/subscription.rules.ts';

const paidUntil = ({ paid }: SubscriberRow): number => (paid === null ? 0 : Date.parse(paid.end));

/**
 * An active subscription is paid, so the stored period must end exactly with Stripe's, unless a bank debit is still being
 * confirmed, which takes days; its end is an event.
 */
const hasOtherPeriod = ({ status, periodEnd }: ListedSubscription, row: SubscriberRow): boolean =>
  status === 'active' && row.problem?.kind !== 'processing' && paidUntil(row) !== periodEnd.getTime();

const hasSamePrice = ({ price }: ListedSubscription, row: SubscriberRow): boolean =>
  (price?.amount ?? null) === row.priceAmount && (price?.currency ?? null) === row.priceCurrency;

const isSame = (subscription: ListedSubscription, row: SubscriberRow): boolean =>
  subscription.status === row.subscriptionStatus &&
  subscription.renews === row.renews &&
  hasSamePrice(subscription, row);

/** `isPaid`: whether the paid period alone, without a grant, makes this user premium now. */
export const differsFrom = (
  subscription: ListedSubscription,
  row: SubscriberRow,
  isPaid: boolean,
): boolean => {
  const ongoing = isOngoing(subscription.status);
  if (row.deletedAt !== null || subscription.id !== row.subscriptionId) return ongoing;
  if (!isSame(subscription, row)) return true;
  return hasOtherPeriod(subscription, row) || (!ongoing && isPaid);
};

const PARTS = [
  ['subscription', ({ subscriptionId }: SubscriberRow) => subscriptionId],
  ['status', ({ subscriptionStatus }: SubscriberRow) => subscriptionStatus],
  ['renews', ({ renews }: SubscriberRow) => String(renews)],
  ['price', ({ priceAmount }: SubscriberRow) => priceAmount?.toString() ?? null],
  ['invoice', ({ paid }: SubscriberRow) => paid?.key ?? null],
  ['paid until', ({ paid }: SubscriberRow) => paid?.end ?? null],
  ['version', ({ version }: SubscriberRow) => String(version)],
] as const;

/** Describes what a repair changed, for the log; empty when nothing changed. */
export const changesOf = (before: SubscriberRow, after: SubscriberRow): string =>
  PARTS.map(([name, read]) => ({ name, from: read(before), to: read(after) }))
    .filter(({ from, to }) => from !== to)
    .map(({ name, from, to }) => `${name} ${from ?? 'none'} to ${to ?? 'none'}`)
    .join(', ');
