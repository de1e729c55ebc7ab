import { recordSystemChange } from '@shortlist/audit/audit-log';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { alertExists } from '../alerts/queries.ts';
import { alertIdOf, raiseAlerts } from '../alerts/raise-alert.ts';
import { alertText } from '../messages.ts';
import type { InvoiceSnapshot } from '../stripe/snapshot.ts';
import { refundedAmount } from './subscription.rules.ts';

const KIND = 'payment_of_deleted_user';

/** Whether the payment of a deleted user has been recorded as such. */
export const isLatePaymentRecorded = (tx: Tx, invoiceId: string): Promise<boolean> =>
  alertExists(tx, alertIdOf(KIND, invoiceId));

/** Records a payment that arrived after its user was deleted, once: an audit entry of what was refunded, and an alert. */
export const recordLatePayment = async (
  tx: Tx,
  userId: string,
  { invoice, clock, log }: { invoice: InvoiceSnapshot; clock: Clock; log: Log },
): Promise<void> => {
  const { id, amount, currency } = invoice;
  if (amount === 0 || (await isLatePaymentRecorded(tx, id))) return;
  const refunded = refundedAmount(invoice);
  if (refunded > 0) {
    const before = { invoice: id, amount, currency, refunded: 0 };
    const after = { ...before, refunded };
    await recordSystemChange(tx, { action: 'payment.refund', targetId: userId, before, after, clock });
  }
  const detail = alertText(refunded >= amount ? 'refunded' : 'notRefunded');
  const alert = { kind: KIND, objectId: id, userId, amount, currency, detail } as const;
  await raiseAlerts(tx, [alert], { clock, log });
};
