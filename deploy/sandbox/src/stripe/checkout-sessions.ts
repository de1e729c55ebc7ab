import Joi from 'joi';
import type Stripe from 'stripe';
import { expireCheckout } from '../billing/expire-checkout.ts';
import { refId } from '../ids.ts';
import { now, type World } from '../context.ts';
import { buildCheckoutSession, buildLineItem } from '../model/checkout-session.ts';
import { door, noParams, retrieveDoor, type Door } from './endpoint.ts';
import { invalidRequest } from '../model/errors.ts';
import { getFrom, getNamed, getNamedCustomer } from './lookup.ts';
import { fits, page, pageParams, type PageParams } from './pagination.ts';
import { createdParam, isWithin, mergeMetadata, metadataParam, textParam } from './params.ts';
import type { CreatedFilter, MetadataPatch } from './params.ts';

type LineItemParams = {
  price: string;
  quantity?: number;
};

type CreateParams = {
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

// Not a checked address: a template such as {CHECKOUT_SESSION_ID} is not valid in one.
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
  payment_method_types: Joi.array().items(Joi.string().valid('card')),
});

const halfHour = 1800;
const day = 86_400;

const customerOf = (world: World, { customer, customer_email }: CreateParams): Stripe.Customer | null => {
  if (customer === undefined) return null;
  if (customer_email !== undefined) {
    const message = 'You may only specify one of these parameters: customer, customer_email.';
    throw invalidRequest({ message, param: 'customer' });
  }
  return getNamedCustomer(world, customer);
};

const lineItemOf = (
  world: World,
  { price: id, quantity }: LineItemParams,
  place: number,
): Stripe.LineItem => {
  const param = `line_items[${place}][price]`;
  const price = getNamed(world.state.prices, { kind: 'price', id, param });
  if (!price.active) throw invalidRequest({ message: `The price ${id} is inactive.`, param });
  if (!price.recurring) {
    const message = 'You must provide at least one recurring price in `subscription` mode.';
    throw invalidRequest({ message, param });
  }
  if (quantity === undefined) {
    const message = `Quantity is required. Add \`quantity\` to \`line_items[${place}]\``;
    throw invalidRequest({ message, param: `line_items[${place}][quantity]` });
  }
  const product = world.state.products.get(refId(price.product) ?? '');
  return buildLineItem(price, quantity, product?.name ?? price.nickname ?? price.id);
};

const expiryOf = (world: World, { expires_at }: CreateParams): number => {
  const time = now(world);
  if (expires_at === undefined) return time + day;
  // The caller's clock and ours are not the same: a few seconds either way are not their mistake.
  if (expires_at < time + halfHour - 10) {
    const message = 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.';
    throw invalidRequest({ message, param: 'expires_at' });
  }
  if (expires_at > time + day + 10) {
    const message = 'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.';
    throw invalidRequest({ message, param: 'expires_at' });
  }
  return expires_at;
};

const create = (world: World, params: CreateParams): Stripe.Checkout.Session => {
  const { state } = world;
  const customer = customerOf(world, params);
  const lineItems = params.line_items.map((item, place) => lineItemOf(world, item, place));
  const session = buildCheckoutSession(world, {
    customer,
    customerEmail: params.customer_email ?? null,
    lineItems,
    successUrl: params.success_url,
    cancelUrl: params.cancel_url ?? null,
    clientReferenceId: params.client_reference_id ?? null,
    metadata: mergeMetadata({}, params.metadata),
    expiresAt: expiryOf(world, params),
    locale: params.locale ?? null,
  });
  state.checkoutSessions.set(session.id, session);
  state.lineItems.set(session.id, lineItems);
  state.subscriptionDrafts.set(session.id, {
    metadata: mergeMetadata({}, params.subscription_data?.metadata),
    description: params.subscription_data?.description ?? null,
  });
  return session;
};

export const getCheckoutSession = (world: World, id: string): Stripe.Checkout.Session =>
  getFrom(world.state.checkoutSessions, 'checkout.session', id);

const expire = (world: World, _params: unknown, id: string): Stripe.Checkout.Session => {
  const session = getCheckoutSession(world, id);
  if (session.status !== 'open') {
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Session has a status of ${session.status}.`;
    throw invalidRequest({ message, param: 'session' });
  }
  expireCheckout(world, session);
  return session;
};

type ListParams = PageParams & {
  customer?: string;
  subscription?: string;
  status?: string;
  created?: CreatedFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  customer: Joi.string(),
  subscription: Joi.string(),
  status: Joi.string().valid('open', 'complete', 'expired'),
  created: createdParam,
});

const path = '/v1/checkout/sessions';

const list = (world: World, params: ListParams): Stripe.ApiList<Stripe.Checkout.Session> => {
  const { customer, subscription, status, created } = params;
  const keep = (session: Stripe.Checkout.Session) =>
    fits(customer, refId(session.customer)) &&
    fits(subscription, refId(session.subscription)) &&
    fits(status, session.status) &&
    isWithin(session.created, created);
  return page(params, { rows: world.state.checkoutSessions.values(), url: path, keep });
};

const listLineItems = (world: World, params: PageParams, id: string): Stripe.ApiList<Stripe.LineItem> => {
  const { id: session } = getCheckoutSession(world, id);
  const rows = [...(world.state.lineItems.get(session) ?? [])].reverse();
  return page(params, { rows, url: `${path}/${session}/line_items` });
};

export const checkoutSessionDoors: Door[] = [
  door({ method: 'post', path, params: createParams, run: create }),
  door({ method: 'get', path, params: listParams, run: list }),
  retrieveDoor(`${path}/:id`, getCheckoutSession),
  door({ method: 'post', path: `${path}/:id/expire`, params: noParams, run: expire }),
  door({
    method: 'get',
    path: `${path}/:id/line_items`,
    params: Joi.object<PageParams>(pageParams),
    run: listLineItems,
  }),
];
