import type Stripe from 'stripe';
import { emit } from '../stripe/emit.ts';
import type { World } from '../world.ts';

export const expireCheckout = (world: World, session: Stripe.Checkout.Session): void => {
  session.status = 'expired';
  session.url = null;
  emit(world, 'checkout.session.expired', session);
};
