import type { CreditMails } from '@shortlist/contracts/api/credits';
import { NO_PLAN, type PlanState } from '@shortlist/contracts/plan';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent, insertOrLock, upsert } from '@shortlist/kit/data/insert';
import { createError } from '@shortlist/kit/process/errors';
import { In, LessThan, LessThanOrEqual } from 'typeorm';

/** The newest plan state received from billing. `bucketVersion` grows with every change that may add credits to a grant or a pack. */
export const accountEntity = defineEntity('account', 'accounts', {
  userId: { ...column.uuid, primary: true },
  planVersion: column.unsigned,
  planState: column.json<PlanState>(),
  wantsMails: { ...column.boolean, default: true },
  bucketVersion: { ...column.unsigned, default: 0 },
});
type Account = RowOf<typeof accountEntity>;

/** `rowsLeft`: whether the deletion continues in the background. */
export const deletedUserEntity = defineEntity('deleted_user', 'deleted_users', {
  userId: { ...column.uuid, primary: true },
  deletedAt: column.dateTime,
  rowsLeft: { ...column.boolean, default: false },
});

/** When a user's next free bucket is due, or the next month of a period that was paid for several, whichever is first. */
export const freeCycleEntity = defineEntity('free_cycle', 'free_cycles', {
  userId: { ...column.uuid, primary: true },
  dueAt: column.dateTime,
});

const NEW = { planVersion: 0, planState: NO_PLAN, wantsMails: true, bucketVersion: 0 };

/** The account of a user, with defaults if nothing is stored. */
export const findAccount = async (tx: Tx, userId: string): Promise<Account> =>
  (await tx.findOneBy(accountEntity, { userId })) ?? { userId, ...NEW };

/** The plan states of these users, as far as one is stored. */
export const listPlanStates = async (tx: Tx, userIds: string[]): Promise<Map<string, PlanState>> => {
  const rows = userIds.length === 0 ? [] : await tx.findBy(accountEntity, { userId: In(userIds) });
  return new Map(rows.map(({ userId, planState }) => [userId, planState]));
};

/**
 * Locks the user's row until commit, creating it if missing. It is the lock of the plan, grants and packs, and of the user's deletion. Returns
 * false, without a row, for a deleted user, about whom nothing may be stored again.
 */
export const lockAccount = async (tx: Tx, userId: string): Promise<boolean> => {
  await insertOrLock(tx, accountEntity, { userId, ...NEW });
  if (!(await isDeleted(tx, userId))) return true;
  await tx.delete(accountEntity, { userId });
  return false;
};

/** Locks the user's row until commit. Returns false when there is none: the user has no grant or pack, or is deleted. */
export const lockExistingAccount = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.findOne(accountEntity, { where: { userId }, lock: { mode: 'pessimistic_write' } })) !== null;

/** Makes charges select their buckets again. The caller has locked the account. */
export const raiseBucketVersion = (tx: Tx, userId: string): Promise<unknown> =>
  tx.increment(accountEntity, { userId }, 'bucketVersion', 1);

/** Returns false, with nothing stored, when the state is not newer than the stored one. */
export const updateOlderPlanState = async (tx: Tx, userId: string, state: PlanState): Promise<boolean> => {
  const older = { userId, planVersion: LessThan(state.version) };
  const newer = { planVersion: state.version, planState: state };
  return (await tx.update(accountEntity, older, newer)).affected === 1;
};

export const setCreditMails = async (
  tx: Tx,
  { userId, enabled }: { userId: string } & CreditMails,
): Promise<CreditMails> => {
  if (!(await lockAccount(tx, userId))) throw createError('credits.user_not_found');
  await tx.update(accountEntity, { userId }, { wantsMails: enabled });
  return { enabled };
};

export const isDeleted = (tx: Tx, userId: string): Promise<boolean> =>
  tx.existsBy(deletedUserEntity, { userId });

/**
 * Marks the user as deleted: from the commit on no plan change and no bucket of the user begins. The free cycle stays until then,
 * because charges that wait for a row which is deleted under its lock deadlock with each other on MySQL.
 */
export const closeAccount = async (tx: Tx, userId: string, deletedAt: Date): Promise<void> => {
  await lockAccount(tx, userId);
  await lockFreeCycle(tx, userId, deletedAt);
  await insertIfAbsent(tx, deletedUserEntity, { userId, deletedAt });
  await tx.delete(accountEntity, { userId });
};

export const updateRowsLeft = (tx: Tx, userId: string, rowsLeft: boolean): Promise<unknown> =>
  tx.update(deletedUserEntity, { userId }, { rowsLeft });

export const findUserWithRowsLeft = async (tx: Tx): Promise<string | null> =>
  (await tx.findOneBy(deletedUserEntity, { rowsLeft: true }))?.userId ?? null;

/** Locks the row under which a user's due buckets are opened, and creates it when there is none. The account, if at all, is locked before. */
export const lockFreeCycle = (tx: Tx, userId: string, now: Date): Promise<void> =>
  insertOrLock(tx, freeCycleEntity, { userId, dueAt: now });

/** The users of cycles that are due, the oldest first. */
export const listDueCycles = async (tx: Tx, now: Date, limit: number): Promise<string[]> => {
  const rows = await tx.find(freeCycleEntity, {
    where: { dueAt: LessThanOrEqual(now) },
    order: { dueAt: 'ASC' },
    take: limit,
  });
  return rows.map(({ userId }) => userId);
};

/** Returns the users of cycles that are due and that no other transaction has locked, the oldest first. */
export const lockDueCycles = async (tx: Tx, now: Date, limit: number): Promise<string[]> => {
  const rows = await tx.find(freeCycleEntity, {
    where: { dueAt: LessThanOrEqual(now) },
    order: { dueAt: 'ASC' },
    take: limit,
    lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
  });
  return rows.map(({ userId }) => userId);
};

export const upsertCycles = (tx: Tx, cycles: RowOf<typeof freeCycleEntity>[]): Promise<void> =>
  upsert(tx, freeCycleEntity, { rows: cycles, update: ['dueAt'] });

export const deleteCycles = async (tx: Tx, userIds: string[]): Promise<void> => {
  if (userIds.length > 0) await tx.delete(freeCycleEntity, { userId: In(userIds) });
};
