import { listClosing } from '../subscriptions/queries.ts';
import { type RefreshParts, refreshSubscriber } from './refresh-subscriber.ts';

const WAIT_MS = 2_000;

/**
 * Closes everything by which Stripe could still take money of a deleted user, which a refresh of a deleted user does. A failure is
 * logged; reconciliation tries again.
 */
export const closeDeletedUser = async (parts: RefreshParts, userId: string): Promise<void> => {
  try {
    await refreshSubscriber(parts, userId, { by: 'deletion', reason: 'user deleted', waitMs: WAIT_MS });
  } catch (error) {
    parts.log.warn({ err: error, userId }, 'deleted user not closed at Stripe yet');
  }
};

/** Closes at Stripe what could not be closed when its users were deleted. */
export const closeDeleted = async (parts: RefreshParts): Promise<void> => {
  for (const userId of await listClosing(parts.db.manager)) await closeDeletedUser(parts, userId);
};
