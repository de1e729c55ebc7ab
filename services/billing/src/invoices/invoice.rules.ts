// An invoice counts as sold when it is paid, by money, discount or balance, in the currency of its subscription's price. It counts
// as refunded when all of its amount went back; an invoice of amount 0 cannot be refunded. It counts as returned when it was
// refunded or a dispute of it was lost.
import { isLost } from '../disputes/dispute.rules.ts';
import type { CustomerSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';

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
