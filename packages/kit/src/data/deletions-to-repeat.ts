// The users whom a restore brings back although they were deleted since. The restore writes their ids into each database that it replaces, and
// the service deletes them again before it serves, consumes or sends anything: neither the topics nor another service need to know them still.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../process/log.ts';
import type { Db } from './db.ts';
import { migration } from './migration.ts';
import { withLock } from './named-lock.ts';
import { change, instant, integer, selectRow, selectRows, text } from './sql.ts';

/** A restore creates the table as well, since a backup may be older than it. */
export const DELETIONS_TO_REPEAT = `CREATE TABLE IF NOT EXISTS deletions_to_repeat (
    user_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    deleted_at DATETIME(3) NOT NULL
  ) ENGINE=InnoDB`;

export const deletionsToRepeat = migration('DeletionsToRepeat1766600000000', [DELETIONS_TO_REPEAT]);

const deletion = { userId: text, deletedAt: instant };
export type Deletion = { userId: string; deletedAt: Date };

const SELECT = 'SELECT user_id AS userId, deleted_at AS deletedAt FROM deletions_to_repeat ORDER BY user_id';

export const listDeletionsToRepeat = (db: Db): Promise<Deletion[]> =>
  selectRows(db, deletion, { sql: SELECT });

export const countDeletionsToRepeat = async (db: Db): Promise<number> =>
  (await selectRow(db, { count: integer }, { sql: 'SELECT COUNT(*) AS count FROM deletions_to_repeat' }))
    ?.count ?? 0;

type Parts = {
  db: Db;
  log: Log;
  /** Deletes all that the service has of a user; repeated after an interruption. */
  erase: (deletion: Deletion) => Promise<unknown>;
  signal: AbortSignal;
};

/** Users between two lines of the log. */
const BATCH = 500;

const eraseAll = async ({ db, log, erase, signal }: Parts): Promise<void> => {
  for (;;) {
    const rows = await selectRows(db, deletion, { sql: `${SELECT} LIMIT ?`, values: [BATCH] });
    if (rows.length === 0) return;
    for (const row of rows) {
      if (signal.aborted) return;
      await erase(row);
      await change(db, { sql: 'DELETE FROM deletions_to_repeat WHERE user_id = ?', values: [row.userId] });
    }
    log.info({ repeated: rows.length, left: await countDeletionsToRepeat(db) }, 'deletions repeated');
  }
};

const RETRY_MS = 1_000;

/** Returns when no deletion is left to repeat, or `signal` aborts. One process at a time repeats them, and the others wait. */
export const repeatDeletions = async (parts: Parts): Promise<void> => {
  const { db, log, signal } = parts;
  while (!signal.aborted) {
    try {
      if ((await countDeletionsToRepeat(db)) === 0) return;
      if (await withLock(db, 'repeat-deletions', () => eraseAll(parts))) continue;
    } catch (error) {
      log.warn({ err: error }, 'deletions not repeated yet; the service waits for them');
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
};
