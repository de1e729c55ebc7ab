import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { newId } from '../state.ts';
import { addBalanceTransaction, withCurrentStatus } from '../model/balance-transaction.ts';
import { emit } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';

const availableByCurrency = (context: Context): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const row of context.state.balanceTransactions.values()) {
    if (withCurrentStatus(context, row).status !== 'available') continue;
    sums.set(row.currency, (sums.get(row.currency) ?? 0) + row.net);
  }
  return sums;
};

const payOutCurrency = (context: Context, currency: string, amount: number): Stripe.Payout => {
  const id = newId('po');
  const transfer = {
    type: 'payout',
    amount: -amount,
    currency,
    source: id,
    description: 'STRIPE PAYOUT',
  } as const;
  const payout: Stripe.Payout = {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: now(context),
    automatic: true,
    balance_transaction: addBalanceTransaction(context, transfer).id,
    created: now(context),
    currency,
    description: 'STRIPE PAYOUT',
    destination: 'ba_sandbox',
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'paid',
    trace_id: null,
    type: 'bank_account',
  };
  context.state.payouts.set(id, payout);
  emit(context, 'payout.created', payout);
  emit(context, 'payout.paid', payout);
  return payout;
};

/** Pays the available balance out to the bank, one payout for each currency. */
export const payOut = (context: Context): Stripe.Payout[] => {
  const positive = [...availableByCurrency(context)].filter(([, amount]) => amount > 0);
  if (positive.length === 0) throw invalidRequest({ message: 'No balance is available yet.' });
  return positive.map(([currency, amount]) => payOutCurrency(context, currency, amount));
};
