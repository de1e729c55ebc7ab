import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { addBalanceTransaction } from '../model/balance-transaction.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';
import { newId, refId } from '../state.ts';

type RefundDetails = {
  amount: number;
  reason: Stripe.Refund.Reason | null;
  metadata: Stripe.Metadata;
};

// The bank reference arrives after the refund; Stripe reports it with `refund.updated`.
const setBankReference = (refund: Stripe.Refund): void => {
  refund.destination_details = {
    card: {
      reference: newId('ref', 12).slice(4),
      reference_status: 'available',
      reference_type: 'acquirer_reference_number',
      type: 'refund',
    },
    type: 'card',
  };
};

export const refundCharge = (
  context: Context,
  charge: Stripe.Charge,
  details: RefundDetails,
): Stripe.Refund => {
  const id = newId('re');
  const transfer = { type: 'refund', currency: charge.currency, source: id, description: 'REFUND' } as const;
  const refund: Stripe.Refund = {
    id,
    object: 'refund',
    amount: details.amount,
    balance_transaction: addBalanceTransaction(context, { ...transfer, amount: -details.amount }).id,
    charge: charge.id,
    created: now(context),
    currency: charge.currency,
    customer: refId(charge.customer),
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: details.metadata,
    payment_intent: refId(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: details.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  context.state.refunds.set(id, refund);
  const previous = captureChanges(charge, () => {
    charge.amount_refunded += details.amount;
    charge.refunded = charge.amount_refunded >= charge.amount_captured;
  });
  emit(context, 'refund.created', refund);
  emitUpdate(context, 'charge.refunded', { object: charge, previous });
  const update = captureChanges(refund, () => setBankReference(refund));
  emitUpdate(context, 'refund.updated', { object: refund, previous: update });
  return refund;
};

/** Fails a refund that the bank rejects, such as for a closed card: the sum returns to the balance. */
export const failRefund = (context: Context, refund: Stripe.Refund): Stripe.Refund => {
  if (refund.status === 'failed')
    throw invalidRequest({ message: `Refund ${refund.id} has already failed.` });
  const { amount, currency, id: source } = refund;
  const description = 'REFUND FAILURE';
  const transfer = { type: 'refund_failure', amount, currency, source, description } as const;
  const previous = captureChanges(refund, () => {
    refund.status = 'failed';
    refund.failure_reason = 'expired_or_canceled_card';
    refund.failure_balance_transaction = addBalanceTransaction(context, transfer).id;
  });
  const charge = context.state.charges.get(refId(refund.charge) ?? '');
  if (charge) {
    charge.amount_refunded -= amount;
    charge.refunded = false;
  }
  emit(context, 'refund.failed', refund);
  emitUpdate(context, 'charge.refund.updated', { object: refund, previous });
  return refund;
};
