import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { propertiesExcept, upsert } from '@shortlist/kit/data/insert';
import { In, Not } from 'typeorm';

/** Money that left the balance at `createdAt` for an invoice, and came back at `failedAt` if the refund failed. `tax` is the tax in `amount`. */
export const refundEntity = defineEntity('refund', 'refunds', {
  refundId: { ...column.varchar(64), primary: true },
  invoiceId: column.varchar(64),
  amount: column.int,
  tax: { ...column.int, default: 0 },
  createdAt: column.dateTime,
  failedAt: column.nullable(column.dateTime),
});
export type RefundRow = RowOf<typeof refundEntity>;

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
