// Comparisons of what is used with the ledger. Raw: sums over joins, which are read from what is compared, however much else there is.
import type { Tx } from '@shortlist/kit/data/db';
import { integer, selectRows, text } from '@shortlist/kit/data/sql';

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
