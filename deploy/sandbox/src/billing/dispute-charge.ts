import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { newId, refId } from '../state.ts';
import { addBalanceTransaction } from '../model/balance-transaction.ts';
import { buildDispute, isClosed } from '../model/dispute.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';

const DISPUTE_FEE = 1500;

type Transfer = { amount: number; fee: number; description: string };

const transferFunds = (context: Context, dispute: Stripe.Dispute, transfer: Transfer): void => {
  const { id: source, currency } = dispute;
  const transaction = addBalanceTransaction(context, { type: 'adjustment', source, currency, ...transfer });
  dispute.balance_transactions.push(transaction);
};

const requireDisputable = (charge: Stripe.Charge, amount: number): void => {
  if (!charge.paid) throw invalidRequest({ message: `Charge ${charge.id} has not been paid.` });
  if (charge.disputed) throw invalidRequest({ message: `Charge ${charge.id} has already been disputed.` });
  if (amount > charge.amount) {
    throw invalidRequest({ message: 'A dispute cannot exceed the charge.', param: 'amount' });
  }
};

type DisputeDetails = {
  amount?: number;
  reason?: string;
};

/** Opens a dispute, as the bank of the customer does: the sum and the fee leave the balance at once. */
export const disputeCharge = (
  context: Context,
  charge: Stripe.Charge,
  { amount = charge.amount, reason = 'fraudulent' }: DisputeDetails,
): Stripe.Dispute => {
  requireDisputable(charge, amount);
  const dispute = buildDispute(context, charge, { amount, reason });
  context.state.disputes.set(dispute.id, dispute);
  charge.disputed = true;
  transferFunds(context, dispute, {
    amount: -amount,
    fee: DISPUTE_FEE,
    description: `Chargeback withdrawal for ${charge.id}`,
  });
  emit(context, 'charge.dispute.created', dispute);
  emit(context, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
};

/** Closes a dispute. The sum returns when it is won; the fee does not. */
export const closeDispute = (
  context: Context,
  dispute: Stripe.Dispute,
  status: 'won' | 'lost',
): Stripe.Dispute => {
  if (isClosed(dispute)) throw invalidRequest({ message: 'This dispute is already closed' });
  const previous = captureChanges(dispute, () => {
    dispute.status = status;
  });
  if (status === 'won') {
    dispute.is_charge_refundable = true;
    const description = `Chargeback reversal for ${refId(dispute.charge)}`;
    transferFunds(context, dispute, { amount: dispute.amount, fee: 0, description });
  }
  emitUpdate(context, 'charge.dispute.closed', { object: dispute, previous });
  if (status === 'won') emit(context, 'charge.dispute.funds_reinstated', dispute);
  return dispute;
};

/** Adds the warning of a card issuer that a payment is probably fraudulent: https://docs.stripe.com/disputes/measuring */
export const warnOfFraud = (context: Context, charge: Stripe.Charge): Stripe.Radar.EarlyFraudWarning => {
  const paymentIntent = refId(charge.payment_intent);
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: !charge.refunded && !charge.disputed,
    charge: charge.id,
    created: now(context),
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    ...(paymentIntent !== null && { payment_intent: paymentIntent }),
  };
  context.state.earlyFraudWarnings.set(warning.id, warning);
  emit(context, 'radar.early_fraud_warning.created', warning);
  return warning;
};
