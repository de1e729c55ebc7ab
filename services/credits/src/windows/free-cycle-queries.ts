import type { Tx } from '@shortlist/kit/data/db';
import { insertOrLock, upsert } from '@shortlist/kit/data/insert';
import { EntitySchema, In, LessThanOrEqual } from 'typeorm';

/** When a user's next free window is due. */
type FreeCycleRow = { userId: string; dueAt: Date };

export const freeCycleEntity = new EntitySchema<FreeCycleRow>({
  name: 'free_cycle',
  tableName: 'free_cycles',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    dueAt: { name: 'due_at', type: 'datetime', precision: 3 },
  },
});

/** Locks the row under which a user's free windows are opened, and creates it when there is none. */
export const lockFreeCycle = (tx: Tx, userId: string, now: Date): Promise<void> =>
  insertOrLock(tx, freeCycleEntity, { userId, dueAt: now });

/** Locks a chunk of due cycles, oldest first, and returns their users. Skips cycles that another transaction has locked. */
export const lockDueCycles = async (tx: Tx, now: Date, limit: number): Promise<string[]> => {
  const rows = await tx.getRepository(freeCycleEntity).find({
    where: { dueAt: LessThanOrEqual(now) },
    order: { dueAt: 'ASC' },
    take: limit,
    lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
  });
  return rows.map(({ userId }) => userId);
};

export const updateDueAt = async (tx: Tx, userId: string, dueAt: Date): Promise<void> => {
  await tx.getRepository(freeCycleEntity).update({ userId }, { dueAt });
};

/** Stores the due times of many users in one statement. */
export const upsertCycles = (tx: Tx, cycles: FreeCycleRow[]): Promise<void> =>
  upsert(tx, freeCycleEntity, { rows: cycles, update: ['dueAt'] });

export const deleteCycles = async (tx: Tx, userIds: string[]): Promise<void> => {
  if (userIds.length > 0) await tx.getRepository(freeCycleEntity).delete({ userId: In(userIds) });
};
