import type { Tx } from '@shortlist/kit/data/db';
import { In } from 'typeorm';
import { disputeTransactionEntity, type DisputeTransactionRow } from './dispute-transaction.entity.ts';
import { disputeEntity, type DisputeRow } from './dispute.entity.ts';

export const findDispute = (tx: Tx, disputeId: string): Promise<DisputeRow | null> =>
  tx.getRepository(disputeEntity).findOneBy({ disputeId });

/** Those of these disputes that are stored, by id. */
export const findDisputes = async (tx: Tx, disputeIds: string[]): Promise<Map<string, DisputeRow>> => {
  const rows = await tx.getRepository(disputeEntity).findBy({ disputeId: In(disputeIds) });
  return new Map(rows.map((row) => [row.disputeId, row]));
};

/** The ids of the money movements that are stored for these disputes. */
export const listTransactionIds = async (tx: Tx, disputeIds: string[]): Promise<Set<string>> => {
  const rows = await tx
    .getRepository(disputeTransactionEntity)
    .find({ select: { transactionId: true }, where: { disputeId: In(disputeIds) } });
  return new Set(rows.map(({ transactionId }) => transactionId));
};

/** Inserts a dispute, or updates what can change of one that is stored. */
export const upsertDispute = async (tx: Tx, dispute: DisputeRow): Promise<void> => {
  await tx
    .createQueryBuilder()
    .insert()
    .into(disputeEntity)
    .values(dispute)
    .orUpdate(['amount', 'reason', 'status', 'evidence_due_at', 'closed_at'])
    .updateEntity(false)
    .execute();
};

/** Inserts those that are not stored yet; a balance transaction never changes. */
export const insertTransactions = async (tx: Tx, transactions: DisputeTransactionRow[]): Promise<void> => {
  if (transactions.length === 0) return;
  await tx
    .createQueryBuilder()
    .insert()
    .into(disputeTransactionEntity)
    .values(transactions)
    .orUpdate(['dispute_id'])
    .updateEntity(false)
    .execute();
};
