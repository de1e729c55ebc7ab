import Joi from 'joi';
import type Stripe from 'stripe';
import { changeItems, type ItemsChange } from '../billing/change-items.ts';
import { collectInvoice } from '../billing/collect-invoice.ts';
import { openInvoice } from '../billing/open-invoice.ts';
import { addFirstInvoice } from '../billing/pay-checkout.ts';
import { endSubscription } from '../billing/renew-subscription.ts';
import { now, type Context } from '../context.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { invalidRequest, notFound } from '../model/errors.ts';
import {
  buildSubscription,
  isOngoing,
  movePrice,
  periodEndOf,
  releaseSchedule,
} from '../model/subscription.ts';
import { refId } from '../state.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import {
  getById,
  getReferenced,
  getReferencedCustomer,
  pageParams,
  type PageParams,
  paginate,
} from './pagination.ts';
import {
  matchesTime,
  mergeMetadata,
  metadataParam,
  textParam,
  timeFilterParam,
  type MetadataPatch,
  type TimeFilter,
} from './params.ts';

type CancellationParams = {
  comment?: string;
  feedback?: Stripe.Subscription.CancellationDetails.Feedback;
};

const cancellationParams = Joi.object<CancellationParams>({
  comment: textParam.allow(''),
  feedback: Joi.string().allow(''),
});

type ItemParams = { id?: string; price?: string; quantity?: number };

const itemParams = Joi.object<ItemParams>({
  id: Joi.string(),
  price: Joi.string(),
  quantity: Joi.number().integer().min(1),
});

type PauseParams = { behavior: Stripe.Subscription.PauseCollection.Behavior; resumes_at?: number };

const pauseParams = Joi.object<PauseParams>({
  behavior: Joi.string().valid('keep_as_draft', 'mark_uncollectible', 'void').required(),
  resumes_at: Joi.number().integer(),
});

type UpdateParams = {
  cancel_at?: number | '';
  cancel_at_period_end?: boolean;
  /** Without prorations, a moved price is charged from the next period on. */
  items?: ItemParams[];
  /** The sandbox prorates a change of the interval only. */
  proration_behavior?: 'none' | 'always_invoice';
  proration_date?: number;
  payment_behavior?: 'error_if_incomplete';
  pause_collection?: PauseParams | '';
  metadata?: MetadataPatch;
  description?: string;
  default_payment_method?: string;
  cancellation_details?: CancellationParams;
};

const updateParams = Joi.object<UpdateParams>({
  cancel_at: Joi.alternatives(Joi.number().integer(), Joi.string().valid('')),
  cancel_at_period_end: Joi.boolean(),
  items: Joi.array().items(itemParams).max(20),
  proration_behavior: Joi.string()
    .valid('none', 'always_invoice')
    .when('items', { is: Joi.exist(), then: Joi.required() }),
  proration_date: Joi.number().integer(),
  payment_behavior: Joi.string().valid('error_if_incomplete'),
  pause_collection: Joi.alternatives(pauseParams, Joi.string().valid('')),
  metadata: metadataParam,
  description: textParam.allow(''),
  default_payment_method: Joi.string().allow(''),
  cancellation_details: cancellationParams,
});

export const getSubscription = (context: Context, id: string): Stripe.Subscription =>
  getById(context.state.subscriptions, 'subscription', id);

const recordCancellationDetails = (
  subscription: Stripe.Subscription,
  params: CancellationParams | undefined,
): void => {
  const details = subscription.cancellation_details;
  if (!details || !params) return;
  if (params.comment !== undefined) details.comment = params.comment || null;
  if (params.feedback !== undefined) details.feedback = params.feedback || null;
};

const setCancellation = (context: Context, subscription: Stripe.Subscription, atPeriodEnd: boolean): void => {
  subscription.cancel_at_period_end = atPeriodEnd;
  subscription.cancel_at = atPeriodEnd ? periodEndOf(subscription) : null;
  subscription.canceled_at = atPeriodEnd ? now(context) : null;
  if (subscription.cancellation_details) {
    subscription.cancellation_details.reason = atPeriodEnd ? 'cancellation_requested' : null;
  }
};

