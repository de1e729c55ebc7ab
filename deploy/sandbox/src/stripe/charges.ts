import Joi from 'joi';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { refId } from '../ids.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { matches, pageParams, paginate, type PageParams } from './pagination.ts';
import { matchesTime, timeFilterParam, type TimeFilter } from './params.ts';

type ListParams = PageParams & {
  customer?: string;
  payment_intent?: string;
  created?: TimeFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  customer: Joi.string(),
  payment_intent: Joi.string(),
  created: timeFilterParam,
});

const path = '/v1/charges';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Charge> => {
  const { customer, payment_intent, created } = params;
  const filter = (row: Stripe.Charge) =>
    matches(customer, refId(row.customer)) &&
    matches(payment_intent, refId(row.payment_intent)) &&
    matchesTime(row.created, created);
  return paginate(params, { rows: context.state.charges.values(), url: path, filter });
};

export const chargeEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) => getById(context.state.charges, 'charge', id)),
];
