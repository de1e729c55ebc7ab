import { createError } from '@shortlist/kit/process/errors';
import { findSubscriber } from '../subscriptions/queries.ts';
import type { CheckoutParts } from './open-checkout.ts';

/** Returns the URL of Stripe's billing portal for the user's own customer. Throws `billing.customer_not_found`. */
export const openPortal = async (
  { db, stripe, publicUrl }: CheckoutParts,
  { userId, customerId }: { userId: string; customerId: string },
): Promise<string> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (subscriber === null || subscriber.customerId !== customerId)
    throw createError('billing.customer_not_found');
  const url = await stripe.openPortal(customerId, `${publicUrl}/`);
  if (url === null) throw createError('billing.customer_not_found');
  return url;
};
