import { planAt } from '@shortlist/contracts/plan';
import { createError } from '@shortlist/kit/process/errors';
import { findSubscriber } from '../subscriptions/queries.ts';
import { refreshSubscriber, type RefreshParts } from '../sync/refresh-subscriber.ts';

const WAIT_MS = 4_000;

/**
 * Refreshes the user after the success page named a session. Stripe decides whether the session is this user's and paid; the
 * request itself grants nothing. Throws `billing.checkout_not_found` for another user's session or none, `billing.not_paid` for
 * one that is not completed, and `billing.payment_processing` while the bank confirms the payment.
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
  if (session.status !== 'complete') throw createError('billing.not_paid');
  const state = await refreshSubscriber(parts, userId, {
    by: 'success page',
    reason: 'checkout confirmed',
    waitMs: WAIT_MS,
  });
  if (session.paid || planAt(state, parts.clock()).plan === 'premium') return;
  // A checkout with a bank debit is complete before it is paid.
  const problem = (await findSubscriber(parts.db.manager, userId))?.problem;
  throw createError(problem?.kind === 'processing' ? 'billing.payment_processing' : 'billing.not_paid');
};
