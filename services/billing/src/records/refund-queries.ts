import type { Tx } from '@shortlist/kit/data/db';
import { propertiesExcept, upsert } from '@shortlist/kit/data/insert';
import { EntitySchema, In, Not } from 'typeorm';

/** Money that left the balance at `createdAt` for an invoice, and came back at `failedAt` if the refund failed. `tax` is the tax in `amount`. */
export type RefundRow = {
  refundId: string;
  invoiceId: string;
  amount: number;
  tax: number;
  createdAt: Date;
  failedAt: Date | null;
};

export const refundEntity = new EntitySchema<RefundRow>({
  name: 'refund',
  tableName: 'refunds',
  columns: {
    refundId: { name: 'refund_id', type: 'varchar', length: 64, primary: true },
    invoiceId: { name: 'invoice_id', type: 'varchar', length: 64 },
    amount: { type: 'int' },
    tax: { type: 'int', default: 0 },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    failedAt: { name: 'failed_at', type: 'datetime', precision: 3, nullable: true },
  },
});

/** The stored refunds of an invoice, by id. */
export const findRefundsOf = async (tx: Tx, invoiceId: string): Promise<Map<string, RefundRow>> => {
  const rows = await tx.getRepository(refundEntity).findBy({ invoiceId });
  return new Map(rows.map((row) => [row.refundId, row]));
};

/** The stored ones among these refunds, by id. */
export const findRefunds = async (tx: Tx, refundIds: string[]): Promise<Map<string, RefundRow>> => {
  const rows = await tx.getRepository(refundEntity).findBy({ refundId: In(refundIds) });
  return new Map(rows.map((row) => [row.refundId, row]));
};

const CHANGING = propertiesExcept(refundEntity, 'refundId', 'invoiceId');

export const upsertRefunds = (tx: Tx, rows: RefundRow[]): Promise<void> =>
  upsert(tx, refundEntity, { rows, update: CHANGING });

export const deleteRefundsExcept = async (tx: Tx, invoiceId: string, refundIds: string[]): Promise<void> => {
  await tx.getRepository(refundEntity).delete({ invoiceId, refundId: Not(In(refundIds)) });
};
