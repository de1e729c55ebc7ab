import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { findInvoice, type InvoiceRow, upsertInvoice } from '../records/invoice-queries.ts';
import type { InvoiceSnapshot } from '../stripe/snapshot.ts';
import { recordRefunds } from './record-refunds.ts';
import { refundedAmount } from './subscription.rules.ts';

/** What changed since the invoice was last recorded; each change is emitted once. */
export type InvoiceChange = { paid: boolean; failedAttempt: boolean; refunded: boolean };

/** An invoice that is not stored yet compares like an open one without an attempt. */
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
  const { subtotal, discount, tax, total, chargeId, period, hostedUrl, isProcessing } = invoice;
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
    attempts,
    isProcessing,
    paidAt,
    hostedUrl,
    chargeId,
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
