import { NO_PLAN, type Plan, PLANS, type PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { insertIfAbsent, insertOrLock } from '@shortlist/kit/data/insert';
import { change, instant, integer, nullable, oneOf, selectRows, text } from '@shortlist/kit/data/sql';
import { EntitySchema, In, LessThan, MoreThan } from 'typeorm';
import type { NewWindow } from './window.rules.ts';

/**
 * The newest plan state received from billing, and whether the user wants mails about credits. `bucketVersion` grows with every change
 * that may add credits to a bucket of the user.
 */
export type AccountRow = {
  userId: string;
  planVersion: number;
  planState: PlanState;
  wantsMails: boolean;
  bucketVersion: number;
};

const parsePlanState = (text: string): PlanState => JSON.parse(text) as PlanState;

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

/** When a user's next free window is due. */
export type FreeCycleRow = { userId: string; dueAt: Date };

export const freeCycleEntity = new EntitySchema<FreeCycleRow>({
  name: 'free_cycle',
  tableName: 'free_cycles',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    dueAt: { name: 'due_at', type: 'datetime', precision: 3 },
  },
});

/** The newest plan state received; `NO_PLAN` when none has been. */
export const findPlanState = async (tx: Tx, userId: string): Promise<PlanState> => {
  const account = await tx.getRepository(accountEntity).findOneBy({ userId });
  return account?.planState ?? NO_PLAN;
};

/**
 * Locks the user's row until commit, and creates it when there is none. It serialises the plan changes of one user with each
 * other and with the deletion of the user.
 */
export const lockAccount = (tx: Tx, userId: string): Promise<void> =>
  insertOrLock(tx, accountEntity, { userId, planVersion: 0, planState: NO_PLAN });

/** Locks the row under which a user's free windows are opened, and creates it when there is none. */
export const lockFreeCycle = (tx: Tx, userId: string, now: Date): Promise<void> =>
  insertOrLock(tx, freeCycleEntity, { userId, dueAt: now });

/** Locks the user's row until commit. Null when there is none: the user has no bucket, or is deleted. */
export const lockExistingAccount = (tx: Tx, userId: string): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOne({ where: { userId }, lock: { mode: 'pessimistic_write' } });

/** Has charges that were selected before selected again. The caller has locked the account. */
export const raiseBucketVersion = async (tx: Tx, userId: string): Promise<void> => {
  await tx.getRepository(accountEntity).increment({ userId }, 'bucketVersion', 1);
};

/** Stores the state if it is newer than the stored one. Returns whether it was. */
export const updateOlderPlanState = async (tx: Tx, userId: string, state: PlanState): Promise<boolean> => {
  const result = await tx
    .getRepository(accountEntity)
    .update(
      { userId, planVersion: LessThan(state.version) },
      { planVersion: state.version, planState: state },
    );
  return result.affected === 1;
};

