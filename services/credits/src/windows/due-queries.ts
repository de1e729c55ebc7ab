// Which users' next free windows are due, which warnings about a window are, and whether the user wants them as mails.
import type { CreditMails } from '@shortlist/contracts/api/credits';
import { NO_PLAN } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { insertIfAbsent, upsert } from '@shortlist/kit/data/insert';
import { instant, selectRows, text } from '@shortlist/kit/data/sql';
import { createError } from '@shortlist/kit/process/errors';
import { EntitySchema, In, LessThanOrEqual } from 'typeorm';
import {
  accountEntity,
  type FreeCycleRow,
  freeCycleEntity,
  isDeleted,
  rowOf,
  windowEntity,
} from './queries.ts';
import { EXHAUSTED_PERCENT, LOW_PERCENT, type NewWindow, type Threshold } from './window.rules.ts';

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

/** The end of each user's newest free window. */
export const listFreeEnds = async (tx: Tx, userIds: string[]): Promise<Map<string, Date>> => {
  if (userIds.length === 0) return new Map();
  // By hand: rows of the builder with an aggregate have no type.
  const rows = await selectRows(
    tx,
    { userId: text, endsAt: instant },
    {
      sql: `SELECT user_id AS userId, MAX(ends_at) AS endsAt FROM windows WHERE plan = 'free' AND user_id IN (?) GROUP BY user_id`,
      values: [userIds],
    },
  );
  return new Map(rows.map(({ userId, endsAt }) => [userId, endsAt]));
};

/** Inserts windows that no other transaction can have inserted: the caller has locked the users' free cycles. */
export const insertWindows = async (tx: Tx, rows: { userId: string; window: NewWindow }[]): Promise<void> => {
  if (rows.length === 0) return;
  await tx
    .createQueryBuilder()
    .insert()
    .into(windowEntity)
    .values(rows.map(({ userId, window }) => rowOf(userId, window)))
    .updateEntity(false)
    .execute();
};

/** A threshold of a window whose event was emitted, or is no longer due. */
type WarningRow = { windowId: number; threshold: Threshold; userId: string };

// The table is named after the one threshold that it had at first: the version before knows no other name.
export const warningEntity = new EntitySchema<WarningRow>({
  name: 'warning',
  tableName: 'exhausted_windows',
  columns: {
    windowId: { name: 'window_id', type: 'bigint', unsigned: true, primary: true },
    threshold: { type: 'tinyint', unsigned: true, primary: true, default: EXHAUSTED_PERCENT },
    userId: { name: 'user_id', type: 'char', length: 36 },
  },
});

/**
 * Records that a window has reached a threshold. Returns whether this is the first time. An exhausted window is not low again when
 * credits are returned and charged again.
 */
export const insertWarningIfAbsent = async (tx: Tx, warning: WarningRow): Promise<boolean> => {
  const isFirst = (await insertIfAbsent(tx, warningEntity, warning)) === 1;
  if (isFirst && warning.threshold === EXHAUSTED_PERCENT)
    await insertIfAbsent(tx, warningEntity, { ...warning, threshold: LOW_PERCENT });
  return isFirst;
};

/** True for a user who has not chosen. */
export const findWantsMails = async (tx: Tx, userId: string): Promise<boolean> => {
  const account = await tx.getRepository(accountEntity).findOneBy({ userId });
  return account?.wantsMails ?? true;
};

/**
 * Stores whether the user gets mails about credits, which the next warning says. Throws `credits.user_not_found` for a deleted user, of
 * whom nothing may be stored again.
 */
export const setCreditMails = async (
  tx: Tx,
  { userId, enabled }: { userId: string } & CreditMails,
): Promise<CreditMails> => {
  // Locks the user's row until commit as `lockAccount` does.
  await upsert(tx, accountEntity, {
    rows: [{ userId, planVersion: 0, planState: NO_PLAN, wantsMails: enabled }],
    update: ['wantsMails'],
  });
  if (await isDeleted(tx, userId)) throw createError('credits.user_not_found');
  return { enabled };
};
