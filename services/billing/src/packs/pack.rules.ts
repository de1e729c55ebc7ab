// The state of a paid pack of credits. A refund takes back its share of the credits, rounded down to whole credits: with 250 credits for
// $19.00, a refund of $5.00 leaves 184. A dispute takes back all of them while the bank has withdrawn the money (which it does not do for an
// inquiry), and permanently once it is lost; winning it gives them back. A pack with a discount on the whole price has nothing to refund. Packs
// and plans do not affect each other.
import type { CreditPack } from '@shortlist/contracts/api/billing';
import type { CustomerSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { refundedAmount } from '../subscriptions/subscription.rules.ts';

const WITHDRAWN = new Set([
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
]);

/** Whether the payer has the money, or the bank holds it. */
export const isWithdrawn = ({ status }: { status: string }): boolean => WITHDRAWN.has(status);

type PaidState = Pick<CreditPack, 'paidCredits' | 'state'>;

/** How many credits of a pack are currently paid for, and why. */
export const paidStateOf = (
  { id, credits, amount, ...invoice }: InvoiceSnapshot & { credits: number },
  { disputes }: Pick<CustomerSnapshot, 'disputes'>,
): PaidState => {
  if (disputes.some((dispute) => dispute.invoiceId === id && isWithdrawn(dispute)))
    return { paidCredits: 0, state: 'disputed' };
  const refunded = refundedAmount(invoice);
  if (refunded === 0) return { paidCredits: credits, state: 'paid' };
  if (refunded >= amount) return { paidCredits: 0, state: 'refunded' };
  return { paidCredits: Math.floor((credits * (amount - refunded)) / amount), state: 'partly_refunded' };
};