export const deleteAccount = async (tx: Tx, userId: string): Promise<void> => {
  await tx.getRepository(accountEntity).delete({ userId });
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

export type WindowRow = {
  id: number;
  userId: string;
  sourceKey: string;
  plan: Plan;
  limit: number;
  used: number;
  startsAt: Date;
  endsAt: Date;
};

export const windowEntity = new EntitySchema<WindowRow>({
  name: 'window',
  tableName: 'windows',
  columns: {
    id: {
      type: 'bigint',
      unsigned: true,
      primary: true,
      generated: 'increment',
      transformer: { from: Number, to: (id: number) => id },
    },
    userId: { name: 'user_id', type: 'char', length: 36 },
    sourceKey: { name: 'source_key', type: 'varchar', length: 120 },
    plan: { type: 'enum', enum: [...PLANS] },
    limit: { name: 'credit_limit', type: 'int', unsigned: true },
    used: { type: 'int', unsigned: true },
    startsAt: { name: 'starts_at', type: 'datetime', precision: 3 },
    endsAt: { name: 'ends_at', type: 'datetime', precision: 3 },
  },
});

/** One row for each window; one without a window when there is none. */
const PLAN_AND_WINDOW = {
  planState: nullable(text),
  bucketVersion: nullable(integer),
  inBuckets: integer,
  id: nullable(integer),
  userId: nullable(text),
  sourceKey: nullable(text),
  plan: nullable(oneOf(...PLANS)),
  limit: nullable(integer),
  used: nullable(integer),
  startsAt: nullable(instant),
  endsAt: nullable(instant),
};

type PlanAndWindow = { [Name in keyof WindowRow]: WindowRow[Name] | null };

const isWindow = <Row extends PlanAndWindow>(row: Row): row is Row & WindowRow => row.id !== null;

/** What a window is selected by: the plan, and the credits that the user has beside the window at this version of the buckets. */
export type Holdings = { state: PlanState; bucketVersion: number; inBuckets: number };

/** What the account says, and the windows that have not ended at `now`. */
export const listOpenWindows = async (
  tx: Tx,
  userId: string,
  now: Date,
): Promise<{ holdings: Holdings; windows: WindowRow[] }> => {
  // Hot: the one read of a charge without a cached window. The builder lacks a join on a constant row.
  const rows = await selectRows(tx, PLAN_AND_WINDOW, {
    sql: `SELECT a.plan_state AS planState, a.bucket_version AS bucketVersion,
        (SELECT CAST(COALESCE(SUM(b.usable - b.used), 0) AS SIGNED) FROM buckets b
          WHERE b.user_id = ? AND b.usable > b.used AND (b.ends_at IS NULL OR b.ends_at > ?)) AS inBuckets,
        w.id, w.user_id AS userId, w.source_key AS sourceKey, w.plan, w.credit_limit AS \`limit\`,
        w.used, w.starts_at AS startsAt, w.ends_at AS endsAt
      FROM (SELECT 1) AS always LEFT JOIN accounts a ON a.user_id = ? LEFT JOIN windows w ON w.user_id = ? AND w.ends_at > ?`,
    values: [userId, now, userId, userId, now],
  });
  const { planState = null, bucketVersion = 0, inBuckets = 0 } = rows[0] ?? {};
  const state = planState === null ? NO_PLAN : parsePlanState(planState);
  return {
    holdings: { state, bucketVersion: bucketVersion ?? 0, inBuckets },
    windows: rows.filter(isWindow),
  };
};

export const findWindow = (tx: Tx, id: number): Promise<WindowRow | null> =>
  tx.getRepository(windowEntity).findOneBy({ id });

export const findNewestWindow = (
  tx: Tx,
  userId: string,
  plan: WindowRow['plan'],
): Promise<WindowRow | null> =>
  tx
    .getRepository(windowEntity)
    .findOne({ where: { userId, plan }, order: { startsAt: 'DESC', id: 'DESC' } });

export const rowOf = (
  userId: string,
  { sourceKey, plan, limit, startsAt, endsAt }: NewWindow,
): Omit<WindowRow, 'id'> => ({ userId, sourceKey, plan, limit, used: 0, startsAt, endsAt });

/** Inserts a window unless its source has opened one before. Returns whether it is new. */
export const insertWindowIfAbsent = async (tx: Tx, userId: string, window: NewWindow): Promise<boolean> => {
  return (await insertIfAbsent(tx, windowEntity, rowOf(userId, window))) === 1;
};

export const updateWindowEnd = async (
  tx: Tx,
  userId: string,
  { sourceKey, endsAt }: NewWindow,
): Promise<void> => {
  await tx.getRepository(windowEntity).update({ userId, sourceKey }, { endsAt });
};

/** Ends premium windows that no coverage pays for any more. */
export const endOtherPremiumWindows = async (
  tx: Tx,
  userId: string,
  { paidKeys, now }: { paidKeys: string[]; now: Date },
): Promise<void> => {
  const windows = tx.getRepository(windowEntity);
  const open = await windows.findBy({ userId, plan: 'premium', endsAt: MoreThan(now) });
  const unpaid = open.filter(({ sourceKey }) => !paidKeys.includes(sourceKey)).map(({ id }) => id);
  if (unpaid.length > 0) await windows.update({ id: In(unpaid) }, { endsAt: now });
};

/** Locks a window until commit, for a charge that takes from several buckets. */
export const lockWindow = (tx: Tx, id: number): Promise<WindowRow | null> =>
  tx.getRepository(windowEntity).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });

/** Changes the use of a window that the caller has locked. */
export const updateUsed = async (tx: Tx, id: number, used: number): Promise<void> => {
  await tx.getRepository(windowEntity).update({ id }, { used });
};

type Take = { windowId: number; planVersion: number; bucketVersion: number; amount: number };

/**
 * Takes `amount` credits if the window has as many left, has not ended at `now`, and was selected by the versions of the plan and of the
 * buckets that are still stored. The condition is evaluated under the row's lock, so concurrent charges cannot exceed the limit. Returns
 * the window's use after it, or null when the condition fails and nothing was taken.
 */
export const takeCredits = async (
  tx: Tx,
  { windowId, planVersion, bucketVersion, amount }: Take,
  now: Date,
): Promise<number | null> => {
  // Hot: part of every charge. LAST_INSERT_ID(expression) returns the new value without another statement.
  const result = await change(tx, {
    sql: `UPDATE windows w LEFT JOIN accounts a ON a.user_id = w.user_id SET w.used = LAST_INSERT_ID(w.used + ?)
      WHERE w.id = ? AND w.used + ? <= w.credit_limit AND w.ends_at > ? AND COALESCE(a.plan_version, 0) = ?
        AND COALESCE(a.bucket_version, 0) = ?`,
    values: [amount, windowId, amount, now, planVersion, bucketVersion],
  });
  return result.affectedRows === 1 ? result.insertId : null;
};

/** Returns credits to their window, ended or not. Returns the window's use after it. */
export const returnCredits = async (tx: Tx, windowId: number, amount: number): Promise<number> => {
  // By hand: LAST_INSERT_ID(expression) returns the new value, which another transaction could change before a second statement.
  const { insertId } = await change(tx, {
    sql: 'UPDATE windows SET used = LAST_INSERT_ID(used - ?) WHERE id = ? AND used >= ?',
    values: [amount, windowId, amount],
  });
  return insertId;
};

export const listWindowsOf = (tx: Tx, userId: string): Promise<WindowRow[]> =>
  tx.getRepository(windowEntity).find({ where: { userId }, order: { id: 'ASC' } });
