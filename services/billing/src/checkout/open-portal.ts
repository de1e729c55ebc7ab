import { runEffectCheck } from '@shortlist/kit/data/db';
import { AppError, createError } from '@shortlist/kit/process/errors';
import { findSubscriber } from '../subscriptions/queries.ts';
import type { CheckoutParts } from './sales.ts';

const PORTAL_MISSING =
  "Stripe's billing portal is not configured: save its settings in the dashboard, or run shortlist stripe-check --apply";

/** Returns the URL of Stripe's billing portal for the user's own customer. Throws `billing.customer_not_found`, or
 * `billing.portal_not_configured`. */
export const openPortal = async (
  { db, stripe, publicUrl, log }: CheckoutParts,
  { userId, customerId }: { userId: string; customerId: string },
): Promise<string> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (subscriber === null || subscriber.customerId !== customerId)
    throw createError('billing.customer_not_found');
  await runEffectCheck(db);
  const url = await stripe.openPortal(customerId, `${publicUrl}/`).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'billing.portal_not_configured')
      log.error({ err: error }, PORTAL_MISSING);
    throw error;
  });
  if (url === null) throw createError('billing.customer_not_found');
  return url;
};
