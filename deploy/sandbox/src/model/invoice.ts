import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { newId, refId } from '../state.ts';
import { completeList } from './embedded-lists.ts';
import { buildItemLine, buildLine, takePending } from './invoice-lines.ts';

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

export const paymentsOf = (context: Context, invoice: string): Stripe.InvoicePayment[] => [
  ...context.state.invoicePayments.of(invoice),
];

export const paymentIntentOf = (context: Context, invoice: string): string | null =>
  refId(paymentsOf(context, invoice)[0]?.payment.payment_intent);

/** Whether a debit for the invoice is waiting for the bank. */
export const isProcessing = (context: Context, invoice: Stripe.Invoice): boolean =>
  context.state.paymentIntents.get(paymentIntentOf(context, invoice.id) ?? '')?.status === 'processing';

type InvoiceParts = {
  subscription: Stripe.Subscription;
  customer: Stripe.Customer;
  billingReason: 'subscription_create' | 'subscription_cycle';
  /** The period that has ended. Stripe puts it on the invoice and the period being paid on the invoice lines. */
  invoicedPeriod: { start: number; end: number };
};

const CONSTANT_FIELDS = {
  object: 'invoice',
  account_country: 'US',
  account_name: 'Local sandbox',
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_paid: 0,
  amount_paid_off_stripe: 0,
  amount_shipping: 0,
  application: null,
  attempt_count: 0,
  attempted: false,
  auto_advance: true,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  collection_method: 'charge_automatically',
  custom_fields: null,
  customer_account: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  customer_tax_ids: [],
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  effective_at: null,
  ending_balance: null,
  footer: null,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  metadata: {},
  next_payment_attempt: null,
  number: null,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  status: 'draft',
  status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  total_taxes: [],
  webhooks_delivered_at: null,
} satisfies Partial<Stripe.Invoice>;

type Content = {
  lines: Stripe.InvoiceLineItem[];
  currency: string;
  customer: Stripe.Customer;
};

/** What invoices of a subscription and of a payment have in common. */
const buildFrom = (
  context: Context,
  id: string,
  { lines, currency, customer }: Content,
): Omit<Stripe.Invoice, 'billing_reason' | 'parent' | 'period_end' | 'period_start'> => {
  const created = now(context);
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  return {
    ...structuredClone(CONSTANT_FIELDS),
    id,
    amount_due: total,
    amount_remaining: total,
    automatically_finalizes_at: created,
    created,
    currency,
    customer: customer.id,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    lines: completeList(lines, `/v1/invoices/${id}/lines`),
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
  };
};

const parentOf = ({ id, metadata }: Stripe.Subscription): Stripe.Invoice.Parent => ({
  quote_details: null,
  subscription_details: { metadata, subscription: id },
  type: 'subscription_details',
});

export const buildInvoice = (context: Context, parts: InvoiceParts): Stripe.Invoice => {
  const { subscription, customer, invoicedPeriod } = parts;
  const id = newId('in');
  const started = subscription.items.data.filter((item) => item.current_period_start === invoicedPeriod.end);
  const lines = [
    ...takePending(context, id, { customer: customer.id, subscription: subscription.id }),
    ...started.map((item) => buildLine(id, subscription, item)),
  ];
  return {
    ...buildFrom(context, id, { lines, currency: subscription.currency, customer }),
    billing_reason: parts.billingReason,
    parent: parentOf(subscription),
    period_end: invoicedPeriod.end,
    period_start: invoicedPeriod.start,
  };
};

type UpdateParts = Pick<InvoiceParts, 'subscription' | 'customer'> & {
  id: string;
  lines: Stripe.InvoiceLineItem[];
};

/** The invoice of a change in mid-period. */
export const buildUpdateInvoice = (
  context: Context,
  { id, subscription, customer, lines }: UpdateParts,
): Stripe.Invoice => {
  const time = now(context);
  return {
    ...buildFrom(context, id, { lines, currency: subscription.currency, customer }),
    billing_reason: 'subscription_update',
    parent: parentOf(subscription),
    period_end: time,
    period_start: time,
  };
};

/** A draft of what waits to be invoiced, which an operator orders. */
export const buildManualInvoice = (
  context: Context,
  { customer, subscription }: { customer: Stripe.Customer; subscription: Stripe.Subscription | null },
): Stripe.Invoice => {
  const id = newId('in');
  const time = now(context);
  const of = { customer: customer.id, subscription: subscription?.id ?? null };
  const lines = takePending(context, id, of);
  return {
    ...buildFrom(context, id, {
      lines,
      currency: lines[0]?.currency ?? customer.currency ?? 'usd',
      customer,
    }),
    auto_advance: false,
    automatically_finalizes_at: null,
    billing_reason: 'manual',
    parent: subscription && parentOf(subscription),
    period_end: time,
    period_start: time,
  };
};

type PaymentInvoiceParts = {
  customer: Stripe.Customer;
  lineItems: Stripe.LineItem[];
  metadata: Stripe.Metadata;
};

/** The invoice of a one-time payment: https://docs.stripe.com/payments/checkout/post-payment-invoices */
export const buildPaymentInvoice = (
  context: Context,
  { customer, lineItems, metadata }: PaymentInvoiceParts,
): Stripe.Invoice => {
  const id = newId('in');
  const time = now(context);
  const lines = lineItems.map((item) => buildItemLine(id, item, time));
  return {
    ...buildFrom(context, id, { lines, currency: lineItems[0]?.currency ?? 'usd', customer }),
    billing_reason: 'manual',
    metadata,
    parent: null,
    period_end: time,
    period_start: time,
  };
};

export const subscriptionIdOf = (invoice: Stripe.Invoice): string | null =>
  refId(invoice.parent?.subscription_details?.subscription);

export const openInvoicesOf = ({ state }: Context, { id, customer }: Stripe.Subscription): Stripe.Invoice[] =>
  [...state.invoices.of(refId(customer))].filter(
    (invoice) => invoice.status === 'open' && subscriptionIdOf(invoice) === id,
  );
