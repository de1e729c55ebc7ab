import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { refId } from '../state.ts';
import { nextPaymentAttempt } from '../model/billing-cycle.rules.ts';
import { findDecline, type Decline, type PaymentMoment } from '../model/card.rules.ts';
import { buildCharge } from '../model/charge.ts';
import { paymentIntentOf, subscriptionIdOf } from '../model/invoice.ts';
import { startDebit } from './bank-debit.ts';
import { markPaid, recordFailure, recordSuccess, requireAction } from './record-payment.ts';

export type PaymentAttempt = {
  /** Only a scheduled attempt sets the time of the next one. */
  by: 'schedule' | 'customer';
  isAuthenticated: boolean;
  moment?: PaymentMoment;
};

const MISSING_CARD: Decline = {
  code: 'payment_intent_payment_attempt_failed',
  message: 'There is no card on file for this customer. Add one first.',
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
  /** The number of a card, or null for a bank account. */
  number: string | null;
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
  const paymentMethod = paymentMethods.get(paymentMethodOf(context, invoice) ?? '');
  const intent = paymentIntents.get(paymentIntentOf(context, invoice.id) ?? '');
  if (!paymentMethod || !intent) return null;
  return { intent, paymentMethod, number: cards.get(paymentMethod.id)?.number ?? null };
};

// Attempts by the customer after the first neither count nor change the schedule.
const countAttempt = (invoice: Stripe.Invoice, { by }: PaymentAttempt): void => {
  invoice.attempted = true;
  if (by === 'schedule' || invoice.attempt_count === 0) invoice.attempt_count += 1;
};

export const scheduleNextAttempt = (
  context: Context,
  invoice: Stripe.Invoice,
  { by }: PaymentAttempt,
): void => {
  if (by !== 'schedule') return;
  invoice.next_payment_attempt = nextPaymentAttempt({
    firstAt: invoice.status_transitions.finalized_at ?? invoice.created,
    count: invoice.attempt_count,
    retryDays: context.settings.retryDays,
  });
};

const chargeSource = (
  context: Context,
  invoice: Stripe.Invoice,
  { source, decline }: { source: PaymentSource; decline: Decline | null },
): void => {
  const { intent, paymentMethod } = source;
  intent.payment_method = paymentMethod.id;
  if (decline?.code === 'authentication_required') {
    requireAction(context, { invoice, intent });
    return;
  }
  const charge = buildCharge(context, { invoice, paymentIntent: intent, paymentMethod, decline });
  context.state.charges.set(charge.id, charge);
  intent.latest_charge = charge.id;
  if (decline) recordFailure(context, { invoice, intent, charge }, { decline, paymentMethod });
  else if (source.number === null) startDebit(context, { invoice, intent, charge });
  else recordSuccess(context, { invoice, intent, charge });
};

const declineOf = (source: PaymentSource | null, attempt: PaymentAttempt): Decline | null => {
  if (!source) return MISSING_CARD;
  if (source.number === null) return null;
  return findDecline(source.number, attempt.moment ?? 'later', attempt.isAuthenticated);
};

/** Attempts the payment. Returns the decline, or null when the invoice is paid or a debit of it has started. */
export const collectInvoice = (
  context: Context,
  invoice: Stripe.Invoice,
  attempt: PaymentAttempt,
): Decline | null => {
  if (invoice.amount_due === 0) return settleFreeInvoice(context, invoice);
  const source = findPaymentSource(context, invoice);
  countAttempt(invoice, attempt);
  const decline = declineOf(source, attempt);
  if (decline) scheduleNextAttempt(context, invoice, attempt);
  if (source) chargeSource(context, invoice, { source, decline });
  return decline;
};
