import type { Tx } from '@shortlist/kit/data/db';
import { IsNull, LessThanOrEqual, MoreThan } from 'typeorm';
import { deletionEntity, type DeletionRow } from './deletion.entity.ts';

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
