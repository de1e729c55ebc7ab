// Sums over the ledger: what was charged and returned, and what differs from it. Raw: over joins.
import type { CreditsUsage } from '@shortlist/contracts/api/credits';
import { USAGE_ENTRIES_MAX } from '@shortlist/contracts/limits';
import { SPEND_REASONS, type SpendReason } from '@shortlist/contracts/schemas/credits';
import type { Tx } from '@shortlist/kit/data/db';
import { integer, nullable, oneOf, selectRow, selectRows, text } from '@shortlist/kit/data/sql';
import type { UsagePeriod } from './usage-period.rules.ts';

const EMAIL_FOUND: SpendReason = 'email_found';

/** Finds the charge `charged` of an entry `l` that returns credits, through its reservation. A user has both as long as the entry. */
const CHARGE_OF_RETURN = `LEFT JOIN reservations r ON l.amount > 0 AND r.id = SUBSTRING_INDEX(l.operation_id, ':', -1)
  LEFT JOIN ledger charged ON charged.user_id = r.user_id AND charged.operation_id = r.operation_id`;

/** Counts rows that an index has, at most one more than `limit`. */
const countUpTo = async (
  tx: Tx,
  limit: number,
  { where, values }: { where: string; values: readonly unknown[] },
): Promise<number> => {
  const row = await selectRow(
    tx,
    { count: integer },
    {
      sql: `SELECT COUNT(*) AS count FROM (SELECT 1 FROM ledger WHERE ${where} LIMIT ?) AS counted`,
      values: [...values, limit + 1],
    },
  );
  return row?.count ?? 0;
};

/** Far more than the charges and returns of a window of 500 credits. */
const WINDOW_ENTRIES_MAX = 10_000;

/**
 * What the credits of a window were charged for, without those that were returned. It reads the entries of one
 * window, so it is for windows that are used up; null when they are too many.
 */
export const countCharges = async (
  tx: Tx,
  windowId: number,
): Promise<{ messages: number; emails: number } | null> => {
  const ofWindow = { where: 'window_id = ?', values: [windowId] };
  if ((await countUpTo(tx, WINDOW_ENTRIES_MAX, ofWindow)) > WINDOW_ENTRIES_MAX) return null;
  const row = await selectRow(
    tx,
    { messages: integer, emails: integer },
    {
      sql: `SELECT CAST(COALESCE(SUM(IF(COALESCE(charged.reason, l.reason) = ?, 0, -l.amount)), 0) AS SIGNED) AS messages,
              CAST(COALESCE(SUM(IF(COALESCE(charged.reason, l.reason) = ?, -l.amount, 0)), 0) AS SIGNED) AS emails
            FROM ledger l ${CHARGE_OF_RETURN} WHERE l.window_id = ?`,
      values: [EMAIL_FOUND, EMAIL_FOUND, windowId],
    },
  );
  return row ?? { messages: 0, emails: 0 };
};

/** Whether a user has more entries in the period than one report may sum. */
export const isUsageTooLong = async (
  tx: Tx,
  userId: string,
  { start, end }: UsagePeriod,
): Promise<boolean> => {
  const inPeriod = {
    where: 'user_id = ? AND created_at >= ? AND created_at < ?',
    values: [userId, start, end],
  };
  return (await countUpTo(tx, USAGE_ENTRIES_MAX, inPeriod)) > USAGE_ENTRIES_MAX;
};

/**
 * What was charged and returned between `start` and `end`, by day in UTC, client and reason of the charge. It reads
 * the entries of one user in that time.
 */
export const listUsage = (tx: Tx, userId: string, { start, end }: UsagePeriod): Promise<CreditsUsage[]> =>
  selectRows(
    tx,
    {
      day: text,
      clientId: nullable(text),
      reason: oneOf(...SPEND_REASONS),
      charged: integer,
      returned: integer,
    },
    {
      // By position, since `reason` is also a column.
      sql: `SELECT DATE_FORMAT(l.created_at, '%Y-%m-%d') AS day, l.client_id AS clientId, COALESCE(charged.reason, l.reason) AS reason,
              CAST(SUM(GREATEST(-l.amount, 0)) AS SIGNED) AS charged, CAST(SUM(GREATEST(l.amount, 0)) AS SIGNED) AS returned
            FROM ledger l ${CHARGE_OF_RETURN}
            WHERE l.user_id = ? AND l.created_at >= ? AND l.created_at < ? AND (l.amount < 0 OR charged.id IS NOT NULL)
            GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      values: [userId, start, end],
    },
  );

// Both comparisons read what they compare, however much else there is.

/** What an entry `l` changed in its window: all of it but the parts of other buckets. */
const IN_WINDOW = `l.amount - (SELECT COALESCE(SUM(p.amount), 0) FROM ledger_parts p WHERE p.entry_id = l.id)`;

/** The windows with entries after `after`, and those of `known`, whose use is not the sum of their entries. */
export const listDriftingWindows = async (
  tx: Tx,
  { after, known }: { after: number; known: readonly number[] },
): Promise<number[]> => {
  const rows = await selectRows(
    tx,
    { id: integer },
    {
      // The union is read first, so the statement costs what its windows have, however many others there are.
      sql: `SELECT w.id FROM (SELECT window_id AS id FROM ledger WHERE id > ? UNION SELECT id FROM windows WHERE id IN (?)) AS candidates
            JOIN windows w ON w.id = candidates.id LEFT JOIN ledger l ON l.window_id = w.id
            GROUP BY w.id, w.used HAVING w.used <> -COALESCE(SUM(${IN_WINDOW}), 0)`,
      values: [after, known.length === 0 ? [0] : known],
    },
  );
  return rows.map(({ id }) => id);
};

export type BucketKey = { userId: string; id: string };

/** The same of the buckets beside windows. */
export const listDriftingBuckets = (
  tx: Tx,
  { after, known }: { after: number; known: readonly BucketKey[] },
): Promise<BucketKey[]> =>
  selectRows(
    tx,
    { userId: text, id: text },
    {
      sql: `SELECT b.user_id AS userId, b.id FROM (
              SELECT user_id, bucket_id AS id FROM ledger_parts WHERE entry_id > ?
              UNION SELECT user_id, id FROM buckets WHERE (user_id, id) IN (?)) AS candidates
            JOIN buckets b ON b.user_id = candidates.user_id AND b.id = candidates.id
            LEFT JOIN ledger_parts p ON p.user_id = b.user_id AND p.bucket_id = b.id
            GROUP BY b.user_id, b.id, b.used HAVING b.used <> -COALESCE(SUM(p.amount), 0)`,
      values: [after, known.length === 0 ? [['', '']] : known.map(({ userId, id }) => [userId, id])],
    },
  );
