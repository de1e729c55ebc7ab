import type Stripe from 'stripe';
import { emit } from '../model/emit-event.ts';
import type { World } from '../context.ts';

export const expireCheckout = (world: World, session: Stripe.Checkout.Session): void => {
  session.status = 'expired';
  session.url = null;
  emit(world, 'checkout.session.expired', session);
};
