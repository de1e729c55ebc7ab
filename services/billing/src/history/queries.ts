// The history of each user's subscriptions: when they started and ended, why, and at which price.
import type { Tx } from '@shortlist/kit/data/db';
import { In } from 'typeorm';
import type { SubscriptionSnapshot } from '../stripe/snapshot.ts';
import { toRow } from './history.rules.ts';
import { subscriptionEntity, type SubscriptionRow } from './subscription.entity.ts';

export type OwnedSubscription = { userId: string; subscription: SubscriptionSnapshot };

/** Stores subscriptions as read from Stripe. In the order of their ids: statements at the same time wait and do not deadlock. */
export const recordSubscriptions = async (tx: Tx, owned: OwnedSubscription[]): Promise<void> => {
  if (owned.length === 0) return;
  const rows = owned.map(({ userId, subscription }) => toRow(subscription, userId));
  await tx
    .createQueryBuilder()
    .insert()
    .into(subscriptionEntity)
    .values(rows.toSorted((one, other) => (one.subscriptionId < other.subscriptionId ? -1 : 1)))
    .orUpdate(['status', 'canceled_at', 'ended_at', 'cancel_reason', 'price_amount', 'price_currency'])
    .updateEntity(false)
    .execute();
};

/** Those of these subscriptions that are stored, by id. */
export const findRecorded = async (
  tx: Tx,
  subscriptionIds: string[],
): Promise<Map<string, SubscriptionRow>> => {
  const rows = await tx
    .getRepository(subscriptionEntity)
    .findBy({ subscriptionId: In([...new Set(subscriptionIds)]) });
  return new Map(rows.map((row) => [row.subscriptionId, row]));
};
