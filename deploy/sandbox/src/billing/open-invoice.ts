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

/** Leaves the invoice a draft, as when Stripe cannot compute the tax of the customer. */
export const failFinalization = (context: Context, invoice: Stripe.Invoice): void => {
  invoice.last_finalization_error = {
    type: 'invalid_request_error',
    code: 'customer_tax_location_invalid',
    message:
      "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
  };
  invoice.automatically_finalizes_at = null;
  emit(context, 'invoice.finalization_failed', invoice);
};

/** Finalizes a draft: assigns its number and makes it payable. */
export const openInvoice = (context: Context, invoice: Stripe.Invoice, customer: Stripe.Customer): void => {
  const sequence = customer.next_invoice_sequence ?? 1;
  customer.next_invoice_sequence = sequence + 1;
  if (invoice.amount_due > 0) addPayment(context, invoice);
  invoice.status = 'open';
  invoice.last_finalization_error = null;
  invoice.number = `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`;
  invoice.status_transitions.finalized_at = now(context);
  invoice.effective_at = now(context);
  invoice.ending_balance = 0;
  invoice.automatically_finalizes_at = null;
  invoice.hosted_invoice_url = `${context.publicUrl}/i/${invoice.id}`;
  emit(context, 'invoice.finalized', invoice);
};
