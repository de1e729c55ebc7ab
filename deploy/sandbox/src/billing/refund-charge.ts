import type Stripe from 'stripe';
import { newId, refId } from '../ids.ts';
import { addBalanceTransaction } from '../stripe/balance-transactions.ts';
import { emit, emitChange, previousOf } from '../model/emit-event.ts';
import { now, type World } from '../context.ts';

type RefundOrder = {
  amount: number;
  reason: Stripe.Refund.Reason | null;
  metadata: Stripe.Metadata;
};

// The bank's reference comes a little later than the refund; that is what the update is about.
const giveReference = (refund: Stripe.Refund): void => {
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

export const refundCharge = (world: World, charge: Stripe.Charge, order: RefundOrder): Stripe.Refund => {
  const id = newId('re');
  const movement = { type: 'refund', currency: charge.currency, source: id, description: 'REFUND' } as const;
  const refund: Stripe.Refund = {
    id,
    object: 'refund',
    amount: order.amount,
    balance_transaction: addBalanceTransaction(world, { ...movement, amount: -order.amount }).id,
    charge: charge.id,
    created: now(world),
    currency: charge.currency,
    customer: refId(charge.customer),
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: order.metadata,
    payment_intent: refId(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: order.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  world.state.refunds.set(id, refund);
  const previous = previousOf(charge, () => {
    charge.amount_refunded += order.amount;
    charge.refunded = charge.amount_refunded >= charge.amount_captured;
  });
  emit(world, 'refund.created', refund);
  emitChange(world, 'charge.refunded', { object: charge, previous });
  const update = previousOf(refund, () => giveReference(refund));
  emitChange(world, 'refund.updated', { object: refund, previous: update });
  return refund;
};
