import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { addBalanceTransaction } from '../model/balance-transaction.ts';
import { captureChanges, emitUpdate } from '../model/emit-event.ts';

const addTransaction = (context: Context, charge: Stripe.Charge): void => {
  const { amount, currency, id: source, description } = charge;
  const transfer = { type: 'charge', amount, currency, source, description } as const;
  charge.balance_transaction = addBalanceTransaction(context, transfer).id;
};

/** Captures the charge at once, or later: https://docs.stripe.com/payments/payment-intents/asynchronous-capture */
export const settleOrSchedule = (context: Context, charge: Stripe.Charge): void => {
  const { captureDelaySeconds } = context.settings;
  if (captureDelaySeconds === 0) addTransaction(context, charge);
  else context.state.pendingCaptures.set(charge.id, now(context) + captureDelaySeconds);
};

/** Adds the balance transaction of a charge that was captured asynchronously. */
export const settleCharge = (context: Context, id: string): void => {
  const charge = context.state.charges.get(id);
  context.state.pendingCaptures.delete(id);
  if (!charge) return;
  const previous = captureChanges(charge, () => addTransaction(context, charge));
  emitUpdate(context, 'charge.updated', { object: charge, previous });
};
