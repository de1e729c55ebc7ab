import Joi from 'joi';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { refId } from '../ids.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { matches, pageParams, paginate, type PageParams } from './pagination.ts';

type ListParams = PageParams & {
  customer?: string;
  type?: string;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  customer: Joi.string(),
  type: Joi.string().valid('card'),
});

const path = '/v1/payment_methods';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.PaymentMethod> => {
  const filter = (row: Stripe.PaymentMethod) => matches(params.customer, refId(row.customer));
  return paginate(params, { rows: context.state.paymentMethods.values(), url: path, filter });
};

export const paymentMethodEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) =>
    getById(context.state.paymentMethods, 'PaymentMethod', id),
  ),
];
