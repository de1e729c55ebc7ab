import { affectedRows, type Tx } from '@shortlist/kit/db';
import { In, MoreThan } from 'typeorm';
import { windowEntity, type WindowRow } from './window.entity.ts';
import type { NewWindow } from './window.rules.ts';

export const findWindowBySource = (tx: Tx, userId: string, sourceKey: string): Promise<WindowRow | null> =>
  tx.getRepository(windowEntity).findOneBy({ userId, sourceKey });

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

/** Free windows that have run out with nothing after them, oldest first. */
export const listDueWindows = (
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ userId: string; endsAt: Date }[]> =>
  tx.query(
    `SELECT w.user_id AS userId, w.ends_at AS endsAt FROM windows w
     WHERE w.plan = 'free' AND w.ends_at <= ?
       AND NOT EXISTS (SELECT 1 FROM windows later WHERE later.user_id = w.user_id AND later.plan = 'free' AND later.starts_at > w.starts_at)
     ORDER BY w.ends_at LIMIT ?`,
    [now, limit],
  );

/**
 * Takes one credit if the window has one left and is open at `now`; the row's own state decides, at commit. Answers how
 * many are used afterwards, or null when there was none to take. LAST_INSERT_ID(expression) brings the new value back
 * in the same statement.
 */
export const takeCredit = async (tx: Tx, windowId: number, now: Date): Promise<number | null> => {
  const result: { affectedRows: number; insertId: number } = await tx.query(
    `UPDATE windows SET used = LAST_INSERT_ID(used + 1)
     WHERE id = ? AND used < credit_limit AND starts_at <= ? AND ends_at > ?`,
    [windowId, now, now],
  );
  return result.affectedRows === 1 ? Number(result.insertId) : null;
};

export const deleteWindowsOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.getRepository(windowEntity).delete({ userId });
};
