import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent, propertiesExcept, upsert } from '@shortlist/kit/data/insert';
import { In, LessThan } from 'typeorm';
import type { DisputeSnapshot } from '../stripe/snapshot.ts';

/** Money that a dispute moved. `amount` was withdrawn from the balance; a negative amount was returned. */
export const disputeTransactionEntity = defineEntity('dispute_transaction', 'dispute_transactions', {
  transactionId: { ...column.varchar(64), primary: true },
  disputeId: column.varchar(64),
  amount: column.int,
  fee: column.int,
  currency: column.char(3),
  createdAt: column.dateTime,
});
export type DisputeTransactionRow = RowOf<typeof disputeTransactionEntity>;

/** A dispute as last read from Stripe. `closedAt` is when its end was first seen, because Stripe states no time for it. */
export const disputeEntity = defineEntity('dispute', 'disputes', {
  disputeId: { ...column.varchar(64), primary: true },
  invoiceId: column.varchar(64),
  userId: column.uuid,
  chargeId: column.varchar(64),
  amount: column.int,
  currency: column.char(3),
  reason: column.varchar(60),
  status: column.varchar(30),
  openedAt: column.dateTime,
  evidenceDueAt: column.nullable(column.dateTime),
  closedAt: column.nullable(column.dateTime),
});
export type DisputeRow = RowOf<typeof disputeEntity>;

export const findDispute = (tx: Tx, disputeId: string): Promise<DisputeRow | null> =>
  tx.getRepository(disputeEntity).findOneBy({ disputeId });

/** The stored ones among these disputes, by id. */
export const findDisputes = async (tx: Tx, disputeIds: string[]): Promise<Map<string, DisputeRow>> => {
  const rows = await tx.getRepository(disputeEntity).findBy({ disputeId: In(disputeIds) });
  return new Map(rows.map((row) => [row.disputeId, row]));
};

/** The ids of the stored money movements of these disputes. */
export const listTransactionIds = async (tx: Tx, disputeIds: string[]): Promise<Set<string>> => {
  const rows = await tx
    .getRepository(disputeTransactionEntity)
    .find({ select: { transactionId: true }, where: { disputeId: In(disputeIds) } });
  return new Set(rows.map(({ transactionId }) => transactionId));
};

const CHANGING = propertiesExcept(
  disputeEntity,
  'disputeId',
  'invoiceId',
  'userId',
  'chargeId',
  'currency',
  'openedAt',
);

/** Inserts a dispute, or updates what can change of a stored one. */
export const upsertDispute = async (tx: Tx, dispute: DisputeRow): Promise<void> => {
  await upsert(tx, disputeEntity, {
    rows: [dispute],
    update: CHANGING,
  });
};

/** Inserts those not stored yet; a balance transaction never changes. */
export const insertTransactions = async (tx: Tx, transactions: DisputeTransactionRow[]): Promise<void> => {
  await insertIfAbsent(tx, disputeTransactionEntity, transactions);
};

/** The money that these disputes moved. */
export const listTransactions = (tx: Tx, disputeIds: string[]): Promise<DisputeTransactionRow[]> =>
  tx.getRepository(disputeTransactionEntity).findBy({ disputeId: In(disputeIds) });

/** The disputes of an invoice's payment, the oldest first. */
export const listDisputesOfInvoice = (tx: Tx, invoiceId: string): Promise<DisputeRow[]> =>
  tx.getRepository(disputeEntity).find({ where: { invoiceId }, order: { openedAt: 'ASC' } });

/** A user's disputes that closed before this time, with the money that they moved. */
export const listClosedDisputes = async (
  tx: Tx,
  userId: string,
  closedBefore: Date,
): Promise<DisputeSnapshot[]> => {
  const rows = await tx.getRepository(disputeEntity).findBy({ userId, closedAt: LessThan(closedBefore) });
  if (rows.length === 0) return [];
  const moved = await listTransactions(
    tx,
    rows.map(({ disputeId }) => disputeId),
  );
  return rows.map(({ disputeId: id, userId: _, closedAt: __, ...dispute }) => ({
    id,
    ...dispute,
    transactions: moved
      .filter(({ disputeId }) => disputeId === id)
      .map(({ transactionId, disputeId: ___, ...transaction }) => ({ id: transactionId, ...transaction })),
  }));
};

export const listDisputesOf = (tx: Tx, userId: string): Promise<DisputeRow[]> =>
  tx.getRepository(disputeEntity).find({ where: { userId }, order: { openedAt: 'ASC' } });
