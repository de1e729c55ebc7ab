import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { refId } from '../ids.ts';
import { nextPaymentAttempt } from '../model/billing-cycle.rules.ts';
import { findDecline, type Decline, type PaymentMoment } from '../model/card.rules.ts';
import { buildCharge } from '../model/charge.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { paymentIntentOf, paymentsOf } from '../model/invoice-payment.ts';
import { openInvoicesOf, subscriptionIdOf } from '../model/invoice.ts';
import { settleOrSchedule } from './settle-charge.ts';

export type PaymentAttempt = {
  /** Only a scheduled attempt sets the time of the next one. */
  by: 'schedule' | 'customer';
  isAuthenticated: boolean;
  moment?: PaymentMoment;
};

type PaymentObjects = {
  invoice: Stripe.Invoice;
  intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
};

const MISSING_CARD: Decline = {
  code: 'payment_intent_payment_attempt_failed',
  message: 'There is no card on file for this customer. Add one first.',
};

const setDelinquent = (context: Context, invoice: Stripe.Invoice, isDelinquent: boolean): void => {
  const customer = context.state.customers.get(refId(invoice.customer) ?? '');
  if (customer) customer.delinquent = isDelinquent;
};

const recoverSubscription = (context: Context, invoice: Stripe.Invoice): void => {
  const { subscriptions, invoices } = context.state;
  const subscription = subscriptions.get(subscriptionIdOf(invoice) ?? '');
  if (!subscription || subscription.status !== 'past_due') return;
  if (openInvoicesOf(subscription.id, invoices.values()).length > 0) return;
  const previous = captureChanges(subscription, () => {
    subscription.status = 'active';
  });
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
};

const markPaid = (context: Context, invoice: Stripe.Invoice): void => {
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

/** An invoice with a full discount is paid at once, without a payment intent or a charge. */
const settleFreeInvoice = (context: Context, invoice: Stripe.Invoice): null => {
  invoice.attempted = true;
  markPaid(context, invoice);
  return null;
};

type PaymentSource = {
  intent: Stripe.PaymentIntent;
  paymentMethod: Stripe.PaymentMethod;
  number: string;
};

export const paymentMethodOf = (context: Context, invoice: Stripe.Invoice): string | null => {
  const { subscriptions, customers } = context.state;
  const subscription = subscriptions.get(subscriptionIdOf(invoice) ?? '');
  const customer = customers.get(refId(invoice.customer) ?? '');
  return (
    refId(invoice.default_payment_method) ??
    refId(subscription?.default_payment_method) ??
    refId(customer?.invoice_settings.default_payment_method)
  );
};

const findPaymentSource = (context: Context, invoice: Stripe.Invoice): PaymentSource | null => {
  const { paymentMethods, cards, paymentIntents } = context.state;
  const id = paymentMethodOf(context, invoice) ?? '';
  const paymentMethod = paymentMethods.get(id);
  const card = cards.get(id);
  const intent = paymentIntents.get(paymentIntentOf(context, invoice.id) ?? '');
  return paymentMethod && card && intent ? { intent, paymentMethod, number: card.number } : null;
};

// Attempts by the customer after the first neither count nor change the schedule.
const countAttempt = (invoice: Stripe.Invoice, { by }: PaymentAttempt): void => {
  invoice.attempted = true;
  if (by === 'schedule' || invoice.attempt_count === 0) invoice.attempt_count += 1;
};

const scheduleNextAttempt = (context: Context, invoice: Stripe.Invoice, { by }: PaymentAttempt): void => {
  if (by !== 'schedule') return;
  invoice.next_payment_attempt = nextPaymentAttempt({
    firstAt: invoice.status_transitions.finalized_at ?? invoice.created,
    count: invoice.attempt_count,
    retryDays: context.settings.retryDays,
  });
};

type Failure = {
  decline: Decline;
  paymentMethod: Stripe.PaymentMethod;
};

const recordFailure = (
  context: Context,
  { invoice, intent, charge }: PaymentObjects,
  failure: Failure,
): void => {
  const { decline, paymentMethod } = failure;
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
  if (decline.code === 'authentication_required') emit(context, 'invoice.payment_action_required', invoice);
  emit(context, 'invoice.payment_failed', invoice);
};

const recordSuccess = (context: Context, { invoice, intent, charge }: PaymentObjects): void => {
  settleOrSchedule(context, charge);
  Object.assign(intent, { status: 'succeeded', amount_received: charge.amount, last_payment_error: null });
  emit(context, 'charge.succeeded', charge);
  emit(context, 'payment_intent.succeeded', intent);
  markPaid(context, invoice);
};

/** Attempts the payment. Returns the decline, or null when the invoice is paid. */
export const collectInvoice = (
  context: Context,
  invoice: Stripe.Invoice,
  attempt: PaymentAttempt,
): Decline | null => {
  if (invoice.amount_due === 0) return settleFreeInvoice(context, invoice);
  const source = findPaymentSource(context, invoice);
  countAttempt(invoice, attempt);
  const decline = source
    ? findDecline(source.number, attempt.moment ?? 'later', attempt.isAuthenticated)
    : MISSING_CARD;
  if (decline) scheduleNextAttempt(context, invoice, attempt);
  if (!source) return decline;
  const { intent, paymentMethod } = source;
  const charge = buildCharge(context, { invoice, paymentIntent: intent, paymentMethod, decline });
  context.state.charges.set(charge.id, charge);
  intent.payment_method = paymentMethod.id;
  intent.latest_charge = charge.id;
  if (decline) recordFailure(context, { invoice, intent, charge }, { decline, paymentMethod });
  else recordSuccess(context, { invoice, intent, charge });
  return decline;
};
