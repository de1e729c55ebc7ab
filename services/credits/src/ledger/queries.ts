import type { CreditsEntry } from '@shortlist/contracts/api/public';
import type { Tx } from '@shortlist/kit/data/db';

/** `reason` is a spend's own, or says why a credit came back. */
export type LedgerEntry = {
  reason: string;
  reference?: string | null;
  userId: string;
  windowId: number;
  operationId: string;
  amount: number;
  usedAfter: number;
  at: Date;
};
export type RecordedCharge = { reason: string; reference: string | null; used: number; limit: number };

/** Fails with a duplicate-key error when the person's operation is in the ledger already. */
export const insertLedgerEntry = async (tx: Tx, entry: LedgerEntry): Promise<void> => {
  await tx.query(
    `INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, reference, used_after, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      entry.userId,
      entry.windowId,
      entry.operationId,
      entry.amount,
      entry.reason,
      entry.reference ?? null,
      entry.usedAfter,
      entry.at,
    ],
  );
};

export const findCharge = async (
  tx: Tx,
  userId: string,
  operationId: string,
): Promise<RecordedCharge | null> => {
  const rows: RecordedCharge[] = await tx.query(
    `SELECT l.reason, l.reference, l.used_after AS used, w.credit_limit AS \`limit\`
     FROM ledger l JOIN windows w ON w.id = l.window_id WHERE l.user_id = ? AND l.operation_id = ?`,
    [userId, operationId],
  );
  return rows[0] ?? null;
};

export type Entry = { windowId: number; amount: number; reason: string; reference: string | null };

export const findEntry = async (tx: Tx, userId: string, operationId: string): Promise<Entry | null> => {
  const rows: Entry[] = await tx.query(
    'SELECT window_id AS windowId, amount, reason, reference FROM ledger WHERE user_id = ? AND operation_id = ?',
    [userId, operationId],
  );
  return rows[0] ?? null;
};

type HistoryRow = {
  id: number | string;
  amount: number;
  reason: string;
  reference: string | null;
  createdAt: Date;
};

/** Newest first, beginning after the entry with id `before`. */
export const listEntriesBefore = async (
  tx: Tx,
  userId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<CreditsEntry[]> => {
  const rows: HistoryRow[] = await tx.query(
    `SELECT id, amount, reason, reference, created_at AS createdAt FROM ledger
     WHERE user_id = ? ${before === null ? '' : 'AND id < ?'} ORDER BY id DESC LIMIT ?`,
    before === null ? [userId, limit] : [userId, before, limit],
  );
  return rows.map((row) => ({ ...row, id: String(row.id), createdAt: row.createdAt.toISOString() }));
};

export const deleteLedgerOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query('DELETE FROM ledger WHERE user_id = ?', [userId]);
};
