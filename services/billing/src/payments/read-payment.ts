import { listEntriesNaming } from '@shortlist/audit/queries';
import type { AuditEntry } from '@shortlist/contracts/api/audit';
import type {
  PaymentDetail,
  PaymentDispute,
  PaymentEvent,
  PaymentRefund,
} from '@shortlist/contracts/api/payments';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { isWithdrawn } from '../packs/pack.rules.ts';
import {
  type DisputeRow,
  type DisputeTransactionRow,
  listDisputesOfInvoice,
  listTransactions,
} from '../records/dispute-queries.ts';
import { listEventsAbout } from '../records/event-queries.ts';
import { findInvoice, type InvoiceRow } from '../records/invoice-queries.ts';
import { findRefundsOf, type RefundRow } from '../records/refund-queries.ts';
import { findSubscriber, type SubscriberRow } from '../subscriptions/queries.ts';
import { isFinal } from '../subscriptions/subscription.rules.ts';
import { listPayments } from './payment-queries.ts';

export const presentRefund = ({ refundId, amount, createdAt, failedAt }: RefundRow): PaymentRefund => ({
  refundId,
  amount,
  createdAt: createdAt.toISOString(),
  failedAt: failedAt?.toISOString() ?? null,
});

const sumOf = (moved: DisputeTransactionRow[], column: 'amount' | 'fee') => {
  const [first] = moved;
  // All of one dispute are in the currency of the balance.
  return first === undefined
    ? null
    : { amount: moved.reduce((sum, row) => sum + row[column], 0), currency: first.currency };
};

const presentDispute = (dispute: DisputeRow, moved: DisputeTransactionRow[]): PaymentDispute => ({
  disputeId: dispute.disputeId,
  amount: dispute.amount,
  currency: dispute.currency,
  reason: dispute.reason,
  status: dispute.status,
  openedAt: dispute.openedAt.toISOString(),
  evidenceDueAt: dispute.evidenceDueAt?.toISOString() ?? null,
  closedAt: dispute.closedAt?.toISOString() ?? null,
  withdrawn: sumOf(moved, 'amount'),
  fee: sumOf(moved, 'fee'),
});

/** A paid period has the id of the invoice that pays for it. */
const effectOf = (
  { credits, invoiceId }: InvoiceRow,
  subscriber: SubscriberRow | null,
  now: Date,
): PaymentDetail['effect'] => {
  if (credits !== null) return 'pack';
  const paid = subscriber?.paid ?? null;
  const isCurrent = paid !== null && paid.key === invoiceId && new Date(paid.graceUntil ?? paid.end) > now;
  return isCurrent && subscriber?.deletedAt === null ? 'plan' : 'nothing';
};

/** Whether Stripe may still charge the method on file: not that of a deleted user, nor for a subscription that has ended. */
const canRetry = ({ status, isProcessing }: InvoiceRow, subscriber: SubscriberRow | null): boolean =>
  status === 'open' &&
  !isProcessing &&
  subscriber?.deletedAt === null &&
  !isFinal(subscriber.subscriptionStatus);

/** Of a payment for the plan, by a user who can still get an email. */
export const hasReceipt = (
  { status, credits, paidAt, periodStart, periodEnd }: InvoiceRow,
  subscriber: SubscriberRow | null,
): boolean =>
  status === 'paid' &&
  credits === null &&
  [paidAt, periodStart, periodEnd].every((date) => date !== null) &&
  subscriber?.deletedAt === null;

const listEvents = async (
  tx: Tx,
  { invoiceId, chargeId, paymentIntentId }: InvoiceRow,
  subscriber: SubscriberRow | null,
): Promise<PaymentEvent[]> => {
  const customerId = subscriber?.customerId ?? null;
  if (customerId === null) return [];
  const ids = [invoiceId, chargeId, paymentIntentId].filter((id) => id !== null);
  const events = await listEventsAbout(tx, customerId, ids);
  return events.map(({ eventId, type, status, receivedAt }) => {
    return { eventId, type, state: status, receivedAt: receivedAt.toISOString() };
  });
};

const datesOf = ({ status, periodStart, periodEnd, paidAt, failedAt, nextAttemptAt }: InvoiceRow) => ({
  periodStart: periodStart?.toISOString() ?? null,
  periodEnd: periodEnd?.toISOString() ?? null,
  paidAt: paidAt?.toISOString() ?? null,
  failedAt: failedAt?.toISOString() ?? null,
  nextAttemptAt: status === 'open' ? (nextAttemptAt?.toISOString() ?? null) : null,
});

/** A payment with all that is recorded about it. Throws `billing.invoice_not_found`. */
export const readPayment = async (
  tx: Tx,
  invoiceId: string,
  now: Date,
): Promise<{ data: PaymentDetail; entries: AuditEntry[] }> => {
  const invoice = await findInvoice(tx, invoiceId);
  if (invoice === null) throw createError('billing.invoice_not_found');
  const { userId } = invoice;
  const [{ data: rows }, subscriber, refunds, disputes, entries] = await Promise.all([
    listPayments(tx, { search: invoiceId }, 1),
    findSubscriber(tx, userId),
    findRefundsOf(tx, invoiceId),
    listDisputesOfInvoice(tx, invoiceId),
    listEntriesNaming(tx, userId, { field: 'invoice', value: invoiceId }),
  ]);
  const [row] = rows;
  if (row === undefined) throw createError('billing.invoice_not_found');
  const moved = await listTransactions(
    tx,
    disputes.map(({ disputeId }) => disputeId),
  );
  const isRefundable = invoice.status === 'paid' && invoice.chargeId !== null && !disputes.some(isWithdrawn);
  const data = {
    ...row,
    left: isRefundable ? Math.max(invoice.amount - invoice.refunded, 0) : 0,
    effect: effectOf(invoice, subscriber, now),
    canRetry: canRetry(invoice, subscriber),
    hasReceipt: hasReceipt(invoice, subscriber),
    ...datesOf(invoice),
    events: await listEvents(tx, invoice, subscriber),
    customerId: subscriber?.customerId ?? null,
    subscriptionId: invoice.subscriptionId,
    paymentIntentId: invoice.paymentIntentId,
    invoiceUrl: invoice.hostedUrl,
    refunds: [...refunds.values()].map(presentRefund),
    disputes: disputes.map((dispute) =>
      presentDispute(
        dispute,
        moved.filter(({ disputeId }) => disputeId === dispute.disputeId),
      ),
    ),
  };
  return { data, entries };
};
