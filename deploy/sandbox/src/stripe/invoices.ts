import Joi from 'joi';
import type Stripe from 'stripe';
import { collectInvoice } from '../billing/collect-invoice.ts';
import { subscriptionIdOf } from '../billing/subscription-status.ts';
import { refId } from '../ids.ts';
import type { World } from '../context.ts';
import { door, retrieveDoor, type Door } from './endpoint.ts';
import { cardError, invalidRequest } from '../model/errors.ts';
import { getFrom, getNamed } from './lookup.ts';
import { fits, page, pageParams, type PageParams } from './pagination.ts';
import { createdParam, isWithin, type CreatedFilter } from './params.ts';

export const getInvoice = (world: World, id: string): Stripe.Invoice =>
  getFrom(world.state.invoices, 'invoice', id);

type PayParams = {
  payment_method?: string;
  off_session?: boolean;
};

const payParams = Joi.object<PayParams>({ payment_method: Joi.string(), off_session: Joi.boolean() });

const pay = (world: World, params: PayParams, id: string): Stripe.Invoice => {
  const invoice = getInvoice(world, id);
  if (invoice.status === 'paid') {
    throw invalidRequest({ code: 'invoice_already_paid', message: 'Invoice is already paid' });
  }
  if (invoice.status !== 'open') {
    throw invalidRequest({ message: `Invoice ${id} is ${invoice.status}; only an open one can be paid.` });
  }
  const paymentMethod = params.payment_method;
  if (paymentMethod !== undefined) {
    const reference = { kind: 'PaymentMethod', id: paymentMethod, param: 'payment_method' };
    getNamed(world.state.paymentMethods, reference);
    invoice.default_payment_method = paymentMethod;
  }
  const decline = collectInvoice(world, invoice, { by: 'owner', isConfirmed: false });
  if (decline) throw cardError(decline);
  return invoice;
};

type ListParams = PageParams & {
  customer?: string;
  subscription?: string;
  status?: string;
  collection_method?: string;
  created?: CreatedFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  customer: Joi.string(),
  subscription: Joi.string(),
  status: Joi.string().valid('draft', 'open', 'paid', 'uncollectible', 'void'),
  collection_method: Joi.string().valid('charge_automatically', 'send_invoice'),
  created: createdParam,
});

const path = '/v1/invoices';

const list = (world: World, params: ListParams): Stripe.ApiList<Stripe.Invoice> => {
  const { customer, subscription, status, collection_method, created } = params;
  const keep = (invoice: Stripe.Invoice) =>
    fits(customer, refId(invoice.customer)) &&
    fits(subscription, subscriptionIdOf(invoice)) &&
    fits(status, invoice.status) &&
    fits(collection_method, invoice.collection_method) &&
    isWithin(invoice.created, created);
  return page(params, { rows: world.state.invoices.values(), url: path, keep });
};

const listLines = (world: World, params: PageParams, id: string): Stripe.ApiList<Stripe.InvoiceLineItem> => {
  const rows = [...getInvoice(world, id).lines.data].reverse();
  return page(params, { rows, url: `${path}/${id}/lines` });
};

export const invoiceDoors: Door[] = [
  door({ method: 'get', path, params: listParams, run: list }),
  retrieveDoor(`${path}/:id`, getInvoice),
  door({ method: 'post', path: `${path}/:id/pay`, params: payParams, run: pay }),
  door({
    method: 'get',
    path: `${path}/:id/lines`,
    params: Joi.object<PageParams>(pageParams),
    run: listLines,
  }),
];
