import type { DeletionView } from '@shortlist/contracts/api/privacy';
import type { Tx } from '@shortlist/kit/data/db';
import { EntitySchema, IsNull, LessThanOrEqual, MoreThan } from 'typeorm';

/** The deletion of an account that its user has requested. */
export type DeletionRow = {
  id: string;
  accountId: string;
  requestedAt: Date;
  dueAt: Date;
  /** When the reminder was caused; null until then. */
  remindedAt: Date | null;
};

export const deletionEntity = new EntitySchema<DeletionRow>({
  name: 'deletion',
  tableName: 'deletions',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    accountId: { name: 'account_id', type: 'char', length: 36 },
    requestedAt: { name: 'requested_at', type: 'datetime', precision: 3 },
    dueAt: { name: 'due_at', type: 'datetime', precision: 3 },
    remindedAt: { name: 'reminded_at', type: 'datetime', precision: 3, nullable: true },
  },
});

export const findDeletion = (tx: Tx, accountId: string): Promise<DeletionRow | null> =>
  tx.getRepository(deletionEntity).findOneBy({ accountId });

/** The deletion with this id if it is due, locked: a concurrent request to keep the account waits. */
export const lockDueDeletion = (tx: Tx, id: string, now: Date): Promise<DeletionRow | null> =>
  tx.getRepository(deletionEntity).findOne({
    where: { id, dueAt: LessThanOrEqual(now) },
    lock: { mode: 'pessimistic_write' },
  });

export const insertDeletion = async (tx: Tx, deletion: DeletionRow): Promise<void> => {
  await tx.getRepository(deletionEntity).insert(deletion);
};

/** Removes a deletion that is not due yet. Returns whether there was one. */
export const removeDeletion = async (tx: Tx, accountId: string, now: Date): Promise<boolean> => {
  const { affected } = await tx.getRepository(deletionEntity).delete({ accountId, dueAt: MoreThan(now) });
  return affected === 1;
};

export const listDueDeletions = (tx: Tx, now: Date, limit: number): Promise<DeletionRow[]> =>
  tx
    .getRepository(deletionEntity)
    .find({ where: { dueAt: LessThanOrEqual(now) }, order: { dueAt: 'ASC' }, take: limit });

/** Deletions due by `before` whose users have not been reminded. */
export const listUnreminded = (tx: Tx, before: Date, limit: number): Promise<DeletionRow[]> =>
  tx.getRepository(deletionEntity).find({
    where: { remindedAt: IsNull(), dueAt: LessThanOrEqual(before) },
    order: { dueAt: 'ASC' },
    take: limit,
  });

/** Returns false when the reminder has been caused meanwhile, or the account is kept. */
export const markReminded = async (tx: Tx, id: string, at: Date): Promise<boolean> => {
  const { affected } = await tx
    .getRepository(deletionEntity)
    .update({ id, remindedAt: IsNull() }, { remindedAt: at });
  return affected === 1;
};

export const presentDeletion = ({ requestedAt, dueAt }: DeletionRow): DeletionView => ({
  requestedAt: requestedAt.toISOString(),
  dueAt: dueAt.toISOString(),
});
