import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { refId } from '../ids.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { buildPaymentMethod, type CustomerCard } from '../model/payment-method.ts';
import { isOngoing } from '../model/subscription.ts';

/** The card becomes the one that all later payments of its owner use. */
export const attachCard = (context: Context, owner: CustomerCard): Stripe.PaymentMethod => {
  const { customer, card } = owner;
  const paymentMethod = buildPaymentMethod(context, owner);
  context.state.paymentMethods.set(paymentMethod.id, paymentMethod);
  context.state.cards.set(paymentMethod.id, card);
  emit(context, 'payment_method.attached', paymentMethod);
  const previous = captureChanges(customer, () => {
    customer.invoice_settings.default_payment_method = paymentMethod.id;
  });
  emitUpdate(context, 'customer.updated', { object: customer, previous });
  for (const subscription of context.state.subscriptions.values()) {
    if (refId(subscription.customer) !== customer.id || !isOngoing(subscription)) continue;
    const before = captureChanges(subscription, () => {
      subscription.default_payment_method = paymentMethod.id;
    });
    emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous: before });
  }
  return paymentMethod;
};
