import { NO_PLAN, type PlanState } from '@shortlist/contracts/plan';
import { affectedRows, type Tx } from '@shortlist/kit/data/db';
import { In, MoreThan } from 'typeorm';
import { windowEntity, type WindowRow } from './window.entity.ts';
import type { NewWindow } from './window.rules.ts';

type Joined = { planState: string | null } & { [Name in keyof WindowRow]: WindowRow[Name] | null };

const isWindow = (row: Joined): row is Joined & WindowRow => row.id !== null;

/** The plan state held and the windows that have not ended, in one round trip: the hot path has no more reads than this. */
export const listOpenWindows = async (
  tx: Tx,
  userId: string,
  now: Date,
): Promise<{ state: PlanState; windows: WindowRow[] }> => {
  const rows: Joined[] = await tx.query(
    `SELECT a.plan_state AS planState, w.id, w.user_id AS userId, w.source_key AS sourceKey, w.plan, w.credit_limit AS \`limit\`,
       w.used, w.starts_at AS startsAt, w.ends_at AS endsAt
     FROM (SELECT 1) AS always LEFT JOIN accounts a ON a.user_id = ? LEFT JOIN windows w ON w.user_id = ? AND w.ends_at > ?`,
    [userId, userId, now],
  );
  const held = rows[0]?.planState ?? null;
  return {
    state: held === null ? NO_PLAN : (JSON.parse(held) as PlanState),
    windows: rows.filter(isWindow),
  };
};

export const findNewestWindow = (
  tx: Tx,
  userId: string,
  plan: WindowRow['plan'],
): Promise<WindowRow | null> =>
  tx
    .getRepository(windowEntity)
    .findOne({ where: { userId, plan }, order: { startsAt: 'DESC', id: 'DESC' } });

/** Opens a window unless what opens it has opened one before. Answers whether it is new. */
export const insertWindowIfAbsent = async (tx: Tx, userId: string, window: NewWindow): Promise<boolean> => {
  const result: unknown = await tx.query(
    `INSERT IGNORE INTO windows (user_id, source_key, plan, credit_limit, used, starts_at, ends_at)
     VALUES (?, ?, ?, ?, 0, ?, ?)`,
    [userId, window.sourceKey, window.plan, window.limit, window.startsAt, window.endsAt],
  );
  return affectedRows(result) === 1;
};

export const setWindowEnd = async (
  tx: Tx,
  userId: string,
  { sourceKey, endsAt }: NewWindow,
): Promise<void> => {
  await tx.getRepository(windowEntity).update({ userId, sourceKey }, { endsAt });
};

/** Ends premium windows that nothing pays for any more. */
export const endOtherPremiumWindows = async (
  tx: Tx,
  userId: string,
  { keep, now }: { keep: string[]; now: Date },
): Promise<void> => {
  const open = await tx
    .getRepository(windowEntity)
    .findBy({ userId, plan: 'premium', endsAt: MoreThan(now) });
  const ended = open.filter(({ sourceKey }) => !keep.includes(sourceKey)).map(({ id }) => id);
  if (ended.length > 0) await tx.getRepository(windowEntity).update({ id: In(ended) }, { endsAt: now });
};

/** Locks the row under which a person's free windows are opened, and makes it for somebody who has had none. */
export const lockFreeCycle = async (tx: Tx, userId: string, now: Date): Promise<void> => {
  await tx.query(
    'INSERT INTO free_cycles (user_id, due_at) VALUES (?, ?) ON DUPLICATE KEY UPDATE due_at = due_at',
    [userId, now],
  );
};

export const setFreeDue = async (tx: Tx, userId: string, dueAt: Date): Promise<void> => {
  await tx.query('UPDATE free_cycles SET due_at = ? WHERE user_id = ?', [dueAt, userId]);
};

/** Moves many cycles on at once. */
export const setFreeDues = async (tx: Tx, dues: { userId: string; dueAt: Date }[]): Promise<void> => {
  if (dues.length === 0) return;
  await tx.query(
    `INSERT INTO free_cycles (user_id, due_at) VALUES ${dues.map(() => '(?, ?)').join(', ')}
     ON DUPLICATE KEY UPDATE due_at = VALUES(due_at)`,
    dues.flatMap(({ userId, dueAt }) => [userId, dueAt]),
  );
};