/** Ends the subscription at a time of its own, also in a later period; an empty value removes the end. */
const setCancelAt = (context: Context, subscription: Stripe.Subscription, at: number | ''): void => {
  if (at !== '' && at <= now(context))
    throw invalidRequest({ message: 'This timestamp must be in the future.', param: 'cancel_at' });
  setCancellation(context, subscription, false);
  if (at === '') return;
  subscription.cancel_at = at;
  subscription.canceled_at = now(context);
};

const setPause = (subscription: Stripe.Subscription, pause: PauseParams | ''): void => {
  subscription.pause_collection = pause === '' ? null : { resumes_at: null, ...pause };
};

/** The price that an item is for. */
export const recurringPrice = (context: Context, id: string): Stripe.Price => {
  const price = getReferenced(context.state.prices, { kind: 'price', id, param: 'items[0][price]' });
  if (price.recurring) return price;
  const message =
    'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.';
  throw invalidRequest({ message, param: 'items[0][price]' });
};

const moveItems = (context: Context, { items }: Stripe.Subscription, params: ItemParams[]): void => {
  for (const { id = '', price, quantity } of params) {
    const item = items.data.find((one) => one.id === id);
    if (!item) throw invalidRequest({ message: `No such subscription item: '${id}'`, param: 'items[0][id]' });
    if (price !== undefined) movePrice(item, recurringPrice(context, price));
    if (quantity !== undefined) item.quantity = quantity;
  }
};

type ProrationParams = { items: ItemParams[]; proration_date?: number | undefined };

/** The change that items at prices of another interval make at once. */
export const itemsChangeOf = (
  context: Context,
  { items }: Stripe.Subscription,
  { items: params, proration_date }: ProrationParams,
): ItemsChange => ({
  at: proration_date ?? now(context),
  moves: params.map(({ id, price = '' }) => {
    const item = items.data.find((one) => one.id === id);
    if (!item) throw invalidRequest({ message: `No such subscription item: '${id}'`, param: 'items[0][id]' });
    const moved = recurringPrice(context, price);
    if (moved.recurring?.interval === item.price.recurring?.interval)
      throw invalidRequest({ message: 'The sandbox prorates a change of the interval only.' });
    return { item, price: moved };
  }),
});

/** Stripe does not let a subscription be ended beside its schedule. */
const requireNoSchedule = ({ schedule }: Stripe.Subscription, params: UpdateParams): void => {
  const isEnd = params.cancel_at !== undefined || params.cancel_at_period_end !== undefined;
  if (schedule === null || !isEnd) return;
  const message = `The subscription is managed by the subscription schedule \`${refId(schedule)}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`;
  throw invalidRequest({ message });
};

const applyChanges = (context: Context, subscription: Stripe.Subscription, params: UpdateParams): void => {
  const { items, cancel_at, cancel_at_period_end, pause_collection } = params;
  if (items && params.proration_behavior === 'none') moveItems(context, subscription, items);
  if (cancel_at_period_end !== undefined) setCancellation(context, subscription, cancel_at_period_end);
  if (cancel_at !== undefined) setCancelAt(context, subscription, cancel_at);
  if (pause_collection !== undefined) setPause(subscription, pause_collection);
};

const update = (context: Context, params: UpdateParams, id: string): Stripe.Subscription => {
  const subscription = getSubscription(context, id);
  if (!isOngoing(subscription) && Object.keys(params).some((name) => name !== 'metadata')) {
    const message = 'A canceled subscription can only update its cancellation_details and metadata.';
    throw invalidRequest({ message });
  }
  requireNoSchedule(subscription, params);
  if (params.items && params.proration_behavior === 'always_invoice')
    changeItems(
      context,
      subscription,
      itemsChangeOf(context, subscription, { ...params, items: params.items }),
    );
  const paymentMethod = params.default_payment_method;
  if (paymentMethod) {
    const param = 'default_payment_method';
    getReferenced(context.state.paymentMethods, { kind: 'PaymentMethod', id: paymentMethod, param });
  }
  const previous = captureChanges(subscription, () => {
    subscription.metadata = mergeMetadata(subscription.metadata, params.metadata);
    if (params.description !== undefined) subscription.description = params.description || null;
    if (paymentMethod !== undefined) subscription.default_payment_method = paymentMethod || null;
    recordCancellationDetails(subscription, params.cancellation_details);
    applyChanges(context, subscription, params);
  });
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
  return subscription;
};

