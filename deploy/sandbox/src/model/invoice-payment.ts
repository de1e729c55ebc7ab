import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { newId, refId } from '../ids.ts';

export const buildInvoicePayment = (
  context: Context,
  invoice: Stripe.Invoice,
  paymentIntent: string,
): Stripe.InvoicePayment => ({
  id: newId('inpay'),
  object: 'invoice_payment',
  amount_paid: null,
  amount_requested: invoice.amount_due,
  created: now(context),
  currency: invoice.currency,
  invoice: invoice.id,
  is_default: true,
  livemode: false,
  payment: { payment_intent: paymentIntent, type: 'payment_intent' },
  status: 'open',
  status_transitions: { canceled_at: null, paid_at: null },
});

export const paymentsOf = (context: Context, invoice: string): Stripe.InvoicePayment[] =>
  [...context.state.invoicePayments.values()].filter((payment) => refId(payment.invoice) === invoice);

export const paymentIntentOf = (context: Context, invoice: string): string | null =>
  refId(paymentsOf(context, invoice)[0]?.payment.payment_intent);

/** Whether a debit for the invoice is waiting for the bank. */
export const isProcessing = (context: Context, invoice: Stripe.Invoice): boolean =>
  context.state.paymentIntents.get(paymentIntentOf(context, invoice.id) ?? '')?.status === 'processing';
