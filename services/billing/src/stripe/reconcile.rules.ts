// What shows in the provider's list that we hold something else: another state of the subscription we know, another paid period,
// or a subscription of which we do not know. What ended long ago and was replaced is no difference.
import type { SubscriberRow } from '../subscriptions/subscriber.entity.ts';
import { isGoingOn } from '../subscriptions/subscription.rules.ts';
import type { ListedSubscription } from './lists.ts';

const paidUntil = ({ paid }: SubscriberRow): number => (paid === null ? 0 : Date.parse(paid.end));

/** Active means paid, so that the period we hold must reach exactly as far as theirs. */
const hasOtherPeriod = ({ status, periodEnd }: ListedSubscription, row: SubscriberRow): boolean =>
  status === 'active' && paidUntil(row) !== periodEnd.getTime();

const isTheSame = ({ status, renews }: ListedSubscription, row: SubscriberRow): boolean =>
  status === row.subscriptionStatus && renews === row.renews;

/** `isPaid`: whether what was paid makes this person premium now, whatever was granted beside it. */
export const differsFrom = (
  subscription: ListedSubscription,
  row: SubscriberRow,
  isPaid: boolean,
): boolean => {
  const goesOn = isGoingOn(subscription.status);
  if (row.deletedAt !== null) return goesOn;
  if (subscription.id !== row.subscriptionId) return goesOn;
  if (!isTheSame(subscription, row)) return true;
  return hasOtherPeriod(subscription, row) || (!goesOn && isPaid);
};

const PARTS = [
  ['subscription', ({ subscriptionId }: SubscriberRow) => subscriptionId],
  ['status', ({ subscriptionStatus }: SubscriberRow) => subscriptionStatus],
  ['renews', ({ renews }: SubscriberRow) => String(renews)],
  ['invoice', ({ paid }: SubscriberRow) => paid?.key ?? null],
  ['paid until', ({ paid }: SubscriberRow) => paid?.end ?? null],
  ['version', ({ version }: SubscriberRow) => String(version)],
] as const;

/** What a repair changed, in words for the log; empty when nothing did. */
export const changesOf = (before: SubscriberRow, after: SubscriberRow): string =>
  PARTS.map(([name, read]) => ({ name, from: read(before), to: read(after) }))
    .filter(({ from, to }) => from !== to)
    .map(({ name, from, to }) => `${name} ${from ?? 'none'} to ${to ?? 'none'}`)
    .join(', ');
