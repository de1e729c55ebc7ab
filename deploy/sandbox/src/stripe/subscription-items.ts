import Joi from 'joi';
import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { captureChanges, emitUpdate } from '../model/emit-event.ts';
import { buildItem, periodEndOf } from '../model/subscription.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';
import { pageParams, type PageParams, paginate } from './pagination.ts';
import { getSubscription, recurringPrice } from './subscriptions.ts';

type CreateParams = { subscription: string; price: string; quantity: number; proration_behavior: 'none' };

const createParams = Joi.object<CreateParams>({
  subscription: Joi.string().required(),
  price: Joi.string().required(),
  quantity: Joi.number().integer().min(1).default(1),
  proration_behavior: Joi.string().valid('none').required(),
});

/** Adds an item that is first charged with the next period: the sandbox does not prorate. */
const create = (context: Context, params: CreateParams): Stripe.SubscriptionItem => {
  const subscription = getSubscription(context, params.subscription);
  const item = buildItem(subscription.id, recurringPrice(context, params.price), params);
  item.created = item.current_period_start = now(context);
  item.current_period_end = periodEndOf(subscription);
  const previous = captureChanges(subscription, () => void subscription.items.data.push(item));
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
  return item;
};

const path = '/v1/subscription_items';

const listParams = Joi.object<PageParams & { subscription: string }>({
  ...pageParams,
  subscription: Joi.string().required(),
});

/** In the order of the subscription. */
const list = (
  context: Context,
  params: PageParams & { subscription: string },
): Stripe.ApiList<Stripe.SubscriptionItem> => {
  const rows = [...getSubscription(context, params.subscription).items.data].reverse();
  return paginate(params, { rows, url: path });
};

export const subscriptionItemEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path, params: createParams, handle: create }),
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
];
