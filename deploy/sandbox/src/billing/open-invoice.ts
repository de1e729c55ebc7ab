import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { emit } from '../model/emit-event.ts';
import { buildInvoicePayment } from '../model/invoice-payment.ts';
import { buildPaymentIntent } from '../model/payment-intent.ts';

const addPayment = (context: Context, invoice: Stripe.Invoice): void => {
  const intent = buildPaymentIntent(context, invoice);
  const payment = buildInvoicePayment(context, invoice, intent.id);
  context.state.paymentIntents.set(intent.id, intent);
  context.state.invoicePayments.set(payment.id, payment);
};

/** Finalizes a draft: assigns its number and makes it payable. */
export const openInvoice = (context: Context, invoice: Stripe.Invoice, customer: Stripe.Customer): void => {
  const sequence = customer.next_invoice_sequence ?? 1;
  customer.next_invoice_sequence = sequence + 1;
  if (invoice.amount_due > 0) addPayment(context, invoice);
  invoice.status = 'open';
  invoice.number = `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`;
  invoice.status_transitions.finalized_at = now(context);
  invoice.effective_at = now(context);
  invoice.ending_balance = 0;
  invoice.automatically_finalizes_at = null;
  invoice.hosted_invoice_url = `${context.publicUrl}/i/${invoice.id}`;
  emit(context, 'invoice.finalized', invoice);
};
