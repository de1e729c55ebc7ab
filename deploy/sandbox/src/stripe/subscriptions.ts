import Joi from 'joi';
import type Stripe from 'stripe';
import { endSubscription } from '../billing/renew-subscription.ts';
import { now, type Context } from '../context.ts';
import { refId } from '../state.ts';
import { captureChanges, emitUpdate } from '../model/emit-event.ts';
import { invalidRequest, notFound } from '../model/errors.ts';
import { isOngoing, periodEndOf } from '../model/subscription.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById, getReferenced, matches, pageParams, type PageParams, paginate } from './pagination.ts';
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

type UpdateParams = {
  cancel_at_period_end?: boolean;
  metadata?: MetadataPatch;
  description?: string;
  default_payment_method?: string;
  cancellation_details?: CancellationParams;
};

const updateParams = Joi.object<UpdateParams>({
  cancel_at_period_end: Joi.boolean(),
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

const update = (context: Context, params: UpdateParams, id: string): Stripe.Subscription => {
  const subscription = getSubscription(context, id);
  if (!isOngoing(subscription) && Object.keys(params).some((name) => name !== 'metadata')) {
    const message = 'A canceled subscription can only update its cancellation_details and metadata.';
    throw invalidRequest({ message });
  }
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
    if (params.cancel_at_period_end !== undefined) {
      setCancellation(context, subscription, params.cancel_at_period_end);
    }
  });
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
  return subscription;
};

export const setCancelAtPeriodEnd = (
  context: Context,
  id: string,
  atPeriodEnd: boolean,
): Stripe.Subscription => update(context, { cancel_at_period_end: atPeriodEnd }, id);

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
    matches(customer, refId(subscription.customer)) &&
    hasStatus(subscription, status) &&
    (price === undefined || subscription.items.data.some((item) => item.price.id === price)) &&
    matchesTime(subscription.created, created) &&
    matchesTime(periodEndOf(subscription), current_period_end);
  return paginate(params, { rows: context.state.subscriptions.values(), url: path, filter });
};

export const subscriptionEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, getSubscription),
  defineEndpoint({ method: 'post', path: `${path}/:id`, params: updateParams, handle: update }),
  defineEndpoint({ method: 'delete', path: `${path}/:id`, params: cancelParams, handle: cancelSubscription }),
];
