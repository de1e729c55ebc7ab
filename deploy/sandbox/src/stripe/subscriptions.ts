import Joi from 'joi';
import type Stripe from 'stripe';
import { endSubscription } from '../billing/end-subscription.ts';
import { isLive, periodEndOf } from '../billing/subscription-status.ts';
import { refId } from '../ids.ts';
import { now, type World } from '../context.ts';
import { door, retrieveDoor, type Door } from './endpoint.ts';
import { emitChange, previousOf } from '../model/emit-event.ts';
import { invalidRequest, noSuch } from '../model/errors.ts';
import { getFrom, getNamed } from './lookup.ts';
import { fits, page, pageParams, type PageParams } from './pagination.ts';
import { createdParam, isWithin, mergeMetadata, metadataParam, textParam } from './params.ts';
import type { CreatedFilter, MetadataPatch } from './params.ts';

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
  default_payment_method: Joi.string(),
  cancellation_details: cancellationParams,
});

const getSubscription = (world: World, id: string): Stripe.Subscription =>
  getFrom(world.state.subscriptions, 'subscription', id);

const noteCancellation = (
  subscription: Stripe.Subscription,
  params: CancellationParams | undefined,
): void => {
  const details = subscription.cancellation_details;
  if (!details || !params) return;
  if (params.comment !== undefined) details.comment = params.comment || null;
  if (params.feedback !== undefined) details.feedback = params.feedback || null;
};

const planCancellation = (world: World, subscription: Stripe.Subscription, atPeriodEnd: boolean): void => {
  subscription.cancel_at_period_end = atPeriodEnd;
  subscription.cancel_at = atPeriodEnd ? periodEndOf(subscription) : null;
  subscription.canceled_at = atPeriodEnd ? now(world) : null;
  if (subscription.cancellation_details) {
    subscription.cancellation_details.reason = atPeriodEnd ? 'cancellation_requested' : null;
  }
};

const update = (world: World, params: UpdateParams, id: string): Stripe.Subscription => {
  const subscription = getSubscription(world, id);
  if (!isLive(subscription) && Object.keys(params).some((name) => name !== 'metadata')) {
    const message = 'A canceled subscription can only update its cancellation_details and metadata.';
    throw invalidRequest({ message });
  }
  const paymentMethod = params.default_payment_method;
  if (paymentMethod !== undefined) {
    const param = 'default_payment_method';
    getNamed(world.state.paymentMethods, { kind: 'PaymentMethod', id: paymentMethod, param });
  }
  const previous = previousOf(subscription, () => {
    subscription.metadata = mergeMetadata(subscription.metadata, params.metadata);
    if (params.description !== undefined) subscription.description = params.description || null;
    if (paymentMethod !== undefined) subscription.default_payment_method = paymentMethod;
    noteCancellation(subscription, params.cancellation_details);
    if (params.cancel_at_period_end !== undefined) {
      planCancellation(world, subscription, params.cancel_at_period_end);
    }
  });
  emitChange(world, 'customer.subscription.updated', { object: subscription, previous });
  return subscription;
};

export const setCancelAtPeriodEnd = (world: World, id: string, atPeriodEnd: boolean): Stripe.Subscription =>
  update(world, { cancel_at_period_end: atPeriodEnd }, id);

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

export const cancelSubscription = (world: World, params: CancelParams, id: string): Stripe.Subscription => {
  const subscription = getSubscription(world, id);
  // Stripe answers so for one that has already ended.
  if (!isLive(subscription)) throw noSuch('subscription', id);
  noteCancellation(subscription, params.cancellation_details);
  endSubscription(world, subscription, 'cancellation_requested');
  return subscription;
};

type ListParams = PageParams & {
  customer?: string;
  status?: string;
  price?: string;
  created?: CreatedFilter;
  current_period_end?: CreatedFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  customer: Joi.string(),
  status: Joi.string().valid(
    ...['active', 'all', 'canceled', 'ended', 'incomplete', 'incomplete_expired'],
    ...['past_due', 'paused', 'trialing', 'unpaid'],
  ),
  price: Joi.string(),
  created: createdParam,
  current_period_end: createdParam,
});

const hasStatus = (subscription: Stripe.Subscription, status: string | undefined): boolean => {
  if (status === 'all') return true;
  if (status === undefined) return subscription.status !== 'canceled';
  return status === 'ended' ? !isLive(subscription) : subscription.status === status;
};

const path = '/v1/subscriptions';

const list = (world: World, params: ListParams): Stripe.ApiList<Stripe.Subscription> => {
  const { customer, status, price, created, current_period_end } = params;
  const keep = (subscription: Stripe.Subscription) =>
    fits(customer, refId(subscription.customer)) &&
    hasStatus(subscription, status) &&
    (price === undefined || subscription.items.data.some((item) => item.price.id === price)) &&
    isWithin(subscription.created, created) &&
    isWithin(periodEndOf(subscription), current_period_end);
  return page(params, { rows: world.state.subscriptions.values(), url: path, keep });
};

export const subscriptionDoors: Door[] = [
  door({ method: 'get', path, params: listParams, run: list }),
  retrieveDoor(`${path}/:id`, getSubscription),
  door({ method: 'post', path: `${path}/:id`, params: updateParams, run: update }),
  door({ method: 'delete', path: `${path}/:id`, params: cancelParams, run: cancelSubscription }),
];
