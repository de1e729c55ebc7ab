import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { newId } from '../ids.ts';

type Transfer = {
  type: 'charge' | 'refund';
  amount: number;
  currency: string;
  source: string;
  description: string | null;
};

const TWO_DAYS = 172_800;

/** A charge costs 2.9 % plus 30 cents. Stripe does not return the fee of a refunded charge. */
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

/** Funds are pending for two days. No event marks the end of that period, so the status is computed on read. */
export const withCurrentStatus = (
  context: Context,
  row: Stripe.BalanceTransaction,
): Stripe.BalanceTransaction => ({
  ...row,
  status: row.available_on <= now(context) ? 'available' : 'pending',
});
