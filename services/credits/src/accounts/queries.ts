import type { CreditMails } from '@shortlist/contracts/api/credits';
import { NO_PLAN, type PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { insertIfAbsent, insertOrLock, upsert } from '@shortlist/kit/data/insert';
import { createError } from '@shortlist/kit/process/errors';
import { EntitySchema, In, LessThan, LessThanOrEqual } from 'typeorm';

/**
 * The newest plan state received from billing, and whether the user wants mails about credits. `bucketVersion` grows with every change
 * that may add credits to a grant or a pack of the user.
 */
type AccountRow = {
  userId: string;
  planVersion: number;
  planState: PlanState;
  wantsMails: boolean;
  bucketVersion: number;
};

export const parsePlanState = (text: string): PlanState => JSON.parse(text) as PlanState;

export const accountEntity = new EntitySchema<AccountRow>({
  name: 'account',
  tableName: 'accounts',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    planVersion: { name: 'plan_version', type: 'int', unsigned: true },
    planState: {
      name: 'plan_state',
      type: 'text',
      transformer: { from: parsePlanState, to: (state: PlanState) => JSON.stringify(state) },
    },
    wantsMails: { name: 'wants_mails', type: 'boolean', default: true },
    bucketVersion: { name: 'bucket_version', type: 'int', unsigned: true, default: 0 },
  },
});

/** `rowsLeft`: the deletion goes on in the background. */
type DeletedUserRow = { userId: string; deletedAt: Date; rowsLeft: boolean };

export const deletedUserEntity = new EntitySchema<DeletedUserRow>({
  name: 'deleted_user',
  tableName: 'deleted_users',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    deletedAt: { name: 'deleted_at', type: 'datetime', precision: 3 },
    rowsLeft: { name: 'rows_left', type: 'boolean', default: false },
  },
});

/** When a user's next free bucket is due. */
type FreeCycleRow = { userId: string; dueAt: Date };

export const freeCycleEntity = new EntitySchema<FreeCycleRow>({
  name: 'free_cycle',
  tableName: 'free_cycles',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    dueAt: { name: 'due_at', type: 'datetime', precision: 3 },
  },
});

const newAccount = (userId: string): AccountRow => ({
  userId,
  planVersion: 0,
  planState: NO_PLAN,
  wantsMails: true,
  bucketVersion: 0,
});

/** The account of a user, also of one of whom nothing is stored. */
export const findAccount = async (tx: Tx, userId: string): Promise<AccountRow> =>
  (await tx.getRepository(accountEntity).findOneBy({ userId })) ?? newAccount(userId);

/**
 * Locks the user's row until commit, and creates it when there is none. It serialises changes of one user's plan, grants and packs with
 * each other and with the deletion of the user. Returns false, without a row, for a deleted user, of whom nothing may be stored again.
 */
export const lockAccount = async (tx: Tx, userId: string): Promise<boolean> => {
  await insertOrLock(tx, accountEntity, newAccount(userId));
  if (!(await isDeleted(tx, userId))) return true;
  await deleteAccount(tx, userId);
  return false;
};

/** Locks the user's row until commit. Returns false when there is none: the user has no grant or pack, or is deleted. */
export const lockExistingAccount = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx
    .getRepository(accountEntity)
    .findOne({ where: { userId }, lock: { mode: 'pessimistic_write' } })) !== null;

/** Has charges that were selected before selected again. The caller has locked the account. */
export const raiseBucketVersion = async (tx: Tx, userId: string): Promise<void> => {
  await tx.getRepository(accountEntity).increment({ userId }, 'bucketVersion', 1);
};

/** Stores the state if it is newer than the stored one. Returns whether it was. */
export const updateOlderPlanState = async (tx: Tx, userId: string, state: PlanState): Promise<boolean> => {
  const older = { userId, planVersion: LessThan(state.version) };
  const newer = { planVersion: state.version, planState: state };
  return (await tx.getRepository(accountEntity).update(older, newer)).affected === 1;
};

export const deleteAccount = async (tx: Tx, userId: string): Promise<void> => {
  await tx.getRepository(accountEntity).delete({ userId });
};

/** Stores whether the user gets mails about credits. Throws `credits.user_not_found` for a deleted user. */
export const setCreditMails = async (
  tx: Tx,
  { userId, enabled }: { userId: string } & CreditMails,
): Promise<CreditMails> => {
  if (!(await lockAccount(tx, userId))) throw createError('credits.user_not_found');
  await tx.getRepository(accountEntity).update({ userId }, { wantsMails: enabled });
  return { enabled };
};

export const isDeleted = (tx: Tx, userId: string): Promise<boolean> =>
  tx.getRepository(deletedUserEntity).existsBy({ userId });

export const insertDeletedUserIfAbsent = async (tx: Tx, userId: string, deletedAt: Date): Promise<void> => {
  await insertIfAbsent(tx, deletedUserEntity, { userId, deletedAt });
};

export const updateRowsLeft = async (tx: Tx, userId: string, rowsLeft: boolean): Promise<void> => {
  await tx.getRepository(deletedUserEntity).update({ userId }, { rowsLeft });
};

export const findUserWithRowsLeft = async (tx: Tx): Promise<string | null> =>
  (await tx.getRepository(deletedUserEntity).findOneBy({ rowsLeft: true }))?.userId ?? null;

/** Locks the row under which a user's free buckets are opened, and creates it when there is none. */
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

/** Stores the due times of many users in one statement. */
export const upsertCycles = (tx: Tx, cycles: FreeCycleRow[]): Promise<void> =>
  upsert(tx, freeCycleEntity, { rows: cycles, update: ['dueAt'] });

export const deleteCycles = async (tx: Tx, userIds: string[]): Promise<void> => {
  if (userIds.length > 0) await tx.getRepository(freeCycleEntity).delete({ userId: In(userIds) });
};
