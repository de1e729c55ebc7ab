// What became of a pack of credits that was paid. A refund takes back its share of the credits, in whole credits for the payer's money: of
// 250 credits for $19.00 a refund of $5.00 leaves 184. A dispute takes back all of them while the bank has withdrawn the money, which it
// does not do for an inquiry, and for good once it is lost; one that is won gives them back. A pack that was given away, by a discount on
// the whole price, has nothing to refund. Nothing of this changes a plan, and no plan changes a pack.
import type { CreditPack } from '@shortlist/contracts/api/billing';
import type { CustomerSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { refundedAmount } from '../subscriptions/subscription.rules.ts';

/** The states of a dispute in which the payer has the money, or the bank holds it. */
const WITHDRAWN = new Set([
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
]);

type PaidState = Pick<CreditPack, 'paidCredits' | 'state'>;

/** How many credits of a paid pack are paid for now, and why. */
export const paidStateOf = (
  { id, credits, amount, ...invoice }: InvoiceSnapshot & { credits: number },
  { disputes }: Pick<CustomerSnapshot, 'disputes'>,
): PaidState => {
  if (disputes.some(({ invoiceId, status }) => invoiceId === id && WITHDRAWN.has(status)))
    return { paidCredits: 0, state: 'disputed' };
  const refunded = refundedAmount(invoice);
  if (refunded === 0) return { paidCredits: credits, state: 'paid' };
  if (refunded >= amount) return { paidCredits: 0, state: 'refunded' };
  return { paidCredits: Math.floor((credits * (amount - refunded)) / amount), state: 'partly_refunded' };
};
