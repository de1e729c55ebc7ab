import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { buildPaymentIntent } from '../model/charge.ts';
import { emit } from '../model/emit-event.ts';
import type { Reduction } from '../model/discount.ts';
import { buildInvoicePayment } from '../model/invoice.ts';

/** Applies a coupon to an invoice, line by line. An amount is taken off the lines in their order, and off no credit. */
export const discountInvoice = (
  invoice: Stripe.Invoice,
  { id: discount, percentOff, amountOff }: Reduction,
): void => {
  let amount = 0;
  for (const line of invoice.lines.data) {
    const rest = Math.max(0, Math.min(line.amount, (amountOff ?? 0) - amount));
    const off = percentOff === null ? rest : Math.round((line.amount * percentOff) / 100);
    line.discounts = [discount];
    line.discount_amounts = [{ amount: off, discount }];
    amount += off;
  }
  invoice.discounts = [discount];
  invoice.total_discount_amounts = [{ amount, discount }];
  invoice.total = invoice.subtotal - amount;
  invoice.total_excluding_tax = invoice.total;
  invoice.amount_due = invoice.total;
  invoice.amount_remaining = invoice.total;
};

const AUTOMATIC_PERCENT = 8;

/** Adds the tax to the discounted total: automatic tax, or the rate of the account's settings. */
export const taxInvoice = ({ settings }: Context, invoice: Stripe.Invoice, enabled: boolean): void => {
  const percent = settings.taxPercent ?? (enabled ? AUTOMATIC_PERCENT : 0);
  if (percent === 0) return;
  const taxable_amount = invoice.total;
  const amount = Math.round((taxable_amount * percent) / 100);
  if (enabled)
    invoice.automatic_tax = {
      ...invoice.automatic_tax,
      enabled,
      provider: 'stripe',
      status: 'complete',
    };
  invoice.total_taxes = [
    {
      amount,
      tax_behavior: 'exclusive',
      tax_rate_details: { tax_rate: 'txr_sandbox' },
      taxability_reason: 'standard_rated',
      taxable_amount,
      type: 'tax_rate_details',
    },
  ];
  invoice.total += amount;
  invoice.amount_due = invoice.total;
  invoice.amount_remaining = invoice.total;
};

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
  invoice.invoice_pdf = `${invoice.hosted_invoice_url}/pdf`;
  emit(context, 'invoice.finalized', invoice);
};
