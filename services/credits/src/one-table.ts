// Moves `windows` (the plan's credits) and `buckets` (packs and grants) into one table, while processes of the release before go on charging.
// Their names become updatable views over it, which a later release drops. Each step may run again after an interruption.
import { change, integer, selectRow, selectRows } from '@shortlist/kit/data/sql';
import type { QueryRunner } from 'typeorm';

const isTable = async (runner: QueryRunner, name: string): Promise<boolean> => {
  const sql = `SELECT 1 AS found FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_name = ? AND table_type = 'BASE TABLE'`;
  return (await selectRows(runner, { found: integer }, { sql, values: [name] })).length > 0;
};

const CHUNK = 5_000;

/**
 * Adds the columns of packs and grants to `windows`, which stays open for charges. `usable` is first null, then has a default, which rows of
 * the release before get too, and then a value in every row: to add it with all three at once would copy the table while charges wait.
 */
const addColumns = async (runner: QueryRunner): Promise<void> => {
  const run = (sql: string, values: unknown[] = []) => change(runner, { sql, values });
  await run(
    `ALTER TABLE windows ADD COLUMN kind ENUM('plan', 'grant', 'pack') NOT NULL DEFAULT 'plan', ADD COLUMN usable INT UNSIGNED NULL,
      ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 0, ADD COLUMN reason VARCHAR(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
      ADD COLUMN granted_by CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL, ALGORITHM = INSTANT`,
  ).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ER_DUP_FIELDNAME')) throw error;
  });
  await run('ALTER TABLE windows ALTER COLUMN usable SET DEFAULT (credit_limit)');
  const newest = 'SELECT id FROM windows ORDER BY id DESC LIMIT 1';
  const last = (await selectRow(runner, { id: integer }, { sql: newest }))?.id ?? 0;
  for (let after = 0; after < last; after += CHUNK)
    await run('UPDATE windows SET usable = credit_limit WHERE id > ? AND id <= ? AND usable IS NULL', [
      after,
      after + CHUNK,
    ]);
  await run(
    `ALTER TABLE windows MODIFY usable INT UNSIGNED NOT NULL DEFAULT (credit_limit), MODIFY plan ENUM('premium', 'free') NULL,
      MODIFY ends_at DATETIME(3) NULL, ALGORITHM = INPLACE, LOCK = NONE`,
  );
};

// A view has the rights of the account that migrates: that of the processes has none on the new table until the migration has ended.

const WINDOWS = `CREATE OR REPLACE VIEW windows_view AS SELECT id, user_id, source_key, plan, credit_limit, used, starts_at, ends_at
  FROM credit_buckets WHERE kind = 'plan'`;
const BUCKETS = `CREATE OR REPLACE VIEW buckets_view AS SELECT user_id, source_key AS id, kind, credit_limit AS credits, usable, used, ends_at,
  version, reason, granted_by, starts_at AS created_at FROM credit_buckets WHERE kind <> 'plan'`;
const COPY = `INSERT INTO credit_buckets (user_id, source_key, kind, credit_limit, usable, used, starts_at, ends_at, version, reason, granted_by)
  SELECT user_id, id, kind, credits, usable, used, created_at, ends_at, version, reason, granted_by FROM buckets`;

/**
 * Copies the rows of `buckets` and puts the view in its place. Who changes a row has written to `accounts` before, so the lock of `accounts`
 * keeps all rows as they are from the copy to the renaming. It needs a connection of its own: one that has locked tables renames none.
 */
const moveBuckets = async (runner: QueryRunner): Promise<void> => {
  await change(runner, { sql: "DELETE FROM credit_buckets WHERE kind <> 'plan'" });
  await change(runner, { sql: BUCKETS });
  const lock = runner.connection.createQueryRunner();
  try {
    await change(lock, { sql: 'LOCK TABLES accounts READ' });
    await change(runner, { sql: COPY });
    await change(runner, { sql: 'RENAME TABLE buckets TO buckets_moved, buckets_view TO buckets' });
  } finally {
    await change(lock, { sql: 'UNLOCK TABLES' });
    await lock.release();
  }
};

export const moveToOneTable = async (runner: QueryRunner): Promise<void> => {
  if (await isTable(runner, 'windows')) {
    await addColumns(runner);
    await change(runner, { sql: 'CREATE TABLE IF NOT EXISTS credit_buckets LIKE windows' }); // the view needs a table of the name
    await change(runner, { sql: WINDOWS });
    await change(runner, {
      sql: 'RENAME TABLE credit_buckets TO credit_buckets_empty, windows TO credit_buckets, windows_view TO windows',
    });
  }
  await change(runner, { sql: 'DROP TABLE IF EXISTS credit_buckets_empty' });
  if (await isTable(runner, 'buckets')) await moveBuckets(runner);
  // A deletion takes no lock of the account, so the copy may have rows that it had just deleted.
  await change(runner, {
    sql: "DELETE FROM credit_buckets WHERE kind <> 'plan' AND user_id IN (SELECT user_id FROM deleted_users)",
  });
  await change(runner, { sql: 'DROP TABLE IF EXISTS buckets_moved' });
};
