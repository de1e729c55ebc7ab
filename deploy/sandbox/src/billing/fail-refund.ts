import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { refId } from '../ids.ts';
import { addBalanceTransaction } from '../model/balance-transaction.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';

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
