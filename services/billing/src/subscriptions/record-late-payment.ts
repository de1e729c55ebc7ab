import { recordSystemChange } from '@shortlist/audit/audit-log';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { alertExists } from '../alerts/queries.ts';
import { alertIdOf, raiseAlerts } from '../alerts/raise-alert.ts';
import { alertText } from '../messages.ts';
import type { InvoiceSnapshot } from '../stripe/snapshot.ts';
import { isPaidAfter, refundedAmount } from './subscription.rules.ts';

/** After the deletion of its user, or after the end of the period that it was for. */
type Kind = 'payment_of_deleted_user' | 'late_payment';

/** Whether a payment has been recorded as one that came too late. */
export const isLatePaymentRecorded = (tx: Tx, kind: Kind, invoiceId: string): Promise<boolean> =>
  alertExists(tx, alertIdOf(kind, invoiceId));

type Payment = { invoice: InvoiceSnapshot; clock: Clock; log: Log };

/** Records a payment that is given back because it came too late, once: an audit entry of what was refunded, and an alert. */
export const recordLatePayment = async (
  tx: Tx,
  userId: string,
  { kind, invoice, clock, log }: Payment & { kind: Kind },
): Promise<void> => {
  const { id, amount, currency } = invoice;
  if (amount === 0 || (await isLatePaymentRecorded(tx, kind, id))) return;
  const refunded = refundedAmount(invoice);
  if (refunded > 0) {
    const before = { invoice: id, amount, currency, refunded: 0 };
    const after = { ...before, refunded };
    await recordSystemChange(tx, { action: 'payment.refund', targetId: userId, before, after, clock });
  }
  const detail = alertText(refunded >= amount ? 'refunded' : 'notRefunded');
  await raiseAlerts(tx, [{ kind, objectId: id, userId, amount, currency, detail }], { clock, log });
};

/** Records an invoice of a deleted user as too late if it was paid after the deletion. `isKnown`: it was recorded as paid before. */
export const recordPaymentAfterDeletion = async (
  tx: Tx,
  { userId, deletedAt }: { userId: string; deletedAt: Date },
  { isKnown, ...payment }: Payment & { isKnown: boolean },
): Promise<void> => {
  if (isPaidAfter(payment.invoice, deletedAt, { isKnown }))
    await recordLatePayment(tx, userId, { kind: 'payment_of_deleted_user', ...payment });
};
