import type Stripe from 'stripe';
import { refId } from '../ids.ts';
import { addBalanceTransaction } from '../stripe/balance-transactions.ts';
import { buildCharge } from '../stripe/charges.ts';
import { emit, emitChange, previousOf } from '../model/emit-event.ts';
import { paymentIntentOf, paymentsOf } from '../stripe/invoice-payments.ts';
import { now, type World } from '../context.ts';
import { declineOf, type Decline, type Moment } from '../model/card.rules.ts';
import { nextPaymentAttempt } from '../model/billing-cycle.rules.ts';
import { openInvoicesOf, subscriptionIdOf } from './subscription-status.ts';

export type Attempt = {
  /** Whether the provider tries by itself or the owner asked for it; only the former follows the schedule. */
  by: 'schedule' | 'owner';
  isConfirmed: boolean;
  moment?: Moment;
};

type Paying = {
  invoice: Stripe.Invoice;
  intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
};

const noCard: Decline = {
  code: 'payment_intent_payment_attempt_failed',
  message: 'There is no card on file for this customer. Add one first.',
};

const setDelinquent = (world: World, invoice: Stripe.Invoice, isDelinquent: boolean): void => {
  const customer = world.state.customers.get(refId(invoice.customer) ?? '');
  if (customer) customer.delinquent = isDelinquent;
};

const recoverSubscription = (world: World, invoice: Stripe.Invoice): void => {
  const { subscriptions, invoices } = world.state;
  const subscription = subscriptions.get(subscriptionIdOf(invoice) ?? '');
  if (!subscription || subscription.status !== 'past_due') return;
  if (openInvoicesOf(subscription.id, invoices.values()).length > 0) return;
  const previous = previousOf(subscription, () => {
    subscription.status = 'active';
  });
  emitChange(world, 'customer.subscription.updated', { object: subscription, previous });
};

const markPaid = (world: World, invoice: Stripe.Invoice): void => {
  const time = now(world);
  Object.assign(invoice, {
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    auto_advance: false,
  });
  invoice.status_transitions.paid_at = time;
  for (const payment of paymentsOf(world, invoice.id)) {
    Object.assign(payment, { status: 'paid', amount_paid: invoice.amount_paid });
    payment.status_transitions.paid_at = time;
    emit(world, 'invoice_payment.paid', payment);
  }
  setDelinquent(world, invoice, false);
  recoverSubscription(world, invoice);
  emit(world, 'invoice.paid', invoice);
  emit(world, 'invoice.payment_succeeded', invoice);
};

/** What a discount covers in full is paid at once, without an intent or a charge. */
const settleForNothing = (world: World, invoice: Stripe.Invoice): null => {
  invoice.attempted = true;
  markPaid(world, invoice);
  return null;
};

type Means = {
  intent: Stripe.PaymentIntent;
  paymentMethod: Stripe.PaymentMethod;
  number: string;
};

export const paymentMethodOf = (world: World, invoice: Stripe.Invoice): string | null => {
  const { subscriptions, customers } = world.state;
  const subscription = subscriptions.get(subscriptionIdOf(invoice) ?? '');
  const customer = customers.get(refId(invoice.customer) ?? '');
  return (
    refId(invoice.default_payment_method) ??
    refId(subscription?.default_payment_method) ??
    refId(customer?.invoice_settings.default_payment_method)
  );
};

const meansOf = (world: World, invoice: Stripe.Invoice): Means | null => {
  const { paymentMethods, cards, paymentIntents } = world.state;
  const id = paymentMethodOf(world, invoice) ?? '';
  const paymentMethod = paymentMethods.get(id);
  const card = cards.get(id);
  const intent = paymentIntents.get(paymentIntentOf(world, invoice.id) ?? '');
  return paymentMethod && card && intent ? { intent, paymentMethod, number: card.number } : null;
};

// The owner's own tries after the first neither count nor move the schedule.
const countAttempt = (invoice: Stripe.Invoice, { by }: Attempt): void => {
  invoice.attempted = true;
  if (by === 'schedule' || invoice.attempt_count === 0) invoice.attempt_count += 1;
};

const planNextAttempt = (invoice: Stripe.Invoice, { by }: Attempt): void => {
  if (by !== 'schedule') return;
  const firstAttemptAt = invoice.status_transitions.finalized_at ?? invoice.created;
  invoice.next_payment_attempt = nextPaymentAttempt(firstAttemptAt, invoice.attempt_count);
};

type Failure = {
  decline: Decline;
  paymentMethod: Stripe.PaymentMethod;
};

const fail = (world: World, { invoice, intent, charge }: Paying, failure: Failure): void => {
  const { decline, paymentMethod } = failure;
  intent.status = 'requires_payment_method';
  intent.last_payment_error = {
    type: 'card_error',
    charge: charge.id,
    payment_method: structuredClone(paymentMethod),
    ...decline,
  };
  setDelinquent(world, invoice, true);
  emit(world, 'charge.failed', charge);
  emit(world, 'payment_intent.payment_failed', intent);
  if (decline.code === 'authentication_required') emit(world, 'invoice.payment_action_required', invoice);
  emit(world, 'invoice.payment_failed', invoice);
};

const settle = (world: World, { invoice, intent, charge }: Paying): void => {
  const { amount, currency, id: source, description } = charge;
  const movement = { type: 'charge', amount, currency, source, description } as const;
  charge.balance_transaction = addBalanceTransaction(world, movement).id;
  Object.assign(intent, { status: 'succeeded', amount_received: amount, last_payment_error: null });
  emit(world, 'charge.succeeded', charge);
  emit(world, 'payment_intent.succeeded', intent);
  markPaid(world, invoice);
};

/** Tries to collect what is due; says why the bank refused, or null when it is paid. */
export const collectInvoice = (world: World, invoice: Stripe.Invoice, attempt: Attempt): Decline | null => {
  if (invoice.amount_due === 0) return settleForNothing(world, invoice);
  const means = meansOf(world, invoice);
  countAttempt(invoice, attempt);
  const decline = means ? declineOf(means.number, attempt.moment ?? 'later', attempt.isConfirmed) : noCard;
  if (decline) planNextAttempt(invoice, attempt);
  if (!means) return decline;
  const { intent, paymentMethod } = means;
  const charge = buildCharge(world, { invoice, paymentIntent: intent, paymentMethod, decline });
  world.state.charges.set(charge.id, charge);
  intent.payment_method = paymentMethod.id;
  intent.latest_charge = charge.id;
  if (decline) fail(world, { invoice, intent, charge }, { decline, paymentMethod });
  else settle(world, { invoice, intent, charge });
  return decline;
};
