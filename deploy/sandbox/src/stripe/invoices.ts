import Joi from 'joi';
import type Stripe from 'stripe';
import { markUncollectible, voidInvoice } from '../billing/close-invoice.ts';
import { previewItems } from '../billing/change-items.ts';
import { collectInvoice } from '../billing/collect-invoice.ts';
import { finalizeAndCollect } from '../billing/renew-subscription.ts';
import type { Context } from '../context.ts';
import { emit } from '../model/emit-event.ts';
import { cardError, invalidRequest } from '../model/errors.ts';
import { buildManualInvoice, isProcessing, subscriptionIdOf } from '../model/invoice.ts';
import { refId } from '../state.ts';
import { defineEndpoint, type Endpoint, NO_PARAMS, retrieveEndpoint } from './endpoint.ts';
import {
  getById,
  getReferenced,
  getReferencedCustomer,
  matches,
  pageParams,
  type PageParams,
  paginate,
} from './pagination.ts';
import { itemsChangeOf } from './subscriptions.ts';
import { matchesTime, type TimeFilter, timeFilterParam } from './params.ts';

export const getInvoice = (context: Context, id: string): Stripe.Invoice =>
  getById(context.state.invoices, 'invoice', id);

type PayParams = {
  payment_method?: string;
  off_session?: boolean;
};

const payParams = Joi.object<PayParams>({ payment_method: Joi.string(), off_session: Joi.boolean() });

// A void invoice is final; one that was given up can still be paid.
const requirePayable = (context: Context, { id, status }: Stripe.Invoice): void => {
  if (status !== 'open' && status !== 'uncollectible') {
    throw invalidRequest({ message: `Invoice ${id} is ${status}; only an open one can be paid.` });
  }
  if (isProcessing(context, getInvoice(context, id))) {
    throw invalidRequest({ message: `A payment of invoice ${id} is being processed.` });
  }
};

const pay = (context: Context, params: PayParams, id: string): Stripe.Invoice => {
  const invoice = getInvoice(context, id);
  if (invoice.status === 'paid') {
    throw invalidRequest({ code: 'invoice_already_paid', message: 'Invoice is already paid' });
  }
  requirePayable(context, invoice);
  const paymentMethod = params.payment_method;
  if (paymentMethod !== undefined) {
    const reference = { kind: 'PaymentMethod', id: paymentMethod, param: 'payment_method' };
    getReferenced(context.state.paymentMethods, reference);
    invoice.default_payment_method = paymentMethod;
  }
  const decline = collectInvoice(context, invoice, { by: 'customer', isAuthenticated: false });
  if (decline) throw cardError(decline);
  return invoice;
};

const finalize = (context: Context, _params: unknown, id: string): Stripe.Invoice => {
  const invoice = getInvoice(context, id);
  if (invoice.status !== 'draft') {
    const message = "This invoice is already finalized, you can't re-finalize a non-draft invoice.";
    throw invalidRequest({ message });
  }
  finalizeAndCollect(context, invoice, getReferencedCustomer(context, refId(invoice.customer) ?? ''));
  return invoice;
};

type PreviewParams = {
  customer?: string;
  subscription: string;
  subscription_details: {
    items: { id: string; price: string; quantity?: number }[];
    proration_behavior: 'always_invoice';
    proration_date?: number;
  };
};

const previewParams = Joi.object<PreviewParams>({
  customer: Joi.string(),
  subscription: Joi.string().required(),
  subscription_details: Joi.object({
    items: Joi.array()
      .items(
        Joi.object({
          id: Joi.string().required(),
          price: Joi.string().required(),
          quantity: Joi.number().integer().min(1),
        }),
      )
      .min(1)
      .required(),
    proration_behavior: Joi.string().valid('always_invoice').required(),
    proration_date: Joi.number().integer(),
  }).required(),
});

const preview = (context: Context, params: PreviewParams): Stripe.Invoice => {
  const reference = { kind: 'subscription', id: params.subscription, param: 'subscription' };
  const subscription = getReferenced(context.state.subscriptions, reference);
  return previewItems(
    context,
    subscription,
    itemsChangeOf(context, subscription, params.subscription_details),
  );
};

type CreateParams = { customer: string; subscription?: string; pending_invoice_items_behavior: string };

