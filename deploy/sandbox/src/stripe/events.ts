import Joi from 'joi';
import type Stripe from 'stripe';
import type { World } from '../context.ts';
import { door, retrieveDoor, type Door } from './endpoint.ts';
import { getFrom } from './lookup.ts';
import { fits, page, pageParams, type PageParams } from './pagination.ts';
import { createdParam, isWithin, type CreatedFilter } from './params.ts';

type ListParams = PageParams & {
  type?: string;
  types?: string[];
  created?: CreatedFilter;
  delivery_success?: boolean;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  type: Joi.string(),
  types: Joi.array().items(Joi.string()).max(20),
  created: createdParam,
  delivery_success: Joi.boolean(),
});

const path = '/v1/events';

/** A type may end in a star: `customer.subscription.*`. */
export const isOfType = (type: string, wanted: string | undefined): boolean => {
  if (wanted === undefined || wanted === '*') return true;
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
};

const list = (world: World, params: ListParams): Stripe.ApiList<Stripe.Event> => {
  const { type, types, created, delivery_success } = params;
  const keep = (event: Stripe.Event) =>
    isOfType(event.type, type) &&
    (types === undefined || types.includes(event.type)) &&
    isWithin(event.created, created) &&
    fits(delivery_success, event.pending_webhooks === 0);
  return page(params, { rows: world.state.events.values(), url: path, keep });
};

export const eventDoors: Door[] = [
  door({ method: 'get', path, params: listParams, run: list }),
  retrieveDoor(`${path}/:id`, (world, id) => getFrom(world.state.events, 'event', id)),
];
