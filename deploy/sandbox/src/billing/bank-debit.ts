import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { refId } from '../state.ts';
import type { Decline } from '../model/card.rules.ts';
import { emit } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';
import { paymentIntentOf } from '../model/invoice.ts';
import { recordFailure, recordSuccess, type PaymentObjects } from './record-payment.ts';

const INSUFFICIENT_FUNDS: Decline = {
  code: 'payment_intent_payment_attempt_failed',
  decline_code: 'insufficient_funds',
  message: 'The bank returned the debit, because the account has insufficient funds.',
};

/** Starts a debit. The bank confirms or returns it days later; until then the invoice stays open. */
export const startDebit = (context: Context, { invoice, intent, charge }: PaymentObjects): void => {
  Object.assign(charge, { status: 'pending', paid: false, receipt_url: null });
  Object.assign(intent, { status: 'processing', last_payment_error: null });
  invoice.next_payment_attempt = null;
  emit(context, 'charge.pending', charge);
  emit(context, 'payment_intent.processing', intent);
};

const processingPayment = (context: Context, invoice: Stripe.Invoice): PaymentObjects => {
  const intent = context.state.paymentIntents.get(paymentIntentOf(context, invoice.id) ?? '');
  const charge = context.state.charges.get(refId(intent?.latest_charge) ?? '');
  if (intent?.status === 'processing' && charge) return { invoice, intent, charge };
  throw invalidRequest({ message: `Invoice ${invoice.id} has no payment that is being processed.` });
};

const sessionOf = (context: Context, invoice: Stripe.Invoice): Stripe.Checkout.Session | undefined =>
  [...context.state.checkoutSessions.values()].find((session) => refId(session.invoice) === invoice.id);

const confirmDebit = (context: Context, payment: PaymentObjects): void => {
  const session = sessionOf(context, payment.invoice);
  const receipt_url = `${context.publicUrl}/i/${payment.invoice.id}`;
  Object.assign(payment.charge, { status: 'succeeded', paid: true, receipt_url });
  recordSuccess(context, payment);
  if (!session) return;
  session.payment_status = 'paid';
  emit(context, 'checkout.session.async_payment_succeeded', session);
};

const returnDebit = (context: Context, payment: PaymentObjects): void => {
  const { charge, intent, invoice } = payment;
  const session = sessionOf(context, invoice);
  const paymentMethod = context.state.paymentMethods.get(refId(intent.payment_method) ?? '');
  if (!paymentMethod) throw invalidRequest({ message: 'The payment method is gone.' });
  const { code: failure_code, message: failure_message } = INSUFFICIENT_FUNDS;
  Object.assign(charge, { status: 'failed', failure_code, failure_message, captured: false });
  recordFailure(context, payment, { decline: INSUFFICIENT_FUNDS, paymentMethod });
  if (session) emit(context, 'checkout.session.async_payment_failed', session);
};

/** Ends a debit that is being processed. Returns the decline, or null when it succeeded. */
export const settleDebit = (
  context: Context,
  invoice: Stripe.Invoice,
  outcome: 'succeeded' | 'failed',
): Decline | null => {
  const payment = processingPayment(context, invoice);
  if (outcome === 'succeeded') confirmDebit(context, payment);
  else returnDebit(context, payment);
  return outcome === 'succeeded' ? null : INSUFFICIENT_FUNDS;
};
