import Joi from 'joi';
import type Stripe from 'stripe';
import { newId, refId } from '../ids.ts';
import { now, type Context } from '../context.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { matches, paginate, pageParams, type PageParams } from './pagination.ts';
import { timeFilterParam, matchesTime, type TimeFilter } from './params.ts';

type Transfer = {
  type: 'charge' | 'refund';
  amount: number;
  currency: string;
  source: string;
  description: string | null;
};

const TWO_DAYS = 172_800;

/** 2.9 % and 30 cents for a charge; Stripe keeps the fee when it is refunded. */
const providerFee = ({ type, amount }: Transfer): number =>
  type === 'charge' ? Math.round(amount * 0.029) + 30 : 0;

export const addBalanceTransaction = (context: Context, transfer: Transfer): Stripe.BalanceTransaction => {
  const { type, amount, currency, source, description } = transfer;
  const fee = providerFee(transfer);
  const transaction: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: now(context) + TWO_DAYS,
    balance_type: 'payments',
    created: now(context),
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency,
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: type,
    source,
    status: 'pending',
    type,
  };
  context.state.balanceTransactions.set(transaction.id, transaction);
  return transaction;
};

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

/** Money is pending for two days; nothing happens when they have passed, so it is told when asked. */
export const withCurrentStatus = (
  context: Context,
  row: Stripe.BalanceTransaction,
): Stripe.BalanceTransaction => ({
  ...row,
  status: row.available_on <= now(context) ? 'available' : 'pending',
});

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.BalanceTransaction> => {
  const { created, type, source, currency } = params;
  const keep = (row: Stripe.BalanceTransaction) =>
    matchesTime(row.created, created) &&
    matches(type, row.type) &&
    matches(source, refId(row.source)) &&
    matches(currency, row.currency);
  const rows = [...context.state.balanceTransactions.values()].map((row) => withCurrentStatus(context, row));
  return paginate(params, { rows, url: path, keep });
};

const retrieve = (context: Context, id: string): Stripe.BalanceTransaction =>
  withCurrentStatus(context, getById(context.state.balanceTransactions, 'balance transaction', id));

export const balanceTransactionEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, run: list }),
  retrieveEndpoint(`${path}/:id`, retrieve),
];
