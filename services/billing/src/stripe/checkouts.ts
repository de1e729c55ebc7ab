import { createError } from '@shortlist/kit/process/errors';
import type { Stripe } from 'stripe';
import { isInvalidRequest, isMissing } from './errors.ts';

const PAGE = 100;

/** The ids of the sessions of this customer that can still be paid. A customer that was deleted at Stripe has none. */
export const listOpenSessions = async (stripe: Stripe, customer: string): Promise<string[]> => {
  try {
    const sessions = stripe.checkout.sessions.list({ customer, status: 'open', limit: PAGE });
    return (await sessions.autoPagingToArray({ limit: 10 * PAGE })).map(({ id }) => id);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/**
 * Closes a session. Returns false for a session that was completed before. Throws `billing.busy` while Stripe processes its
 * payment.
 */
export const expireSession = async (stripe: Stripe, sessionId: string): Promise<boolean> => {
  try {
    await stripe.checkout.sessions.expire(sessionId);
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    if (!isInvalidRequest(error)) throw error;
    // Stripe refuses to expire a session that has expired, that is complete, or that is being paid.
    const { status } = await stripe.checkout.sessions.retrieve(sessionId);
    if (status === 'open') throw createError('billing.busy', { cause: error, retryAfterSeconds: 5 });
    return status === 'expired';
  }
};
