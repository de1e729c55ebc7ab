import type { Tx } from '@shortlist/kit/data/db';
import { propertiesExcept, upsert } from '@shortlist/kit/data/insert';
import { EntitySchema, In } from 'typeorm';
import type { SubscriptionSnapshot } from '../stripe/snapshot.ts';

/** One subscription of a user's history, as last read from Stripe. The price is that of one month in minor units. */
export type SubscriptionRow = {
  subscriptionId: string;
  userId: string;
  status: string;
  startedAt: Date;
  canceledAt: Date | null;
  endedAt: Date | null;
  cancelReason: string | null;
  priceAmount: number | null;
  priceCurrency: string | null;
};

export const subscriptionEntity = new EntitySchema<SubscriptionRow>({
  name: 'subscription',
  tableName: 'subscriptions',
  columns: {
    subscriptionId: { name: 'subscription_id', type: 'varchar', length: 64, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
    status: { type: 'varchar', length: 30 },
    startedAt: { name: 'started_at', type: 'datetime', precision: 3 },
    canceledAt: { name: 'canceled_at', type: 'datetime', precision: 3, nullable: true },
    endedAt: { name: 'ended_at', type: 'datetime', precision: 3, nullable: true },
    cancelReason: { name: 'cancel_reason', type: 'varchar', length: 64, nullable: true },
    priceAmount: { name: 'price_amount', type: 'int', nullable: true },
    priceCurrency: { name: 'price_currency', type: 'char', length: 3, nullable: true },
  },
});

export const findUserIdBySubscription = async (tx: Tx, subscriptionId: string): Promise<string | null> => {
  const row = await tx
    .getRepository(subscriptionEntity)
    .findOne({ select: { subscriptionId: true, userId: true }, where: { subscriptionId } });
  return row?.userId ?? null;
};

// The record of a subscription in a user's history.

const toRow = (subscription: SubscriptionSnapshot, userId: string): SubscriptionRow => {
  const { id: subscriptionId, status, startedAt, canceledAt, endedAt, cancelReason, price } = subscription;
  return {
    subscriptionId,
    userId,
    status,
    startedAt,
    canceledAt,
    endedAt,
    cancelReason,
    priceAmount: price?.amount ?? null,
    priceCurrency: price?.currency ?? null,
  };
};

const plain = (value: string | number | Date | null): string | number | null =>
  value instanceof Date ? value.getTime() : value;

/** Whether the stored row matches Stripe's subscription. */
export const isRecorded = (subscription: SubscriptionSnapshot, row: SubscriptionRow | undefined): boolean => {
  if (row === undefined) return false;
  const current = toRow(subscription, row.userId);
  const columns = Object.keys(current) as (keyof SubscriptionRow)[];
  return columns.every((column) => plain(current[column]) === plain(row[column]));
};

// The history of each user's subscriptions: when they started and ended, why, and at which price.

const CHANGING = propertiesExcept(subscriptionEntity, 'subscriptionId', 'userId');

export type OwnedSubscription = { userId: string; subscription: SubscriptionSnapshot };

/** Stores subscriptions as read from Stripe, in the order of their ids to avoid deadlocks. */
export const recordSubscriptions = async (tx: Tx, owned: OwnedSubscription[]): Promise<void> => {
  const rows = owned.map(({ userId, subscription }) => toRow(subscription, userId));
  await upsert(tx, subscriptionEntity, {
    rows: rows.toSorted((one, other) => (one.subscriptionId < other.subscriptionId ? -1 : 1)),
    update: CHANGING,
  });
};

/** The stored ones among these subscriptions, by id. */
export const findRecorded = async (
  tx: Tx,
  subscriptionIds: string[],
): Promise<Map<string, SubscriptionRow>> => {
  const rows = await tx
    .getRepository(subscriptionEntity)
    .findBy({ subscriptionId: In([...new Set(subscriptionIds)]) });
  return new Map(rows.map((row) => [row.subscriptionId, row]));
};

export const listSubscriptionsOf = (tx: Tx, userId: string): Promise<SubscriptionRow[]> =>
  tx.getRepository(subscriptionEntity).find({ where: { userId }, order: { startedAt: 'ASC' } });
