import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { emit } from '../model/emit-event.ts';

export const expireCheckout = (context: Context, session: Stripe.Checkout.Session): void => {
  session.status = 'expired';
  session.url = null;
  emit(context, 'checkout.session.expired', session);
};
