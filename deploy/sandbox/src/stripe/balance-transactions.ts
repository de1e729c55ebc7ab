import Joi from 'joi';
import type Stripe from 'stripe';
import { newId, refId } from '../ids.ts';
import { now, type World } from '../context.ts';
import { door, retrieveDoor, type Door } from './endpoint.ts';
import { getFrom } from './lookup.ts';
import { fits, page, pageParams, type PageParams } from './pagination.ts';
import { createdParam, isWithin, type CreatedFilter } from './params.ts';

type Movement = {
  type: 'charge' | 'refund';
  amount: number;
  currency: string;
  source: string;
  description: string | null;
};

const twoDays = 172_800;

/** 2.9 % and 30 cents for a charge; Stripe keeps the fee when it is refunded. */
const providerFee = ({ type, amount }: Movement): number =>
  type === 'charge' ? Math.round(amount * 0.029) + 30 : 0;

export const addBalanceTransaction = (world: World, movement: Movement): Stripe.BalanceTransaction => {
  const { type, amount, currency, source, description } = movement;
  const fee = providerFee(movement);
  const transaction: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: now(world) + twoDays,
    balance_type: 'payments',
    created: now(world),
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
  world.state.balanceTransactions.set(transaction.id, transaction);
  return transaction;
};

type ListParams = PageParams & {
  created?: CreatedFilter;
  type?: string;
  source?: string;
  currency?: string;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  created: createdParam,
  type: Joi.string(),
  source: Joi.string(),
  currency: Joi.string().lowercase(),
});

const path = '/v1/balance_transactions';

/** Money is pending for two days; nothing happens when they have passed, so it is told when asked. */
export const asOfNow = (world: World, row: Stripe.BalanceTransaction): Stripe.BalanceTransaction => ({
  ...row,
  status: row.available_on <= now(world) ? 'available' : 'pending',
});

const list = (world: World, params: ListParams): Stripe.ApiList<Stripe.BalanceTransaction> => {
  const { created, type, source, currency } = params;
  const keep = (row: Stripe.BalanceTransaction) =>
    isWithin(row.created, created) &&
    fits(type, row.type) &&
    fits(source, refId(row.source)) &&
    fits(currency, row.currency);
  const rows = [...world.state.balanceTransactions.values()].map((row) => asOfNow(world, row));
  return page(params, { rows, url: path, keep });
};

const retrieve = (world: World, id: string): Stripe.BalanceTransaction =>
  asOfNow(world, getFrom(world.state.balanceTransactions, 'balance transaction', id));

export const balanceTransactionDoors: Door[] = [
  door({ method: 'get', path, params: listParams, run: list }),
  retrieveDoor(`${path}/:id`, retrieve),
];
