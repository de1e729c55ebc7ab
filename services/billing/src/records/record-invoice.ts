import { recordSystemChange } from '@shortlist/audit/audit-log';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { alertExists } from '../alerts/queries.ts';
import { alertIdOf, raiseAlerts, resolveAlert } from '../alerts/raise-alert.ts';
import { alertText } from '../messages.ts';
import type { DisputeSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { findDispute, insertTransactions, upsertDispute } from './dispute-queries.ts';
import {
  deleteRefundsExcept,
  findInvoice,
  insertRefunds,
  type InvoiceRow,
  listRefundIds,
  upsertInvoice,
} from './invoice-queries.ts';
import { isClosed, refundedAmount } from './records.rules.ts';

/** What changed since the invoice was last recorded; each change is emitted once. */
export type InvoiceChange = { paid: boolean; failedAttempt: boolean; refunded: boolean };

/** An invoice that is not stored yet compares like an open one without an attempt. */
const NOT_STORED = { status: 'open', attempts: 0, isProcessing: false } as const;

type Stored = Pick<InvoiceRow, 'status' | 'attempts' | 'isProcessing'>;

/** Stripe counts an attempt when it starts. A bank debit fails days later, under the same count. */
const hasFailed = ({ status, attempts, isProcessing }: InvoiceSnapshot, stored: Stored): boolean =>
  status === 'open' && !isProcessing && (attempts > stored.attempts || stored.isProcessing);

/** Stores the refunds of an invoice and removes those that failed or were canceled since. Returns whether one is new. */
const recordRefunds = async (tx: Tx, { id: invoiceId, refunds }: InvoiceSnapshot): Promise<boolean> => {
  const stored = await listRefundIds(tx, invoiceId);
  const current = new Set(refunds.map(({ id }) => id));
  if ([...stored].some((id) => !current.has(id))) await deleteRefundsExcept(tx, invoiceId, [...current]);
  const added = refunds.filter(({ id }) => !stored.has(id));
  await insertRefunds(
    tx,
    added.map(({ id: refundId, amount, createdAt }) => ({ refundId, invoiceId, amount, createdAt })),
  );
  return added.length > 0;
};

const UNKNOWN = { fee: null, settlementCurrency: null, settlementAmount: null, exchangeRate: null };

const settlementColumns = (fee: InvoiceSnapshot['fee']) => {
  if (fee === null) return UNKNOWN;
  const { amount, currency, settlementAmount, exchangeRate } = fee;
  return { fee: amount, settlementCurrency: currency, settlementAmount, exchangeRate };
};

/** The columns of an invoice, without its user. */
const toRow = (invoice: InvoiceSnapshot): Omit<InvoiceRow, 'userId'> => {
  const { id, number, subscriptionId, billingReason, status, amount, currency, attempts, paidAt } = invoice;
  const { subtotal, discount, tax, total, fee, period, hostedUrl, isProcessing } = invoice;
  return {
    invoiceId: id,
    number,
    subscriptionId,
    billingReason,
    status,
    amount,
    currency,
    subtotal,
    discount,
    tax,
    total,
    attempts,
    isProcessing,
    paidAt,
    hostedUrl,
    ...settlementColumns(fee),
    refunded: refundedAmount(invoice),
    periodStart: period.start,
    periodEnd: period.end,
  };
};

/** Stores an invoice as last read from Stripe and returns what changed. The caller has locked the subscriber's row. */
export const recordInvoice = async (
  tx: Tx,
  userId: string,
  invoice: InvoiceSnapshot,
): Promise<InvoiceChange> => {
  const stored = (await findInvoice(tx, invoice.id)) ?? NOT_STORED;
  await upsertInvoice(tx, { userId, ...toRow(invoice) });
  return {
    paid: invoice.status === 'paid' && stored.status !== 'paid',
    failedAttempt: hasFailed(invoice, stored),
    refunded: await recordRefunds(tx, invoice),
  };
};

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

/**
 * Stores a dispute as last read from Stripe, with the money that it moved. The alert of its opening is resolved when it closes. The
 * caller has locked the subscriber's row.
 */
export const recordDispute = async (
  tx: Tx,
  { userId, dispute, clock }: { userId: string; dispute: DisputeSnapshot; clock: Clock },
): Promise<void> => {
  const { id: disputeId, transactions, ...columns } = dispute;
  const stored = await findDispute(tx, disputeId);
  const closedAt = isClosed(dispute) ? (stored?.closedAt ?? clock()) : null;
  await upsertDispute(tx, { disputeId, userId, ...columns, closedAt });
  await insertTransactions(
    tx,
    transactions.map(({ id: transactionId, ...transaction }) => ({
      transactionId,
      disputeId,
      ...transaction,
    })),
  );
  const isClosedNow = closedAt !== null && (stored?.closedAt ?? null) === null;
  if (isClosedNow) await resolveAlert(tx, alertIdOf('dispute_opened', disputeId), clock);
};
