import Joi from 'joi';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { matches, pageParams, paginate, type PageParams } from './pagination.ts';
import { matchesTime, timeFilterParam, type TimeFilter } from './params.ts';

type ListParams = PageParams & {
  created?: TimeFilter;
  arrival_date?: TimeFilter;
  status?: string;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  created: timeFilterParam,
  arrival_date: timeFilterParam,
  status: Joi.string().valid('paid', 'pending', 'in_transit', 'canceled', 'failed'),
});

const path = '/v1/payouts';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Payout> => {
  const filter = (row: Stripe.Payout) =>
    matchesTime(row.created, params.created) &&
    matchesTime(row.arrival_date, params.arrival_date) &&
    matches(params.status, row.status);
  return paginate(params, { rows: context.state.payouts.values(), url: path, filter });
};

export const payoutEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) => getById(context.state.payouts, 'payout', id)),
];
