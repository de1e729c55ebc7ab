import { recordSystemChange } from '@shortlist/audit/audit-log';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { alertExists } from '../alerts/queries.ts';
import { alertIdOf, raiseAlerts } from '../alerts/raise-alert.ts';
import { alertText } from '../messages.ts';
import { findInvoice, type InvoiceRow, upsertInvoice } from '../records/invoice-queries.ts';
import {
  deleteRefundsExcept,
  findRefundsOf,
  type RefundRow,
  upsertRefunds,
} from '../records/refund-queries.ts';
import { withTax } from '../records/tax.rules.ts';
import type { InvoiceSnapshot } from '../stripe/snapshot.ts';
import { isPaidAfter, refundedAmount } from './subscription.rules.ts';

/** The refunds that moved money. A failure has the time at which it was first seen until Stripe states one. */
const rowsOf = (
  { id: invoiceId, refunds, returnedRefunds }: InvoiceSnapshot,
  stored: ReadonlyMap<string, RefundRow>,
  clock: Clock,
): Omit<RefundRow, 'tax'>[] => [
  ...refunds.map(({ id: refundId, amount, createdAt }) => ({
    refundId,
    invoiceId,
    amount,
    createdAt,
    failedAt: null,
  })),
  ...returnedRefunds.map(({ id: refundId, amount, createdAt, failedAt }) => ({
    refundId,
    invoiceId,
    amount,
    createdAt,
    failedAt: failedAt ?? stored.get(refundId)?.failedAt ?? clock(),
  })),
];

/**
 * Stores the refunds of an invoice, including failed ones: a failure is a separate movement, so that the month of the refund keeps its sum. A
 * refund that moved no money after all is removed. Returns whether there is a new valid refund.
 */
const recordRefunds = async (tx: Tx, invoice: InvoiceSnapshot, clock: Clock): Promise<boolean> => {
  const stored = await findRefundsOf(tx, invoice.id);
  const rows = withTax(rowsOf(invoice, stored, clock), invoice);
  const current = new Set(rows.map(({ refundId }) => refundId));
  if ([...stored.keys()].some((id) => !current.has(id)))
    await deleteRefundsExcept(tx, invoice.id, [...current]);
  await upsertRefunds(tx, rows);
  return invoice.refunds.some(({ id }) => !stored.has(id));
};

/** The changes since the invoice was last recorded; each is emitted once. */
export type InvoiceChange = { paid: boolean; failedAttempt: boolean; refunded: boolean };

/** An invoice that is not stored yet counts as open without an attempt. */
const NOT_STORED = { status: 'open', attempts: 0, isProcessing: false } as const;

type Stored = Pick<InvoiceRow, 'status' | 'attempts' | 'isProcessing'>;

/** Stripe counts an attempt when it starts. A bank debit fails days later, under the same count. */
const hasFailed = ({ status, attempts, isProcessing }: InvoiceSnapshot, stored: Stored): boolean =>
  status === 'open' && !isProcessing && (attempts > stored.attempts || stored.isProcessing);

const UNKNOWN = { fee: null, settlementCurrency: null, settlementAmount: null, exchangeRate: null };

const settlementColumns = ({ fee, paidAt }: InvoiceSnapshot) => {
  if (fee === null) return { ...UNKNOWN, bookedAt: paidAt };
  const { amount, currency, settlementAmount, exchangeRate, bookedAt } = fee;
  return {
    fee: amount,
    settlementCurrency: currency,
    settlementAmount,
    exchangeRate,
    bookedAt: bookedAt ?? paidAt,
  };
};

/** The columns of an invoice, without its user. */
const toRow = (invoice: InvoiceSnapshot): Omit<InvoiceRow, 'userId'> => {
  const { id, number, subscriptionId, billingReason, credits, status, amount, currency, attempts, paidAt } =
    invoice;
  const { subtotal, discount, tax, total, monthlyAmount, chargeId, paymentIntentId, period } = invoice;
  const { hostedUrl, isProcessing, failedAt, nextAttemptAt } = invoice;
  return {
    invoiceId: id,
    number,
    subscriptionId,
    billingReason,
    credits,
    status,
    amount,
    currency,
    subtotal,
    discount,
    tax,
    total,
    monthlyAmount,
    attempts,
    isProcessing,
    paidAt,
    failedAt,
    nextAttemptAt,
    hostedUrl,
    chargeId,
    paymentIntentId,
    ...settlementColumns(invoice),
    refunded: refundedAmount(invoice),
    periodStart: period.start,
    periodEnd: period.end,
  };
};

/** Stores an invoice as last read from Stripe and returns what changed. The caller has locked the subscriber's row. */
export const recordInvoice = async (
  tx: Tx,
  userId: string,
  { invoice, clock }: { invoice: InvoiceSnapshot; clock: Clock },
): Promise<InvoiceChange> => {
  const stored = (await findInvoice(tx, invoice.id)) ?? NOT_STORED;
  await upsertInvoice(tx, { userId, ...toRow(invoice) });
  return {
    paid: invoice.status === 'paid' && stored.status !== 'paid',
    failedAttempt: hasFailed(invoice, stored),
    refunded: await recordRefunds(tx, invoice, clock),
  };
};

/** A payment after the deletion of its user, or after the end of its period. */
type Kind = 'payment_of_deleted_user' | 'late_payment';

/** Whether a payment has been recorded as late. */
export const isLatePaymentRecorded = (tx: Tx, kind: Kind, invoiceId: string): Promise<boolean> =>
  alertExists(tx, alertIdOf(kind, invoiceId));

type Payment = { invoice: InvoiceSnapshot; clock: Clock; log: Log };

/** Records the refund of a late payment, once: an audit entry and an alert. */
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

/** Records a deleted user's invoice as a late payment if it was paid after the deletion. */
export const recordPaymentAfterDeletion = async (
  tx: Tx,
  { userId, deletedAt }: { userId: string; deletedAt: Date },
  payment: Payment,
): Promise<void> => {
  if (isPaidAfter(payment.invoice, deletedAt))
    await recordLatePayment(tx, userId, { kind: 'payment_of_deleted_user', ...payment });
};
