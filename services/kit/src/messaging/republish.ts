import type { Db } from '../data/db.ts';
import { changeInChunks } from '../data/sql.ts';

/**
 * Has the relay publish the events again that were published from `since` to `until`, for a broker that has lost its topics: oldest
 * first, under the same ids, so that inboxes ignore those that were handled. `until` keeps out what the relay publishes meanwhile.
 * Returns how many they are.
 */
export const republishEvents = (db: Db, { since, until }: { since: Date; until: Date }): Promise<number> =>
  changeInChunks(db, {
    sql: 'UPDATE outbox SET published_at = NULL WHERE published_at >= ? AND published_at <= ? ORDER BY id LIMIT ?',
    values: [since, until],
  });
