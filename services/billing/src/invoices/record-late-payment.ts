import { recordSystemChange } from '@shortlist/audit/audit-log';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import type { InvoiceSnapshot } from '../stripe/snapshot.ts';
import { refundedAmount } from './invoice.rules.ts';

/** Records a payment that arrived after its user was deleted, with what was refunded of it. */
export const recordLatePayment = async (
  tx: Tx,
  userId: string,
  { invoice, clock }: { invoice: InvoiceSnapshot; clock: Clock },
): Promise<void> => {
  const { id, amount, currency } = invoice;
  const refunded = refundedAmount(invoice);
  if (refunded === 0) return;
  const before = { invoice: id, amount, currency, refunded: 0 };
  const after = { ...before, refunded };
  await recordSystemChange(tx, { action: 'payment.refund', targetId: userId, before, after, clock });
};
