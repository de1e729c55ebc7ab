import { createError } from '@shortlist/kit/process/errors';
import { findSubscriber } from '../subscriptions/queries.ts';
import { refreshSubscriber, type RefreshParts } from '../subscriptions/refresh-subscriber.ts';

const WAIT_MS = 4_000;

/**
 * The success page's hint: it names a session, and the provider says whether it is this person's and paid. Nothing in the
 * request itself grants anything. Throws `billing.checkout_not_found` for another's or none, `billing.not_paid`.
 */
export const confirmCheckout = async (
  parts: RefreshParts,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> => {
  const [subscriber, session] = await Promise.all([
    findSubscriber(parts.db.manager, userId),
    parts.stripe.findCheckout(sessionId),
  ]);
  const own = session !== null && session.userId === userId && session.customerId === subscriber?.customerId;
  if (!own || subscriber.deletedAt !== null) throw createError('billing.checkout_not_found');
  if (session.status !== 'complete' || !session.paid) throw createError('billing.not_paid');
  await refreshSubscriber(parts, userId, {
    by: 'success page',
    reason: 'checkout confirmed',
    waitMs: WAIT_MS,
  });
};
