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
  created?: TimeFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  customer: Joi.string(),
  created: timeFilterParam,
});

const path = '/v1/payment_intents';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.PaymentIntent> => {
  const { customer, created } = params;
  const filter = (row: Stripe.PaymentIntent) =>
    matches(customer, refId(row.customer)) && matchesTime(row.created, created);
  return paginate(params, { rows: context.state.paymentIntents.values(), url: path, filter });
};

export const paymentIntentEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) =>
    getById(context.state.paymentIntents, 'payment_intent', id),
  ),
];
