import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { addBalanceTransaction } from '../model/balance-transaction.ts';
import type { Decline } from '../model/card.rules.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { openInvoicesOf, paymentsOf, subscriptionIdOf } from '../model/invoice.ts';
import { refId } from '../state.ts';

const setDelinquent = (context: Context, invoice: Stripe.Invoice, isDelinquent: boolean): void => {
  const customer = context.state.customers.get(refId(invoice.customer) ?? '');
  if (customer) customer.delinquent = isDelinquent;
};

/** Makes the subscription active again when none of its invoices is open any more. */
export const recoverSubscription = (context: Context, invoice: Stripe.Invoice): void => {
  const subscription = context.state.subscriptions.get(subscriptionIdOf(invoice) ?? '');
  if (!subscription || !['past_due', 'incomplete'].includes(subscription.status)) return;
  if (openInvoicesOf(context, subscription).length > 0) return;
  const previous = captureChanges(subscription, () => {
    subscription.status = 'active';
  });
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
};

export const markPaid = (context: Context, invoice: Stripe.Invoice): void => {
  const time = now(context);
  Object.assign(invoice, {
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    auto_advance: false,
  });
  invoice.status_transitions.paid_at = time;
  for (const payment of paymentsOf(context, invoice.id)) {
    Object.assign(payment, { status: 'paid', amount_paid: invoice.amount_paid });
    payment.status_transitions.paid_at = time;
    emit(context, 'invoice_payment.paid', payment);
  }
  setDelinquent(context, invoice, false);
  recoverSubscription(context, invoice);
  emit(context, 'invoice.paid', invoice);
  emit(context, 'invoice.payment_succeeded', invoice);
};

const addTransaction = (context: Context, charge: Stripe.Charge): void => {
  const { amount, currency, id: source, description } = charge;
  const transfer = { type: 'charge', amount, currency, source, description } as const;
  charge.balance_transaction = addBalanceTransaction(context, transfer).id;
};

/** Captures the charge at once, or later: https://docs.stripe.com/payments/payment-intents/asynchronous-capture */
const settleOrSchedule = (context: Context, charge: Stripe.Charge): void => {
  const { captureDelaySeconds } = context.settings;
  if (captureDelaySeconds === 0) addTransaction(context, charge);
  else context.state.pendingCaptures.set(charge.id, now(context) + captureDelaySeconds);
};

/** Adds the balance transaction of a charge that was captured asynchronously. */
export const settleCharge = (context: Context, id: string): void => {
  const charge = context.state.charges.get(id);
  context.state.pendingCaptures.delete(id);
  if (!charge) return;
  const previous = captureChanges(charge, () => addTransaction(context, charge));
  emitUpdate(context, 'charge.updated', { object: charge, previous });
};

export type PaymentObjects = {
  invoice: Stripe.Invoice;
  intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
};

type Failure = {
  decline: Decline;
  paymentMethod: Stripe.PaymentMethod;
};

export const recordFailure = (
  context: Context,
  { invoice, intent, charge }: PaymentObjects,
  { decline, paymentMethod }: Failure,
): void => {
  intent.status = 'requires_payment_method';
  intent.last_payment_error = {
    type: 'card_error',
    charge: charge.id,
    payment_method: structuredClone(paymentMethod),
    ...decline,
  };
  setDelinquent(context, invoice, true);
  emit(context, 'charge.failed', charge);
  emit(context, 'payment_intent.payment_failed', intent);
  emit(context, 'invoice.payment_failed', invoice);
};

export const recordSuccess = (context: Context, { invoice, intent, charge }: PaymentObjects): void => {
  settleOrSchedule(context, charge);
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: charge.amount,
    last_payment_error: null,
    next_action: null,
  });
  emit(context, 'charge.succeeded', charge);
  emit(context, 'payment_intent.succeeded', intent);
  markPaid(context, invoice);
};

/**
 * Records that the bank requires the customer to authenticate a payment made without them. There is no charge yet; the hosted
 * invoice page is where the customer confirms: https://docs.stripe.com/billing/subscriptions/overview#requires-action
 */
export const requireAction = (
  context: Context,
  { invoice, intent }: Omit<PaymentObjects, 'charge'>,
): void => {
  intent.status = 'requires_action';
  intent.last_payment_error = null;
  intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } };
  setDelinquent(context, invoice, true);
  emit(context, 'payment_intent.requires_action', intent);
  emit(context, 'invoice.payment_action_required', invoice);
  emit(context, 'invoice.payment_failed', invoice);
};
