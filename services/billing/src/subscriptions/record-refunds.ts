import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import {
  deleteRefundsExcept,
  findRefundsOf,
  type RefundRow,
  upsertRefunds,
} from '../records/refund-queries.ts';
import { withTax } from '../records/tax.rules.ts';
import type { InvoiceSnapshot } from '../stripe/snapshot.ts';

/** The refunds whose money moved. A failure has the time at which it was first seen while Stripe states none. */
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
 * Stores the refunds of an invoice, also those that failed: a failure is a movement of its own, so that the month of the refund keeps
 * its sum. One that moved no money after all is removed. Returns whether a refund that stands is new.
 */
export const recordRefunds = async (tx: Tx, invoice: InvoiceSnapshot, clock: Clock): Promise<boolean> => {
  const stored = await findRefundsOf(tx, invoice.id);
  const rows = withTax(rowsOf(invoice, stored, clock), invoice);
  const current = new Set(rows.map(({ refundId }) => refundId));
  if ([...stored.keys()].some((id) => !current.has(id)))
    await deleteRefundsExcept(tx, invoice.id, [...current]);
  await upsertRefunds(tx, rows);
  return invoice.refunds.some(({ id }) => !stored.has(id));
};
