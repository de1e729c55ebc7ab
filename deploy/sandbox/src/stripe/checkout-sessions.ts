import Joi from 'joi';
import type Stripe from 'stripe';
import { expireCheckout } from '../billing/pay-checkout.ts';
import { type Context, now } from '../context.ts';
import { DAY, HOUR } from '../model/billing-cycle.rules.ts';
import { buildCheckoutSession, buildLineItem } from '../model/checkout-session.ts';
import { invalidRequest } from '../model/errors.ts';
import { refId, type SubscriptionDraft } from '../state.ts';
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
import {
  modeFields,
  type ModeParams,
  modeParams,
  paymentDraftOf,
  requireModeParams,
  requirePriceOfMode,
} from './checkout-modes.ts';
import {
  matchesTime,
  mergeMetadata,
  metadataParam,
  type MetadataPatch,
  type TimeFilter,
  timeFilterParam,
} from './params.ts';

type Switch = { enabled: boolean };

type TaxParams = {
  automatic_tax?: Switch;
  tax_id_collection?: Switch;
  allow_promotion_codes?: boolean;
  customer_update?: { address?: 'auto' | 'never'; name?: 'auto' | 'never' };
};

const switchParam = Joi.object<Switch>({ enabled: Joi.boolean().required() });
const updateParam = Joi.string().valid('auto', 'never');

const taxParams = {
  automatic_tax: switchParam,
  tax_id_collection: switchParam,
  allow_promotion_codes: Joi.boolean(),
  customer_update: Joi.object({ address: updateParam, name: updateParam }),
};

type Switches = { isTaxed: boolean; collectsTaxIds: boolean };

const switchesOf = ({ automatic_tax, tax_id_collection }: TaxParams): Switches => ({
  isTaxed: automatic_tax?.enabled === true,
  collectsTaxIds: tax_id_collection?.enabled === true,
});

const requireSavedAddress = (customer: Stripe.Customer, params: TaxParams): void => {
  const { isTaxed } = switchesOf(params);
  if (isTaxed && !customer.address && params.customer_update?.address !== 'auto') {
    const message =
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.";
    throw invalidRequest({ message, code: 'customer_tax_location_invalid' });
  }
};

const requireSavedName = (params: TaxParams): void => {
  const { collectsTaxIds } = switchesOf(params);
  if (collectsTaxIds && params.customer_update?.name !== 'auto') {
    const message =
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.';
    throw invalidRequest({ message, param: 'tax_id_collection' });
  }
};

/** Refuses what Checkout cannot do for an existing customer without saving their address or name. */
const requireTaxParams = (customer: Stripe.Customer | null, params: TaxParams): void => {
  if (customer !== null) {
    requireSavedAddress(customer, params);
    requireSavedName(params);
  } else if (params.customer_update !== undefined) {
    const message = '`customer_update` can only be used with `customer`.';
    throw invalidRequest({ message, param: 'customer_update' });
  }
};

const TAXED: Stripe.Checkout.Session.AutomaticTax = {
  enabled: true,
  liability: { type: 'self' },
  provider: 'stripe',
  status: 'requires_location_inputs',
};

/** Returns the fields of a session that these parameters set. */
const taxFields = (params: TaxParams): Partial<Stripe.Checkout.Session> => {
  const { isTaxed, collectsTaxIds } = switchesOf(params);
  return {
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    ...(isTaxed && { automatic_tax: TAXED }),
    ...(collectsTaxIds && { tax_id_collection: { enabled: true, required: 'never' } }),
  };
};

type LineItemParams = {
  price: string;
  quantity?: number;
};

type CreateParams = TaxParams &
  ModeParams & {
    line_items: LineItemParams[];
    success_url: string;
    cancel_url?: string;
    customer?: string;
    customer_email?: string;
    client_reference_id?: string;
    metadata?: MetadataPatch;
    expires_at?: number;
    locale?: Stripe.Checkout.Session.Locale;
    payment_method_types?: string[];
    allowed_payment_method_types?: string[];
    payment_method_collection?: 'always';
  };

// Joi's `uri()` rejects the template {CHECKOUT_SESSION_ID}, which Stripe allows.
const returnAddress = Joi.string()
  .max(5000)
  .pattern(/^https?:\/\/\S+$/, 'address');

const createParams = Joi.object<CreateParams>({
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
  ...modeParams,
  expires_at: Joi.number().integer(),
  locale: Joi.string(),
  payment_method_types: Joi.array().items(Joi.string().valid('card', 'us_bank_account')),
  allowed_payment_method_types: Joi.array().items(Joi.string().valid('card')),
  payment_method_collection: Joi.string().valid('always'),
  ...taxParams,
});

const HALF_HOUR = HOUR / 2;

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
  { index, mode }: { index: number; mode: CreateParams['mode'] },
): Stripe.LineItem => {
  const param = `line_items[${index}][price]`;
  const price = getReferenced(context.state.prices, { kind: 'price', id, param });
  if (!price.active) throw invalidRequest({ message: `The price ${id} is inactive.`, param });
  requirePriceOfMode(price, mode, param);
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
  trialDays: subscription_data?.trial_period_days ?? 0,
});

const storeDraft = ({ state }: Context, id: string, params: CreateParams): void => {
  if (params.mode === 'payment') state.paymentDrafts.set(id, paymentDraftOf(params));
  else state.subscriptionDrafts.set(id, draftOf(params));
};

const create = (context: Context, params: CreateParams): Stripe.Checkout.Session => {
  const { state } = context;
  const customer = customerOf(context, params);
  requireTaxParams(customer, params);
  requireModeParams(params);
  const { mode } = params;
  const lineItems = params.line_items.map((item, index) => lineItemOf(context, item, { index, mode }));
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
  Object.assign(session, taxFields(params), modeFields(params));
  // Nothing is due today, whatever the price of the first period is.
  if (params.subscription_data?.trial_period_days !== undefined)
    Object.assign(session, { amount_subtotal: 0, amount_total: 0 });
  if (params.allowed_payment_method_types !== undefined)
    session.allowed_payment_method_types = params.allowed_payment_method_types;
  state.checkoutSessions.set(session.id, session);
  state.lineItems.set(session.id, lineItems);
  storeDraft(context, session.id, params);
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
