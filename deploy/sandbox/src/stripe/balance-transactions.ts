import Joi from 'joi';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { withCurrentStatus } from '../model/balance-transaction.ts';
import { refId } from '../state.ts';
import { defineEndpoint, type Endpoint, retrieveEndpoint } from './endpoint.ts';
import { getById, matches, pageParams, type PageParams, paginate } from './pagination.ts';
import { matchesTime, type TimeFilter, timeFilterParam } from './params.ts';

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

type PayoutListParams = PageParams & {
  created?: TimeFilter;
  arrival_date?: TimeFilter;
  status?: string;
};

const payoutListParams = Joi.object<PayoutListParams>({
  ...pageParams,
  created: timeFilterParam,
  arrival_date: timeFilterParam,
  status: Joi.string().valid('paid', 'pending', 'in_transit', 'canceled', 'failed'),
});

const payoutPath = '/v1/payouts';

const listPayouts = (context: Context, params: PayoutListParams): Stripe.ApiList<Stripe.Payout> => {
  const filter = (row: Stripe.Payout) =>
    matchesTime(row.created, params.created) &&
    matchesTime(row.arrival_date, params.arrival_date) &&
    matches(params.status, row.status);
  return paginate(params, { rows: context.state.payouts.values(), url: payoutPath, filter });
};

export const payoutEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path: payoutPath, params: payoutListParams, handle: listPayouts }),
  retrieveEndpoint(`${payoutPath}/:id`, (context, id) => getById(context.state.payouts, 'payout', id)),
];
