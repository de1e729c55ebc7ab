import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { newId } from '../state.ts';
import { DAY } from './billing-cycle.rules.ts';

/** JSON carries a decimal as a string; the type describes the object that Stripe's client parses it into. */
export const toDecimalString = (amount: number): Stripe.Decimal =>
  String(amount) as unknown as Stripe.Decimal;

export const formatMoney = (amount: number, currency: string): string => {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** maximumFractionDigits);
};

type Transfer = {
  type: 'charge' | 'refund' | 'refund_failure' | 'adjustment' | 'payout';
  amount: number;
  currency: string;
  source: string;
  description: string | null;
  /** The fee in the settlement currency, when it is not the usual one. */
  fee?: number;
};

const REPORTING_CATEGORY: Partial<Record<Transfer['type'], string>> = { adjustment: 'dispute' };

/** A charge costs 2.9 % plus 30 cents of the settlement currency. Stripe does not return the fee of a refunded charge. */
const providerFee = ({ type }: Transfer, amount: number): number =>
  type === 'charge' ? Math.round(amount * 0.029) + 30 : 0;

type Settlement = { amount: number; currency: string; exchangeRate: number | null };

/** Returns the amount in the currency of the account, with the rate when that is another currency. */
const settle = ({ settings }: Context, { amount, currency }: Transfer): Settlement => {
  const settled = settings.settlementCurrency ?? currency;
  if (settled === currency) return { amount, currency, exchangeRate: null };
  const exchangeRate = settings.exchangeRate ?? 1;
  return { amount: Math.round(amount * exchangeRate), currency: settled, exchangeRate };
};

export const addBalanceTransaction = (context: Context, transfer: Transfer): Stripe.BalanceTransaction => {
  const { type, source, description } = transfer;
  const { amount, currency, exchangeRate } = settle(context, transfer);
  const fee = transfer.fee ?? providerFee(transfer, amount);
  const transaction: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: now(context) + 2 * DAY,
    balance_type: 'payments',
    created: now(context),
    currency,
    description,
    exchange_rate: exchangeRate,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency,
              description: type === 'charge' ? 'Stripe processing fees' : 'Dispute fee',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: REPORTING_CATEGORY[type] ?? type,
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
