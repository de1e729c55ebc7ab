import { affectedRows, type Tx } from '@shortlist/kit/data/db';
import { type ProviderInvoice, refundedAmount } from './subscription.rules.ts';

/** What was not known before: each is told of once. */
export type InvoiceNews = { paid: boolean; failedAttempt: boolean; refunded: boolean };

/** An invoice we have not seen is like an open one that nobody has tried to collect. */
const UNKNOWN: Known = { status: 'open', attempts: 0, refunded: 0 };

type Known = { status: 'open' | 'paid'; attempts: number; refunded: number };

const findKnown = async (tx: Tx, invoiceId: string): Promise<Known | null> => {
  const rows: Known[] = await tx.query(
    'SELECT status, attempts, refunded FROM invoices WHERE invoice_id = ?',
    [invoiceId],
  );
  return rows[0] ?? null;
};

/** Takes out refunds that the bank refused or that were called off after we had heard of them. */
const deleteOtherRefunds = async (tx: Tx, { id, refunds }: ProviderInvoice): Promise<void> => {
  const kept = refunds.map((refund) => refund.id);
  await tx.query(
    `DELETE FROM refunds WHERE invoice_id = ?${kept.length > 0 ? ' AND refund_id NOT IN (?)' : ''}`,
    kept.length > 0 ? [id, kept] : [id],
  );
};

const insertRefunds = async (tx: Tx, invoice: ProviderInvoice): Promise<number> => {
  let added = 0;
  for (const refund of invoice.refunds) {
    const result: unknown = await tx.query(
      'INSERT IGNORE INTO refunds (refund_id, invoice_id, amount, created_at) VALUES (?, ?, ?, ?)',
      [refund.id, invoice.id, refund.amount, refund.createdAt],
    );
    added += affectedRows(result);
  }
  return added;
};

/** Keeps an invoice as the provider shows it now and answers what is new. The caller holds the subscriber's row lock. */
export const recordInvoice = async (
  tx: Tx,
  userId: string,
  invoice: ProviderInvoice,
): Promise<InvoiceNews> => {
  const known = (await findKnown(tx, invoice.id)) ?? UNKNOWN;
  await tx.query(
    `INSERT INTO invoices (invoice_id, user_id, status, amount, currency, fee, refunded, attempts, paid_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE status = VALUES(status), amount = VALUES(amount), fee = VALUES(fee), refunded = VALUES(refunded),
       attempts = VALUES(attempts), paid_at = VALUES(paid_at)`,
    [
      invoice.id,
      userId,
      invoice.status,
      invoice.amount,
      invoice.currency,
      invoice.fee,
      refundedAmount(invoice),
      invoice.attempts,
      invoice.paidAt,
    ],
  );
  if (known.refunded > 0) await deleteOtherRefunds(tx, invoice);
  const addedRefunds = await insertRefunds(tx, invoice);
  return {
    paid: invoice.status === 'paid' && known.status !== 'paid',
    failedAttempt: invoice.status === 'open' && invoice.attempts > known.attempts,
    refunded: addedRefunds > 0,
  };
};

export type LastPayment = { amount: number; currency: string; paidAt: Date };

export const findLastPayment = async (tx: Tx, userId: string): Promise<LastPayment | null> => {
  const rows: LastPayment[] = await tx.query(
    "SELECT amount, currency, paid_at AS paidAt FROM invoices WHERE user_id = ? AND status = 'paid' ORDER BY paid_at DESC LIMIT 1",
    [userId],
  );
  return rows[0] ?? null;
};
