// How a subscription at Stripe is recorded in a user's history, and whether a record states what Stripe does.
import type { SubscriptionSnapshot } from '../stripe/snapshot.ts';
import type { SubscriptionRow } from './subscription.entity.ts';

export const toRow = (subscription: SubscriptionSnapshot, userId: string): SubscriptionRow => {
  const { id: subscriptionId, status, startedAt, canceledAt, endedAt, cancelReason, price } = subscription;
  return {
    ...{ subscriptionId, userId, status, startedAt, canceledAt, endedAt, cancelReason },
    priceAmount: price?.amount ?? null,
    priceCurrency: price?.currency ?? null,
  };
};

const PARTS = ['status', 'canceledAt', 'endedAt', 'cancelReason', 'priceAmount', 'priceCurrency'] as const;
const plain = (value: string | number | Date | null): string | number | null =>
  value instanceof Date ? value.getTime() : value;

/** Whether the stored row states what Stripe does. */
export const isRecorded = (subscription: SubscriptionSnapshot, row: SubscriptionRow | undefined): boolean => {
  if (row === undefined) return false;
  const current = toRow(subscription, row.userId);
  return PARTS.every((part) => plain(current[part]) === plain(row[part]));
};
