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

/** A type may end in a star: `customer.subscription.*`. */
export const matchesType = (type: string, wanted: string | undefined): boolean => {
  if (wanted === undefined || wanted === '*') return true;
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
};

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Event> => {
  const { type, types, created, delivery_success } = params;
  const keep = (event: Stripe.Event) =>
    matchesType(event.type, type) &&
    (types === undefined || types.includes(event.type)) &&
    matchesTime(event.created, created) &&
    matches(delivery_success, event.pending_webhooks === 0);
  return paginate(params, { rows: context.state.events.values(), url: path, keep });
};

export const eventEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, run: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) => getById(context.state.events, 'event', id)),
];
