import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { propertiesExcept, upsert } from '@shortlist/kit/data/insert';
import { In } from 'typeorm';
import type { Interval } from '@shortlist/contracts/plan';
import type { SubscriptionSnapshot } from '../stripe/snapshot.ts';

/**
 * One subscription of a user's history, as last read from Stripe. The price is in minor units, for `priceInterval`: null if the plan is not sold
 * so, and for one that was recorded before there were years.
 */
export const subscriptionEntity = defineEntity('subscription', 'subscriptions', {
  subscriptionId: { ...column.varchar(64), primary: true },
  userId: column.uuid,
  status: column.varchar(30),
  startedAt: column.dateTime,
  canceledAt: column.nullable(column.dateTime),
  endedAt: column.nullable(column.dateTime),
  cancelReason: column.nullable(column.varchar(64)),
  priceAmount: column.nullable(column.int),
  priceCurrency: column.nullable(column.char(3)),
  priceInterval: column.nullable(column.varchar<Interval>(5)),
});
export type SubscriptionRow = RowOf<typeof subscriptionEntity>;

export const findUserIdBySubscription = async (tx: Tx, subscriptionId: string): Promise<string | null> => {
  const row = await tx
    .getRepository(subscriptionEntity)
    .findOne({ select: { subscriptionId: true, userId: true }, where: { subscriptionId } });
  return row?.userId ?? null;
};

// The record of a subscription in a user's history.

const toRow = (subscription: SubscriptionSnapshot, userId: string): SubscriptionRow => {
  const { id: subscriptionId, status, startedAt, canceledAt, endedAt, cancelReason } = subscription;
  const { price, interval: priceInterval } = subscription;
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
    priceInterval,
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

/** Whether a user has ever had a subscription, however it ended. */
export const hasSubscribed = (tx: Tx, userId: string): Promise<boolean> =>
  tx.getRepository(subscriptionEntity).existsBy({ userId });

export const listSubscriptionsOf = (tx: Tx, userId: string): Promise<SubscriptionRow[]> =>
  tx.getRepository(subscriptionEntity).find({ where: { userId }, order: { startedAt: 'ASC' } });
