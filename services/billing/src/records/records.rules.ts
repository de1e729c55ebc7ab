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

// An invoice counts as sold when it is paid, by money, discount or balance, in the currency of its subscription's price. It counts
// as refunded when all of its amount went back; an invoice of amount 0 cannot be refunded. It counts as returned when it was
// refunded or a dispute of it was lost.

export const refundedAmount = ({ refunds }: InvoiceSnapshot): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

export const isSold = (
  { status, currency, subscriptionId }: InvoiceSnapshot,
  { subscriptions }: CustomerSnapshot,
): boolean => {
  const price = subscriptions.find(({ id }) => id === subscriptionId)?.price;
  return status === 'paid' && currency === (price?.currency ?? currency);
};

export const isRefunded = (invoice: InvoiceSnapshot): boolean =>
  invoice.amount > 0 && refundedAmount(invoice) >= invoice.amount;

export const isReturned = (invoice: InvoiceSnapshot, snapshot: CustomerSnapshot): boolean =>
  isRefunded(invoice) || isLost(invoice, snapshot);

/** Whether an invoice was paid after this time. */
export const isPaidAfter = ({ status, paidAt }: InvoiceSnapshot, time: Date): boolean =>
  status === 'paid' && paidAt !== null && paidAt > time;
