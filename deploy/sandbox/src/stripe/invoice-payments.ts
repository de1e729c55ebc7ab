import Joi from 'joi';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { refId } from '../ids.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { matches, pageParams, paginate, type PageParams } from './pagination.ts';
import { matchesTime, timeFilterParam, type TimeFilter } from './params.ts';

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
  const filter = (row: Stripe.InvoicePayment) =>
    matches(invoice, refId(row.invoice)) &&
    matches(status, row.status) &&
    matches(intent, refId(row.payment.payment_intent)) &&
    matchesTime(row.created, created);
  return paginate(params, { rows: context.state.invoicePayments.values(), url: path, filter });
};

export const invoicePaymentEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) =>
    getById(context.state.invoicePayments, 'invoice_payment', id),
  ),
];
