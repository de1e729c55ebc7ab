import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { buildBankAccount, buildPaymentMethod, type CustomerCard } from '../model/customer.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { isOngoing } from '../model/subscription.ts';

export const addCustomer = (context: Context, customer: Stripe.Customer): void => {
  context.state.customers.set(customer.id, customer);
  emit(context, 'customer.created', customer);
};

/** Makes the method the default of the customer and of their subscriptions. */
const attach = (
  context: Context,
  customer: Stripe.Customer,
  paymentMethod: Stripe.PaymentMethod,
): Stripe.PaymentMethod => {
  context.state.paymentMethods.set(paymentMethod.id, paymentMethod);
  emit(context, 'payment_method.attached', paymentMethod);
  const previous = captureChanges(customer, () => {
    customer.invoice_settings.default_payment_method = paymentMethod.id;
  });
  emitUpdate(context, 'customer.updated', { object: customer, previous });
  for (const subscription of context.state.subscriptions.of(customer.id)) {
    if (!isOngoing(subscription)) continue;
    const before = captureChanges(subscription, () => {
      subscription.default_payment_method = paymentMethod.id;
    });
    emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous: before });
  }
  return paymentMethod;
};

export const attachCard = (context: Context, customerCard: CustomerCard): Stripe.PaymentMethod => {
  const paymentMethod = buildPaymentMethod(context, customerCard);
  context.state.cards.set(paymentMethod.id, customerCard.card);
  return attach(context, customerCard.customer, paymentMethod);
};

/** The method of a one-time payment, which is not saved with the customer. */
const useOnce = (context: Context, paymentMethod: Stripe.PaymentMethod): Stripe.PaymentMethod => {
  paymentMethod.customer = null;
  context.state.paymentMethods.set(paymentMethod.id, paymentMethod);
  return paymentMethod;
};

export const useCardOnce = (context: Context, customerCard: CustomerCard): Stripe.PaymentMethod => {
  const paymentMethod = useOnce(context, buildPaymentMethod(context, customerCard));
  context.state.cards.set(paymentMethod.id, customerCard.card);
  return paymentMethod;
};

export const useBankAccountOnce = (context: Context, customer: Stripe.Customer): Stripe.PaymentMethod =>
  useOnce(context, buildBankAccount(context, customer));

export const attachBankAccount = (context: Context, customer: Stripe.Customer): Stripe.PaymentMethod =>
  attach(context, customer, buildBankAccount(context, customer));
