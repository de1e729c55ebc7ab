import type { Tx } from '@shortlist/kit/data/db';
import { change } from '@shortlist/kit/data/sql';
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
export const lockFreeCycle = async (tx: Tx, userId: string, now: Date): Promise<void> => {
  // By hand: the builder's upsert would overwrite an existing row.
  await change(tx, {
    sql: 'INSERT INTO free_cycles (user_id, due_at) VALUES (?, ?) ON DUPLICATE KEY UPDATE due_at = due_at',
    values: [userId, now],
  });
};

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
export const upsertCycles = async (tx: Tx, cycles: FreeCycleRow[]): Promise<void> => {
  if (cycles.length === 0) return;
  await tx
    .createQueryBuilder()
    .insert()
    .into(freeCycleEntity)
    .values(cycles)
    .orUpdate(['due_at'], ['user_id'])
    .updateEntity(false)
    .execute();
};

export const deleteCycles = async (tx: Tx, userIds: string[]): Promise<void> => {
  if (userIds.length > 0) await tx.getRepository(freeCycleEntity).delete({ userId: In(userIds) });
};
