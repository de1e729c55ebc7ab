import type { Tx } from '@shortlist/kit/data/db';
import { insertIfAbsent, propertiesExcept, upsert } from '@shortlist/kit/data/insert';
import { EntitySchema, In } from 'typeorm';

/** Money that a dispute moved. `amount` was withdrawn from the balance; a negative amount was returned. */
type DisputeTransactionRow = {
  transactionId: string;
  disputeId: string;
  amount: number;
  fee: number;
  currency: string;
  createdAt: Date;
};

export const disputeTransactionEntity = new EntitySchema<DisputeTransactionRow>({
  name: 'dispute_transaction',
  tableName: 'dispute_transactions',
  columns: {
    transactionId: { name: 'transaction_id', type: 'varchar', length: 64, primary: true },
    disputeId: { name: 'dispute_id', type: 'varchar', length: 64 },
    amount: { type: 'int' },
    fee: { type: 'int' },
    currency: { type: 'char', length: 3 },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
  },
});

/** A dispute as last read from Stripe. `closedAt` is when its end was first seen, because Stripe states no time for it. */
export type DisputeRow = {
  disputeId: string;
  invoiceId: string;
  userId: string;
  chargeId: string;
  amount: number;
  currency: string;
  reason: string;
  status: string;
  openedAt: Date;
  evidenceDueAt: Date | null;
  closedAt: Date | null;
};

export const disputeEntity = new EntitySchema<DisputeRow>({
  name: 'dispute',
  tableName: 'disputes',
  columns: {
    disputeId: { name: 'dispute_id', type: 'varchar', length: 64, primary: true },
    invoiceId: { name: 'invoice_id', type: 'varchar', length: 64 },
    userId: { name: 'user_id', type: 'char', length: 36 },
    chargeId: { name: 'charge_id', type: 'varchar', length: 64 },
    amount: { type: 'int' },
    currency: { type: 'char', length: 3 },
    reason: { type: 'varchar', length: 60 },
    status: { type: 'varchar', length: 30 },
    openedAt: { name: 'opened_at', type: 'datetime', precision: 3 },
    evidenceDueAt: { name: 'evidence_due_at', type: 'datetime', precision: 3, nullable: true },
    closedAt: { name: 'closed_at', type: 'datetime', precision: 3, nullable: true },
  },
});

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

export const listDisputesOf = (tx: Tx, userId: string): Promise<DisputeRow[]> =>
  tx.getRepository(disputeEntity).find({ where: { userId }, order: { openedAt: 'ASC' } });
