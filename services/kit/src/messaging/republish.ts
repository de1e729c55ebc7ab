import type { Db } from '../data/db.ts';
import { change } from '../data/sql.ts';

/** Rows of one UPDATE: few, so that no other statement waits long for their locks. */
const CHUNK = 1_000;

/**
 * Has the relay publish the events again that were published from `since` to `until`, for a broker that has lost its topics: oldest
 * first, under the same ids, so that inboxes ignore those that were handled. `until` keeps out what the relay publishes meanwhile.
 * Returns how many they are.
 */
export const republishEvents = async (
  db: Db,
  { since, until }: { since: Date; until: Date },
): Promise<number> => {
  const sql =
    'UPDATE outbox SET published_at = NULL WHERE published_at >= ? AND published_at <= ? ORDER BY id LIMIT ?';
  let count = 0;
  for (let changed = CHUNK; changed === CHUNK; count += changed)
    ({ affectedRows: changed } = await change(db, { sql, values: [since, until, CHUNK] }));
  return count;
};
