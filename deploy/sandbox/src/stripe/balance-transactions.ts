import Joi from 'joi';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { refId } from '../ids.ts';
import { withCurrentStatus } from '../model/balance-transaction.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { matches, pageParams, paginate, type PageParams } from './pagination.ts';
import { matchesTime, timeFilterParam, type TimeFilter } from './params.ts';

type ListParams = PageParams & {
  created?: TimeFilter;
  type?: string;
  source?: string;
  currency?: string;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  created: timeFilterParam,
  type: Joi.string(),
  source: Joi.string(),
  currency: Joi.string().lowercase(),
});

const path = '/v1/balance_transactions';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.BalanceTransaction> => {
  const { created, type, source, currency } = params;
  const filter = (row: Stripe.BalanceTransaction) =>
    matchesTime(row.created, created) &&
    matches(type, row.type) &&
    matches(source, refId(row.source)) &&
    matches(currency, row.currency);
  const rows = [...context.state.balanceTransactions.values()].map((row) => withCurrentStatus(context, row));
  return paginate(params, { rows, url: path, filter });
};

const retrieve = (context: Context, id: string): Stripe.BalanceTransaction =>
  withCurrentStatus(context, getById(context.state.balanceTransactions, 'balance transaction', id));

export const balanceTransactionEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, retrieve),
];