export const setCancelAtPeriodEnd = (
  context: Context,
  id: string,
  atPeriodEnd: boolean,
): Stripe.Subscription => {
  // What the dashboard and the portal do first.
  releaseSchedule(context, getSubscription(context, id));
  return update(context, { cancel_at_period_end: atPeriodEnd }, id);
};

type CreateParams = {
  customer: string;
  items: { price: string; quantity: number }[];
  default_payment_method?: string;
  metadata?: MetadataPatch;
};

const createParams = Joi.object<CreateParams>({
  customer: Joi.string().required(),
  items: Joi.array()
    .items(Joi.object({ price: Joi.string().required(), quantity: Joi.number().integer().min(1).default(1) }))
    .min(1)
    .max(20)
    .required(),
  default_payment_method: Joi.string(),
  metadata: metadataParam,
});

/** What an operator opens in the dashboard: the first invoice is charged at once to the customer's card. */
const create = (context: Context, params: CreateParams): Stripe.Subscription => {
  const { paymentMethods, subscriptions } = context.state;
  const customer = getReferencedCustomer(context, params.customer);
  const method = params.default_payment_method ?? null;
  if (method !== null) {
    const param = 'default_payment_method';
    getReferenced(paymentMethods, { kind: 'PaymentMethod', id: method, param });
  }
  const subscription = buildSubscription(context, {
    customer: customer.id,
    paymentMethod: method,
    metadata: mergeMetadata({}, params.metadata),
    description: null,
    lineItems: params.items.map(({ price, quantity }) => ({
      price: recurringPrice(context, price),
      quantity,
    })),
  });
  subscriptions.set(subscription.id, subscription);
  const invoice = addFirstInvoice(context, { subscription, customer }, 0);
  emit(context, 'customer.subscription.created', subscription);
  openInvoice(context, invoice, customer);
  if (collectInvoice(context, invoice, { by: 'schedule', isAuthenticated: false, moment: 'first' }))
    subscription.status = 'incomplete';
  return subscription;
};

type CancelParams = {
  invoice_now?: boolean;
  prorate?: boolean;
  cancellation_details?: CancellationParams;
};

const cancelParams = Joi.object<CancelParams>({
  invoice_now: Joi.boolean(),
  prorate: Joi.boolean(),
  cancellation_details: cancellationParams,
});

export const cancelSubscription = (
  context: Context,
  params: CancelParams,
  id: string,
): Stripe.Subscription => {
  const subscription = getSubscription(context, id);
  // Stripe responds with 404 to a second cancellation.
  if (!isOngoing(subscription)) throw notFound('subscription', id);
  recordCancellationDetails(subscription, params.cancellation_details);
  endSubscription(context, subscription, 'cancellation_requested');
  return subscription;
};

type ListParams = PageParams & {
  customer?: string;
  status?: string;
  price?: string;
  created?: TimeFilter;
  current_period_end?: TimeFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  customer: Joi.string(),
  status: Joi.string().valid(
    ...['active', 'all', 'canceled', 'ended', 'incomplete', 'incomplete_expired'],
    ...['past_due', 'paused', 'trialing', 'unpaid'],
  ),
  price: Joi.string(),
  created: timeFilterParam,
  current_period_end: timeFilterParam,
});

const hasStatus = (subscription: Stripe.Subscription, status: string | undefined): boolean => {
  if (status === 'all') return true;
  if (status === undefined) return subscription.status !== 'canceled';
  return status === 'ended' ? !isOngoing(subscription) : subscription.status === status;
};

const path = '/v1/subscriptions';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Subscription> => {
  const { customer, status, price, created, current_period_end } = params;
  const filter = (subscription: Stripe.Subscription) =>
    hasStatus(subscription, status) &&
    (price === undefined || subscription.items.data.some((item) => item.price.id === price)) &&
    matchesTime(subscription.created, created) &&
    matchesTime(periodEndOf(subscription), current_period_end);
  return paginate(params, { rows: context.state.subscriptions.of(customer), url: path, filter });
};

export const subscriptionEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path, params: createParams, handle: create }),
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, getSubscription),
  defineEndpoint({ method: 'post', path: `${path}/:id`, params: updateParams, handle: update }),
  defineEndpoint({ method: 'delete', path: `${path}/:id`, params: cancelParams, handle: cancelSubscription }),
];
