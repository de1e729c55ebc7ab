import { withLease } from './lease.ts';
import { findSubscriber, listUncanceledDeleted, updateSubscriber } from './queries.ts';
import { isGoingOn } from './subscription.rules.ts';
import type { RefreshParts } from './refresh-subscriber.ts';

/** Ends the provider's subscriptions of people who are gone. What cannot be ended now is found again the next time. */
export const cancelDeleted = async (parts: RefreshParts): Promise<number> => {
  const userIds = await listUncanceledDeleted(parts.db.manager);
  for (const userId of userIds) {
    await withLease(parts, { userId, waitMs: 0 }, async () => {
      const subscriber = await findSubscriber(parts.db.manager, userId);
      if (!subscriber?.subscriptionId || !isGoingOn(subscriber.subscriptionStatus)) return;
      await parts.stripe.cancelSubscription(subscriber.subscriptionId);
      await updateSubscriber(parts.db.manager, userId, { subscriptionStatus: 'canceled', renews: false });
    });
  }
  return userIds.length;
};