/** Forgets cycles that no free window belongs to. */
export const deleteCycles = async (tx: Tx, userIds: string[]): Promise<void> => {
  if (userIds.length > 0) await tx.query('DELETE FROM free_cycles WHERE user_id IN (?)', [userIds]);
};

/** Locks a chunk of the people whose next free window is due, oldest first. Another worker's chunk is passed over. */
export const lockDueCycles = async (tx: Tx, now: Date, limit: number): Promise<string[]> => {
  const rows: { user_id: string }[] = await tx.query(
    'SELECT user_id FROM free_cycles WHERE due_at <= ? ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED',
    [now, limit],
  );
  return rows.map((row) => row.user_id);
};

/** The end of each one's newest free window. */
export const listFreeEnds = async (tx: Tx, userIds: string[]): Promise<Map<string, Date>> => {
  if (userIds.length === 0) return new Map();
  const rows: { userId: string; endsAt: Date }[] = await tx.query(
    `SELECT user_id AS userId, MAX(ends_at) AS endsAt FROM windows WHERE plan = 'free' AND user_id IN (?) GROUP BY user_id`,
    [userIds],
  );
  return new Map(rows.map(({ userId, endsAt }) => [userId, endsAt]));
};

/** Opens windows that nobody else can have opened: the caller holds the cycles' locks. */
export const insertWindows = async (tx: Tx, rows: { userId: string; window: NewWindow }[]): Promise<void> => {
  if (rows.length === 0) return;
  await tx.query(
    `INSERT INTO windows (user_id, source_key, plan, credit_limit, used, starts_at, ends_at)
     VALUES ${rows.map(() => '(?, ?, ?, ?, 0, ?, ?)').join(', ')}`,
    rows.flatMap(({ userId, window: { sourceKey, plan, limit, startsAt, endsAt } }) => [
      ...[userId, sourceKey, plan, limit],
      ...[startsAt, endsAt],
    ]),
  );
};

/**
 * Takes one credit if the window has one left, has not ended at `now`, and was chosen by the plan that is still in force; the
 * rows' own state decides, at commit. Answers how many are used afterwards, or null when there was none to take. LAST_INSERT_ID(expression) brings the new value back
 * in the same statement.
 */
export const takeCredit = async (
  tx: Tx,
  { windowId, planVersion }: { windowId: number; planVersion: number },
  now: Date,
): Promise<number | null> => {
  const result: { affectedRows: number; insertId: number } = await tx.query(
    `UPDATE windows w LEFT JOIN accounts a ON a.user_id = w.user_id SET w.used = LAST_INSERT_ID(w.used + 1)
     WHERE w.id = ? AND w.used < w.credit_limit AND w.ends_at > ? AND COALESCE(a.plan_version, 0) = ?`,
    [windowId, now, planVersion],
  );
  return result.affectedRows === 1 ? Number(result.insertId) : null;
};

/** Gives a credit back to the window it was taken from, whether or not that has ended. Answers how many are used then. */
export const returnCredit = async (tx: Tx, windowId: number): Promise<number> => {
  const result: { insertId: number } = await tx.query(
    'UPDATE windows SET used = LAST_INSERT_ID(used - 1) WHERE id = ? AND used > 0',
    [windowId],
  );
  return Number(result.insertId);
};

/** Marks a window as told of. Answers whether this was the first time. */
export const markExhausted = async (tx: Tx, userId: string, windowId: number): Promise<boolean> => {
  const result: unknown = await tx.query(
    'INSERT IGNORE INTO exhausted_windows (window_id, user_id) VALUES (?, ?)',
    [windowId, userId],
  );
  return affectedRows(result) === 1;
};

export const findWindow = (tx: Tx, id: number): Promise<WindowRow | null> =>
  tx.getRepository(windowEntity).findOneBy({ id });

export const deleteWindowsOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.getRepository(windowEntity).delete({ userId });
  await tx.query('DELETE FROM exhausted_windows WHERE user_id = ?', [userId]);
  await tx.query('DELETE FROM free_cycles WHERE user_id = ?', [userId]);
};
