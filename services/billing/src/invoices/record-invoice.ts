import type { Tx } from '@shortlist/kit/data/db';
import type { InvoiceSnapshot } from '../stripe/snapshot.ts';
import { refundedAmount } from './invoice.rules.ts';
import { deleteRefundsExcept, findInvoice, insertRefunds, listRefundIds, upsertInvoice } from './queries.ts';

/** What changed since the invoice was last recorded; each change is emitted once. */
export type InvoiceChange = { paid: boolean; failedAttempt: boolean; refunded: boolean };

/** An invoice that is not stored yet compares like an open one without an attempt. */
const NOT_STORED = { status: 'open', attempts: 0 } as const;

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

/** Stores an invoice as last read from Stripe and returns what changed. The caller has locked the subscriber's row. */
export const recordInvoice = async (
  tx: Tx,
  userId: string,
  invoice: InvoiceSnapshot,
): Promise<InvoiceChange> => {
  const stored = (await findInvoice(tx, invoice.id)) ?? NOT_STORED;
  const { id: invoiceId, status, amount, currency, fee, attempts, paidAt } = invoice;
  const refunded = refundedAmount(invoice);
  await upsertInvoice(tx, { invoiceId, userId, status, amount, currency, fee, refunded, attempts, paidAt });
  return {
    paid: status === 'paid' && stored.status !== 'paid',
    failedAttempt: status === 'open' && attempts > stored.attempts,
    refunded: await recordRefunds(tx, invoice),
  };
};
