// Maps Stripe's disputes to plain snapshots.
import type { Stripe } from 'stripe';
import { date, dateOrNull, idOf } from './from-stripe.ts';
import type { DisputeSnapshot } from './snapshot.ts';

/** Stripe's balance loses a negative amount; what the dispute took is positive here. */
const toTransaction = ({
  id,
  amount,
  fee,
  currency,
  created,
}: Stripe.BalanceTransaction): DisputeSnapshot['transactions'][number] => ({
  id,
  amount: -amount,
  fee,
  currency,
  createdAt: date(created),
});

/** `invoiceId` is the invoice that the disputed charge paid. */
export const toDispute = (dispute: Stripe.Dispute, invoiceId: string): DisputeSnapshot => ({
  id: dispute.id,
  invoiceId,
  chargeId: idOf(dispute.charge) ?? '',
  amount: dispute.amount,
  currency: dispute.currency,
  reason: dispute.reason,
  status: dispute.status,
  openedAt: date(dispute.created),
  evidenceDueAt: dateOrNull(dispute.evidence_details.due_by),
  transactions: dispute.balance_transactions.map(toTransaction),
});
