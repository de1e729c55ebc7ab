import type { Tx } from '@shortlist/kit/data/db';
import type { InvoiceSnapshot } from '../stripe/snapshot.ts';
import type { InvoiceRow } from './invoice.entity.ts';
import { refundedAmount } from './invoice.rules.ts';
import { deleteRefundsExcept, findInvoice, insertRefunds, listRefundIds, upsertInvoice } from './queries.ts';

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
    ...{ invoiceId: id, number, subscriptionId, billingReason, status, amount, currency },
    ...{ subtotal, discount, tax, total, attempts, isProcessing, paidAt, hostedUrl },
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
