import { runEffectCheck } from '@shortlist/kit/data/db';
import { AppError, createError } from '@shortlist/kit/process/errors';
import { findSubscriber } from '../subscriptions/queries.ts';
import type { CheckoutParts } from './sales.ts';

const PORTAL_MISSING =
  "Stripe's billing portal is not configured: save its settings in the dashboard, or run shortlist stripe-check --apply";

/** The page of the plan, which reads from Stripe what was changed there. */
const RETURN_PATH = '/payments?from=portal';

/** Returns the URL of Stripe's billing portal for the user's own customer. Throws `billing.customer_not_found`, or
 * `billing.portal_not_configured`. */
export const openPortal = async (
  { db, stripe, publicUrl, log }: CheckoutParts,
  { userId, customerId, page }: { userId: string; customerId: string; page?: 'card' | undefined },
): Promise<string> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (subscriber === null || subscriber.customerId !== customerId)
    throw createError('billing.customer_not_found');
  await runEffectCheck(db);
  const url = await stripe
    .openPortal({ customerId, returnUrl: `${publicUrl}${RETURN_PATH}`, page })
    .catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'billing.portal_not_configured')
        log.error({ err: error }, PORTAL_MISSING);
      throw error;
    });
  if (url === null) throw createError('billing.customer_not_found');
  return url;
};
