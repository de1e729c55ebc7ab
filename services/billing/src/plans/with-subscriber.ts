import { createError } from '@shortlist/kit/process/errors';
import { findSubscriber, type Lease } from '../subscriptions/queries.ts';
import type { SubscriberRow } from '../subscriptions/subscriber.entity.ts';
import { withLease } from '../sync/lease.ts';
import type { RefreshParts } from '../sync/refresh-subscriber.ts';

const WAIT_MS = 4_000;

const getSubscriber = async ({ db }: RefreshParts, userId: string): Promise<SubscriberRow> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (subscriber === null || subscriber.deletedAt !== null) throw createError('billing.user_not_found');
  return subscriber;
};

/** Runs `work` under the user's lease with the subscriber as it is then. Throws `billing.user_not_found`. */
export const withSubscriber = async <T>(
  parts: RefreshParts,
  userId: string,
  work: (subscriber: SubscriberRow, lease: Lease) => Promise<T>,
): Promise<T> => {
  await getSubscriber(parts, userId); // an unknown user has no lease to wait for
  return withLease(parts, { userId, waitMs: WAIT_MS }, async (lease) =>
    work(await getSubscriber(parts, userId), lease),
  );
};
