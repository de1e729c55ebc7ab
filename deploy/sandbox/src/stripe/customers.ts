import Joi from 'joi';
import type Stripe from 'stripe';
import { addCustomer } from '../billing/attach-card.ts';
import { endSubscription } from '../billing/renew-subscription.ts';
import { type Context, now } from '../context.ts';
import { buildCustomer, parseEmail } from '../model/customer.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';
import { isOngoing } from '../model/subscription.ts';
import { refId } from '../state.ts';
import { defineEndpoint, type Endpoint, retrieveEndpoint } from './endpoint.ts';
import { getById, getReferenced, matches, pageParams, type PageParams, paginate } from './pagination.ts';
import {
  matchesTime,
  mergeMetadata,
  metadataParam,
  type MetadataPatch,
  textParam,
  type TimeFilter,
  timeFilterParam,
} from './params.ts';

type CustomerParams = {
  email?: string;
  name?: string;
  phone?: string;
  description?: string;
  metadata?: MetadataPatch;
  address?: Record<string, string>;
  preferred_locales?: string[];
  invoice_settings?: { default_payment_method: string };
};

const text = textParam.allow('');

const customerParams = Joi.object<CustomerParams>({
  email: Joi.string().max(512).allow(''),
  name: text,
  phone: text,
  description: text,
  metadata: metadataParam,
  address: Joi.object().pattern(Joi.valid('city', 'country', 'line1', 'line2', 'postal_code', 'state'), text),
  preferred_locales: Joi.array().items(Joi.string()),
  invoice_settings: Joi.object({ default_payment_method: Joi.string().required() }),
});

const addressOf = (input: Record<string, string>): Stripe.Address => {
  const part = (name: string) => input[name] || null;
  return {
    city: part('city'),
    country: part('country'),
    line1: part('line1'),
    line2: part('line2'),
    postal_code: part('postal_code'),
    state: part('state'),
  };
};

const applyParams = (context: Context, customer: Stripe.Customer, params: CustomerParams): void => {
  const { email, metadata, address, preferred_locales, invoice_settings } = params;
  if (email !== undefined) customer.email = parseEmail(email);
  for (const name of ['name', 'phone', 'description'] as const) {
    const value = params[name];
    if (value !== undefined) customer[name] = value || null;
  }
  customer.metadata = mergeMetadata(customer.metadata, metadata);
  if (address) customer.address = addressOf(address);
  if (preferred_locales) customer.preferred_locales = preferred_locales;
  if (invoice_settings) {
    const id = invoice_settings.default_payment_method;
    const param = 'invoice_settings[default_payment_method]';
    getReferenced(context.state.paymentMethods, { kind: 'PaymentMethod', id, param });
    customer.invoice_settings.default_payment_method = id;
  }
};

const create = (context: Context, params: CustomerParams): Stripe.Customer => {
  const customer = buildCustomer(context, { email: null, name: null });
  applyParams(context, customer, params);
  addCustomer(context, customer);
  return customer;
};

const retrieve = (context: Context, id: string): Stripe.Customer | Stripe.DeletedCustomer =>
  context.state.deletedCustomers.get(id) ?? getById(context.state.customers, 'customer', id);

const update = (context: Context, params: CustomerParams, id: string): Stripe.Customer => {
  const customer = getById(context.state.customers, 'customer', id);
  const previous = captureChanges(customer, () => applyParams(context, customer, params));
  emitUpdate(context, 'customer.updated', { object: customer, previous });
  return customer;
};

/** How long the search lags behind a deletion, in seconds: https://docs.stripe.com/search#data-freshness */
const INDEX_DELAY = 60;

const remove = (context: Context, _params: unknown, id: string): Stripe.DeletedCustomer => {
  const { customers, deletedCustomers, subscriptions } = context.state;
  const customer = getById(customers, 'customer', id);
  for (const subscription of subscriptions.values()) {
    if (refId(subscription.customer) === id && isOngoing(subscription)) {
      endSubscription(context, subscription, 'cancellation_requested');
    }
  }
  customers.delete(id);
  context.state.indexedCustomers.set(id, { customer, until: now(context) + INDEX_DELAY });
  const deleted: Stripe.DeletedCustomer = { id, object: 'customer', deleted: true };
  deletedCustomers.set(id, deleted);
  emit(context, 'customer.deleted', customer);
  return deleted;
};

type ListParams = PageParams & {
  email?: string;
  created?: TimeFilter;
};

const path = '/v1/customers';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Customer> => {
  const { email, created } = params;
  const filter = (customer: Stripe.Customer) =>
    matches(email, customer.email) && matchesTime(customer.created, created);
  return paginate(params, { rows: context.state.customers.values(), url: path, filter });
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  email: Joi.string().max(512),
  created: timeFilterParam,
});

/** Of Stripe's query language, the one clause that the product uses: metadata['key']:'value'. */
const CLAUSE = /^metadata\['(?<key>[^']+)'\]:'(?<value>[^']*)'$/;

const search = (context: Context, { query, limit }: { query: string; limit: number }) => {
  const { key = '', value } = CLAUSE.exec(query)?.groups ?? {};
  if (value === undefined)
    throw invalidRequest({ message: `The query ${query} is not understood.`, param: 'query' });
  if (!context.settings.searchAllowed) {
    const message =
      'The search feature is temporarily unavailable in your region. Please use the list API instead.';
    throw invalidRequest({ message });
  }
  const { customers, indexedCustomers } = context.state;
  const indexed = [...indexedCustomers.values()].filter(({ until }) => until > now(context));
  const data = [...customers.values(), ...indexed.map(({ customer }) => customer)].filter(
    ({ metadata }) => metadata[key] === value,
  );
  return {
    object: 'search_result',
    url: `${path}/search`,
    has_more: data.length > limit,
    next_page: null,
    data: data.slice(0, limit),
  };
};

const searchParams = Joi.object<{ query: string; limit: number }>({
  query: Joi.string().required(),
  limit: Joi.number().integer().min(1).max(100).default(10),
});

export const customerEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path: `${path}/search`, params: searchParams, handle: search }),
  defineEndpoint({ method: 'post', path, params: customerParams, handle: create }),
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, retrieve),
  defineEndpoint({ method: 'post', path: `${path}/:id`, params: customerParams, handle: update }),
  defineEndpoint({ method: 'delete', path: `${path}/:id`, params: Joi.object({}), handle: remove }),
];

type MethodListParams = PageParams & {
  customer?: string;
  type?: string;
};

const methodListParams = Joi.object<MethodListParams>({
  ...pageParams,
  customer: Joi.string(),
  type: Joi.string().valid('card'),
});

const methodPath = '/v1/payment_methods';

const listMethods = (context: Context, params: MethodListParams): Stripe.ApiList<Stripe.PaymentMethod> => {
  const filter = (row: Stripe.PaymentMethod) => matches(params.customer, refId(row.customer));
  return paginate(params, { rows: context.state.paymentMethods.values(), url: methodPath, filter });
};

export const paymentMethodEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path: methodPath, params: methodListParams, handle: listMethods }),
  retrieveEndpoint(`${methodPath}/:id`, (context, id) =>
    getById(context.state.paymentMethods, 'PaymentMethod', id),
  ),
];
