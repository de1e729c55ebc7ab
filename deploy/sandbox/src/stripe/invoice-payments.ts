import Joi from 'joi';
import type Stripe from 'stripe';
import { newId, refId } from '../ids.ts';
import { now, type Context } from '../context.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { matches, paginate, pageParams, type PageParams } from './pagination.ts';
import { timeFilterParam, matchesTime, type TimeFilter } from './params.ts';

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

type ListParams = PageParams & {
  invoice?: string;
  status?: string;
  payment?: { type: string; payment_intent?: string };
  created?: TimeFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  invoice: Joi.string(),
  status: Joi.string().valid('canceled', 'open', 'paid'),
  payment: Joi.object({
    type: Joi.string().valid('payment_intent').required(),
    payment_intent: Joi.string(),
  }),
  created: timeFilterParam,
});

const path = '/v1/invoice_payments';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.InvoicePayment> => {
  const { invoice, status, payment, created } = params;
  const intent = payment?.payment_intent;
  const keep = (row: Stripe.InvoicePayment) =>
    matches(invoice, refId(row.invoice)) &&
    matches(status, row.status) &&
    matches(intent, refId(row.payment.payment_intent)) &&
    matchesTime(row.created, created);
  return paginate(params, { rows: context.state.invoicePayments.values(), url: path, keep });
};

export const invoicePaymentEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, run: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) =>
    getById(context.state.invoicePayments, 'invoice_payment', id),
  ),
];
