import Joi from 'joi';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { matches, pageParams, paginate, type PageParams } from './pagination.ts';
import { matchesTime, timeFilterParam, type TimeFilter } from './params.ts';

type ListParams = PageParams & {
  type?: string;
  types?: string[];
  created?: TimeFilter;
  delivery_success?: boolean;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  type: Joi.string(),
  types: Joi.array().items(Joi.string()).max(20),
  created: timeFilterParam,
  delivery_success: Joi.boolean(),
});

const path = '/v1/events';

/** The pattern may end in a wildcard: `customer.subscription.*`. */
export const matchesType = (type: string, pattern: string | undefined): boolean => {
  if (pattern === undefined || pattern === '*') return true;
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
};

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Event> => {
  const { type, types, created, delivery_success } = params;
  const filter = (event: Stripe.Event) =>
    matchesType(event.type, type) &&
    (types === undefined || types.includes(event.type)) &&
    matchesTime(event.created, created) &&
    matches(delivery_success, event.pending_webhooks === 0);
  return paginate(params, { rows: context.state.events.values(), url: path, filter });
};

export const eventEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) => getById(context.state.events, 'event', id)),
];
