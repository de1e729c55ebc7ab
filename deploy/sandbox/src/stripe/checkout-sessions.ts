import Joi from 'joi';
import type Stripe from 'stripe';
import { expireCheckout } from '../billing/expire-checkout.ts';
import { now, type Context } from '../context.ts';
import { refId } from '../ids.ts';
import { buildCheckoutSession, buildLineItem } from '../model/checkout-session.ts';
import { invalidRequest } from '../model/errors.ts';
import { requireTaxParams, taxFields, taxParams, type TaxParams } from './checkout-tax.ts';
import type { SubscriptionDraft } from '../state.ts';
import { NO_PARAMS, defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById, getReferenced, getReferencedCustomer } from './lookup.ts';
import { matches, pageParams, paginate, type PageParams } from './pagination.ts';
import {
  matchesTime,
  mergeMetadata,
  metadataParam,
  textParam,
  timeFilterParam,
  type MetadataPatch,
  type TimeFilter,
} from './params.ts';

type LineItemParams = {
  price: string;
  quantity?: number;
};

type CreateParams = TaxParams & {
  mode: 'subscription';
  line_items: LineItemParams[];
  success_url: string;
  cancel_url?: string;
  customer?: string;
  customer_email?: string;
  client_reference_id?: string;
  metadata?: MetadataPatch;
  subscription_data?: { metadata?: MetadataPatch; description?: string };
  expires_at?: number;
  locale?: Stripe.Checkout.Session.Locale;
  payment_method_types?: string[];
};

// Joi's `uri()` rejects the template {CHECKOUT_SESSION_ID}, which Stripe allows.
const returnAddress = Joi.string()
  .max(5000)
  .pattern(/^https?:\/\/\S+$/, 'address');

const createParams = Joi.object<CreateParams>({
  mode: Joi.string().valid('subscription').required(),
  line_items: Joi.array()
    .items(Joi.object({ price: Joi.string().required(), quantity: Joi.number().integer().min(1) }))
    .min(1)
    .max(20)
    .required(),
  success_url: returnAddress.required(),
  cancel_url: returnAddress,
  customer: Joi.string(),
  customer_email: Joi.string().email({ tlds: false }),
  client_reference_id: Joi.string().max(200),
  metadata: metadataParam,
  subscription_data: Joi.object({ metadata: metadataParam, description: textParam }),
  expires_at: Joi.number().integer(),
  locale: Joi.string(),
  payment_method_types: Joi.array().items(Joi.string().valid('card', 'us_bank_account')),
  ...taxParams,
});

const HALF_HOUR = 1800;
const DAY = 86_400;

const customerOf = (context: Context, { customer, customer_email }: CreateParams): Stripe.Customer | null => {
  if (customer === undefined) return null;
  if (customer_email !== undefined) {
    const message = 'You may only specify one of these parameters: customer, customer_email.';
    throw invalidRequest({ message, param: 'customer' });
  }
  return getReferencedCustomer(context, customer);
};

const lineItemOf = (
  context: Context,
  { price: id, quantity }: LineItemParams,
  index: number,
): Stripe.LineItem => {
  const param = `line_items[${index}][price]`;
  const price = getReferenced(context.state.prices, { kind: 'price', id, param });
  if (!price.active) throw invalidRequest({ message: `The price ${id} is inactive.`, param });
  if (!price.recurring) {
    const message = 'You must provide at least one recurring price in `subscription` mode.';
    throw invalidRequest({ message, param });
  }
  if (quantity === undefined) {
    const message = `Quantity is required. Add \`quantity\` to \`line_items[${index}]\``;
    throw invalidRequest({ message, param: `line_items[${index}][quantity]` });
  }
  const product = context.state.products.get(refId(price.product) ?? '');
  return buildLineItem(price, quantity, product?.name ?? price.nickname ?? price.id);
};

const expiryOf = (context: Context, { expires_at }: CreateParams): number => {
  const time = now(context);
  if (expires_at === undefined) return time + DAY;
  // The limits tolerate 10 s of clock skew between the client and the sandbox.
  if (expires_at < time + HALF_HOUR - 10) {
    const message = 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.';
    throw invalidRequest({ message, param: 'expires_at' });
  }
  if (expires_at > time + DAY + 10) {
    const message = 'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.';
    throw invalidRequest({ message, param: 'expires_at' });
  }
  return expires_at;
};

const draftOf = ({ subscription_data, automatic_tax }: CreateParams): SubscriptionDraft => ({
  metadata: mergeMetadata({}, subscription_data?.metadata),
  description: subscription_data?.description ?? null,
  automaticTax: automatic_tax?.enabled ?? false,
});

const create = (context: Context, params: CreateParams): Stripe.Checkout.Session => {
  const { state } = context;
  const customer = customerOf(context, params);
  requireTaxParams(customer, params);
  const lineItems = params.line_items.map((item, index) => lineItemOf(context, item, index));
  const session = buildCheckoutSession(context, {
    customer,
    customerEmail: params.customer_email ?? null,
    lineItems,
    successUrl: params.success_url,
    cancelUrl: params.cancel_url ?? null,
    clientReferenceId: params.client_reference_id ?? null,
    metadata: mergeMetadata({}, params.metadata),
    expiresAt: expiryOf(context, params),
    locale: params.locale ?? null,
  });
  Object.assign(session, taxFields(params));
  state.checkoutSessions.set(session.id, session);
  state.lineItems.set(session.id, lineItems);
  state.subscriptionDrafts.set(session.id, draftOf(params));
  return session;
};

export const getCheckoutSession = (context: Context, id: string): Stripe.Checkout.Session =>
  getById(context.state.checkoutSessions, 'checkout.session', id);

const expire = (context: Context, _params: unknown, id: string): Stripe.Checkout.Session => {
  const session = getCheckoutSession(context, id);
  if (session.status !== 'open') {
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Session has a status of ${session.status}.`;
    throw invalidRequest({ message, param: 'session' });
  }
  expireCheckout(context, session);
  return session;
};

type ListParams = PageParams & {
  customer?: string;
  subscription?: string;
  status?: string;
  created?: TimeFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  customer: Joi.string(),
  subscription: Joi.string(),
  status: Joi.string().valid('open', 'complete', 'expired'),
  created: timeFilterParam,
});

const path = '/v1/checkout/sessions';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Checkout.Session> => {
  const { customer, subscription, status, created } = params;
  const filter = (session: Stripe.Checkout.Session) =>
    matches(customer, refId(session.customer)) &&
    matches(subscription, refId(session.subscription)) &&
    matches(status, session.status) &&
    matchesTime(session.created, created);
  return paginate(params, { rows: context.state.checkoutSessions.values(), url: path, filter });
};

const listLineItems = (context: Context, params: PageParams, id: string): Stripe.ApiList<Stripe.LineItem> => {
  const { id: session } = getCheckoutSession(context, id);
  const rows = [...(context.state.lineItems.get(session) ?? [])].reverse();
  return paginate(params, { rows, url: `${path}/${session}/line_items` });
};

export const checkoutSessionEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path, params: createParams, handle: create }),
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, getCheckoutSession),
  defineEndpoint({ method: 'post', path: `${path}/:id/expire`, params: NO_PARAMS, handle: expire }),
  defineEndpoint({
    method: 'get',
    path: `${path}/:id/line_items`,
    params: Joi.object<PageParams>(pageParams),
    handle: listLineItems,
  }),
];
