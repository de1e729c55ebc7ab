import Joi from 'joi';
import type Stripe from 'stripe';
import { newId, refId } from '../ids.ts';
import { now, type World } from '../context.ts';
import { door, retrieveDoor, type Door } from './endpoint.ts';
import { getFrom } from './lookup.ts';
import { fits, page, pageParams, type PageParams } from './pagination.ts';
import { createdParam, isWithin, type CreatedFilter } from './params.ts';

export const buildInvoicePayment = (
  world: World,
  invoice: Stripe.Invoice,
  paymentIntent: string,
): Stripe.InvoicePayment => ({
  id: newId('inpay'),
  object: 'invoice_payment',
  amount_paid: null,
  amount_requested: invoice.amount_due,
  created: now(world),
  currency: invoice.currency,
  invoice: invoice.id,
  is_default: true,
  livemode: false,
  payment: { payment_intent: paymentIntent, type: 'payment_intent' },
  status: 'open',
  status_transitions: { canceled_at: null, paid_at: null },
});

export const paymentsOf = (world: World, invoice: string): Stripe.InvoicePayment[] =>
  [...world.state.invoicePayments.values()].filter((payment) => refId(payment.invoice) === invoice);

export const paymentIntentOf = (world: World, invoice: string): string | null =>
  refId(paymentsOf(world, invoice)[0]?.payment.payment_intent);

type ListParams = PageParams & {
  invoice?: string;
  status?: string;
  payment?: { type: string; payment_intent?: string };
  created?: CreatedFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  invoice: Joi.string(),
  status: Joi.string().valid('canceled', 'open', 'paid'),
  payment: Joi.object({
    type: Joi.string().valid('payment_intent').required(),
    payment_intent: Joi.string(),
  }),
  created: createdParam,
});

const path = '/v1/invoice_payments';

const list = (world: World, params: ListParams): Stripe.ApiList<Stripe.InvoicePayment> => {
  const { invoice, status, payment, created } = params;
  const intent = payment?.payment_intent;
  const keep = (row: Stripe.InvoicePayment) =>
    fits(invoice, refId(row.invoice)) &&
    fits(status, row.status) &&
    fits(intent, refId(row.payment.payment_intent)) &&
    isWithin(row.created, created);
  return page(params, { rows: world.state.invoicePayments.values(), url: path, keep });
};

export const invoicePaymentDoors: Door[] = [
  door({ method: 'get', path, params: listParams, run: list }),
  retrieveDoor(`${path}/:id`, (world, id) => getFrom(world.state.invoicePayments, 'invoice_payment', id)),
];
