import type Stripe from 'stripe';
import { refId } from '../ids.ts';
import { emit, emitChange, previousOf } from '../model/emit-event.ts';
import { buildPaymentMethod, type CardOwner } from '../stripe/payment-methods.ts';
import type { World } from '../context.ts';
import { isLive } from './subscription-status.ts';

/** The card becomes the one that all later payments of its owner use. */
export const attachCard = (world: World, owner: CardOwner): Stripe.PaymentMethod => {
  const { customer, card } = owner;
  const paymentMethod = buildPaymentMethod(world, owner);
  world.state.paymentMethods.set(paymentMethod.id, paymentMethod);
  world.state.cards.set(paymentMethod.id, card);
  emit(world, 'payment_method.attached', paymentMethod);
  const previous = previousOf(customer, () => {
    customer.invoice_settings.default_payment_method = paymentMethod.id;
  });
  emitChange(world, 'customer.updated', { object: customer, previous });
  for (const subscription of world.state.subscriptions.values()) {
    if (refId(subscription.customer) !== customer.id || !isLive(subscription)) continue;
    const before = previousOf(subscription, () => {
      subscription.default_payment_method = paymentMethod.id;
    });
    emitChange(world, 'customer.subscription.updated', { object: subscription, previous: before });
  }
  return paymentMethod;
};
