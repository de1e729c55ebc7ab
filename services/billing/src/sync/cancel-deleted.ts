import { listUncanceledDeleted } from '../subscriptions/queries.ts';
import type { SyncParts } from './event-action.ts';
import { refreshSubscriber } from './refresh-subscriber.ts';

const WAIT_MS = 2_000;

/**
 * Ends a deleted user's subscriptions at Stripe, which a refresh of a deleted user does. A failure is logged; reconciliation tries
 * again.
 */
export const cancelDeletedUser = async (parts: SyncParts, userId: string): Promise<void> => {
  try {
    await refreshSubscriber(parts, userId, { by: 'deletion', reason: 'user deleted', waitMs: WAIT_MS });
  } catch (error) {
    parts.log.warn({ err: error, userId }, 'subscription of a deleted user not canceled yet');
  }
};

/** Ends the subscriptions at Stripe that could not be ended when their users were deleted. */
export const cancelDeleted = async (parts: SyncParts): Promise<void> => {
  for (const userId of await listUncanceledDeleted(parts.db.manager)) await cancelDeletedUser(parts, userId);
};
