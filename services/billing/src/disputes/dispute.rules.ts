// A dispute is a payer's objection to a payment at the bank. While it is open the plan stays, although the money is withdrawn. A lost
// dispute returns the payment to the payer, as a full refund does, whatever part of it was disputed: a payer who objects to the
// plan does not keep it, also while the loss is being appealed. A dispute that was won, closed as an inquiry, or prevented leaves
// everything as it was.
import type { CustomerSnapshot, DisputeSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';

const CLOSED = new Set(['won', 'lost', 'warning_closed', 'prevented']);

export const isClosed = ({ status }: Pick<DisputeSnapshot, 'status'>): boolean => CLOSED.has(status);

/** An appeal follows a loss: the payer keeps the money until it is won. */
const LOST = new Set(['lost', 'appeal_needs_response', 'appeal_under_review']);

/** Whether a dispute of the invoice's payment was lost. */
export const isLost = ({ id }: InvoiceSnapshot, { disputes }: CustomerSnapshot): boolean =>
  disputes.some(({ invoiceId, status }) => invoiceId === id && LOST.has(status));
