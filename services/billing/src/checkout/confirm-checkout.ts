import { createError } from '@shortlist/kit/process/errors';
import { findSubscriber } from '../subscriptions/queries.ts';
import { refreshSubscriber, type RefreshParts } from '../sync/refresh-subscriber.ts';

const WAIT_MS = 4_000;

/**
 * Refreshes the user after the success page named a session. Stripe decides whether the session is this user's and paid; the
 * request itself grants nothing. Throws `billing.checkout_not_found` for another user's session or none, `billing.not_paid`.
 */
export const confirmCheckout = async (
  parts: RefreshParts,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> => {
  const [subscriber, session] = await Promise.all([
    findSubscriber(parts.db.manager, userId),
    parts.stripe.findCheckout(sessionId),
  ]);
  const isOwn =
    session !== null && session.userId === userId && session.customerId === subscriber?.customerId;
  if (!isOwn || subscriber.deletedAt !== null) throw createError('billing.checkout_not_found');
  if (session.status !== 'complete' || !session.paid) throw createError('billing.not_paid');
  await refreshSubscriber(parts, userId, {
    by: 'success page',
    reason: 'checkout confirmed',
    waitMs: WAIT_MS,
  });
};