const createParams = Joi.object<CreateParams>({
  customer: Joi.string().required(),
  subscription: Joi.string(),
  pending_invoice_items_behavior: Joi.string().valid('include').required(),
});

const create = (context: Context, params: CreateParams): Stripe.Invoice => {
  const { subscriptions, invoices } = context.state;
  const customer = getReferencedCustomer(context, params.customer);
  const id = params.subscription ?? null;
  const subscription =
    id === null ? null : getReferenced(subscriptions, { kind: 'subscription', id, param: 'subscription' });
  const invoice = buildManualInvoice(context, { customer, subscription });
  invoices.set(invoice.id, invoice);
  emit(context, 'invoice.created', invoice);
  return invoice;
};

type ListParams = PageParams & {
  customer?: string;
  subscription?: string;
  status?: string;
  collection_method?: string;
  created?: TimeFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  customer: Joi.string(),
  subscription: Joi.string(),
  status: Joi.string().valid('draft', 'open', 'paid', 'uncollectible', 'void'),
  collection_method: Joi.string().valid('charge_automatically', 'send_invoice'),
  created: timeFilterParam,
});

const path = '/v1/invoices';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Invoice> => {
  const { customer, subscription, status, collection_method, created } = params;
  const filter = (invoice: Stripe.Invoice) =>
    matches(subscription, subscriptionIdOf(invoice)) &&
    matches(status, invoice.status) &&
    matches(collection_method, invoice.collection_method) &&
    matchesTime(invoice.created, created);
  return paginate(params, { rows: context.state.invoices.of(customer), url: path, filter });
};

const listLines = (
  context: Context,
  params: PageParams,
  id: string,
): Stripe.ApiList<Stripe.InvoiceLineItem> => {
  const rows = [...getInvoice(context, id).lines.data].reverse();
  return paginate(params, { rows, url: `${path}/${id}/lines` });
};

export const invoiceEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path, params: createParams, handle: create }),
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  defineEndpoint({ method: 'post', path: `${path}/create_preview`, params: previewParams, handle: preview }),
  retrieveEndpoint(`${path}/:id`, getInvoice),
  defineEndpoint({ method: 'post', path: `${path}/:id/finalize`, params: NO_PARAMS, handle: finalize }),
  defineEndpoint({
    method: 'post',
    path: `${path}/:id/void`,
    params: NO_PARAMS,
    handle: (context, _params, id) => voidInvoice(context, getInvoice(context, id)),
  }),
  defineEndpoint({
    method: 'post',
    path: `${path}/:id/mark_uncollectible`,
    params: NO_PARAMS,
    handle: (context, _params, id) => markUncollectible(context, getInvoice(context, id)),
  }),
  defineEndpoint({ method: 'post', path: `${path}/:id/pay`, params: payParams, handle: pay }),
  defineEndpoint({
    method: 'get',
    path: `${path}/:id/lines`,
    params: Joi.object<PageParams>(pageParams),
    handle: listLines,
  }),
];

type PaymentListParams = PageParams & {
  invoice?: string;
  status?: string;
  payment?: { type: string; payment_intent?: string };
  created?: TimeFilter;
};

const paymentListParams = Joi.object<PaymentListParams>({
  ...pageParams,
  invoice: Joi.string(),
  status: Joi.string().valid('canceled', 'open', 'paid'),
  payment: Joi.object({
    type: Joi.string().valid('payment_intent').required(),
    payment_intent: Joi.string(),
  }),
  created: timeFilterParam,
});

const paymentPath = '/v1/invoice_payments';

const listPayments = (context: Context, params: PaymentListParams): Stripe.ApiList<Stripe.InvoicePayment> => {
  const { invoice, status, payment, created } = params;
  const intent = payment?.payment_intent;
  const filter = (row: Stripe.InvoicePayment) =>
    matches(status, row.status) &&
    matches(intent, refId(row.payment.payment_intent)) &&
    matchesTime(row.created, created);
  return paginate(params, { rows: context.state.invoicePayments.of(invoice), url: paymentPath, filter });
};

export const invoicePaymentEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path: paymentPath, params: paymentListParams, handle: listPayments }),
  retrieveEndpoint(`${paymentPath}/:id`, (context, id) =>
    getById(context.state.invoicePayments, 'invoice_payment', id),
  ),
];
