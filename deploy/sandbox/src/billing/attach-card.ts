import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { refId } from '../ids.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { buildPaymentMethod, type CustomerCard } from '../model/payment-method.ts';
import { isOngoing } from '../model/subscription.ts';

/** Makes the card the default payment method of the customer and of their subscriptions. */
export const attachCard = (context: Context, customerCard: CustomerCard): Stripe.PaymentMethod => {
  const { customer, card } = customerCard;
  const paymentMethod = buildPaymentMethod(context, customerCard);
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
