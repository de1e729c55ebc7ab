import { AUDIT_LOG, auditKinds, auditOrder, auditTimes } from '@shortlist/audit/tables';
import { deletionsToRepeat } from '@shortlist/kit/data/deletions-to-repeat';
import { addColumn, migration } from '@shortlist/kit/data/migration';
import { inSteps } from '@shortlist/kit/data/migration-steps';
import { requestCounts } from '@shortlist/kit/data/request-counts';
import { endedRights } from '@shortlist/kit/data/rights';
import { change, integer, selectRows, sql } from '@shortlist/kit/data/sql';
import { OUTBOX_AND_INBOX } from '@shortlist/kit/messaging/outbox';
import type { QueryRunner } from 'typeorm';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';
const UNICODE = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
const KEY = `${ASCII} NOT NULL`;
const ID = `CHAR(36) ${KEY}`;
const TEXT = `TEXT ${UNICODE}`;

const isTable = async (runner: QueryRunner, name: string): Promise<boolean> => {
  const tables = sql`SELECT 1 AS found FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_name = ${name} AND table_type = 'BASE TABLE'`;
  return (await selectRows(runner, { found: integer }, tables)).length > 0;
};

const ADD = sql`ALTER TABLE windows ADD COLUMN kind ENUM('plan', 'grant', 'pack') NOT NULL DEFAULT 'plan', ADD COLUMN usable INT UNSIGNED NULL,
  ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 0, ADD COLUMN reason VARCHAR(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  ADD COLUMN granted_by CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL, ALGORITHM = INSTANT`;
const REQUIRE = sql`ALTER TABLE windows MODIFY usable INT UNSIGNED NOT NULL DEFAULT (credit_limit), MODIFY plan ENUM('premium', 'free') NULL,
  MODIFY ends_at DATETIME(3) NULL, ALGORITHM = INPLACE, LOCK = NONE`;

const FILL = inSteps({
  name: 'OneTable: usable credits of windows',
  table: 'windows',
  column: 'id',
  sql: 'UPDATE windows SET usable = credit_limit WHERE id BETWEEN ? AND ? AND usable IS NULL',
});

/**
 * Adds the columns of packs and grants to `windows`, which stays open for charges. `usable` is first null, then has a default, which rows of
 * the release before get too, and then a value in every row: to add it with all three at once would copy the table while charges wait.
 */
const addColumns = async (runner: QueryRunner): Promise<void> => {
  await change(runner, ADD).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ER_DUP_FIELDNAME')) throw error;
  });
  await change(runner, sql`ALTER TABLE windows ALTER COLUMN usable SET DEFAULT (credit_limit)`);
  await FILL(runner);
  await change(runner, REQUIRE);
};

// A view has the rights of the account that migrates: that of the processes has none on the new table until the migration has ended.

const WINDOWS = sql`CREATE OR REPLACE VIEW windows_view AS SELECT id, user_id, source_key, plan, credit_limit, used, starts_at, ends_at
  FROM credit_buckets WHERE kind = 'plan'`;
const BUCKETS = sql`CREATE OR REPLACE VIEW buckets_view AS SELECT user_id, source_key AS id, kind, credit_limit AS credits, usable, used, ends_at,
  version, reason, granted_by, starts_at AS created_at FROM credit_buckets WHERE kind <> 'plan'`;
const INTO = `INSERT INTO credit_buckets (user_id, source_key, kind, credit_limit, usable, used, starts_at, ends_at, version, reason, granted_by)
  SELECT b.user_id, b.id, b.kind, b.credits, b.usable, b.used, b.created_at, b.ends_at, b.version, b.reason, b.granted_by FROM buckets b`;
const OVER = `ON DUPLICATE KEY UPDATE usable = VALUES(usable), used = VALUES(used), ends_at = VALUES(ends_at), version = VALUES(version)`;
const COPY = inSteps({
  name: 'OneTable: packs and grants',
  table: 'buckets',
  column: 'user_id',
  sql: `${INTO} WHERE b.user_id BETWEEN ? AND ? ${OVER}`,
});
// Comparing a row costs a fraction of copying it.
const CATCH_UP = {
  sql: `${INTO} LEFT JOIN credit_buckets c ON c.user_id = b.user_id AND c.source_key = b.id
    WHERE c.id IS NULL OR c.used <> b.used OR c.usable <> b.usable OR c.version <> b.version OR NOT c.ends_at <=> b.ends_at ${OVER}`,
};
const SWAP = sql`RENAME TABLE credit_buckets TO credit_buckets_empty, windows TO credit_buckets, windows_view TO windows`;
const ERASE = sql`DELETE FROM credit_buckets WHERE kind <> 'plan' AND user_id IN (SELECT user_id FROM deleted_users)`;

/**
 * Copies the rows of `buckets`, then once more those that have changed meanwhile, and puts the view in its place. Whoever changes a row has
 * written to `accounts` before, so the lock of `accounts` keeps all rows as they are from the second copy to the renaming. It needs a
 * connection of its own: one that has locked tables renames none.
 */
const moveBuckets = async (runner: QueryRunner): Promise<void> => {
  await change(runner, BUCKETS);
  await COPY(runner);
  const lock = runner.connection.createQueryRunner();
  try {
    await change(lock, sql`LOCK TABLES accounts READ`);
    await change(runner, CATCH_UP);
    await change(runner, sql`RENAME TABLE buckets TO buckets_moved, buckets_view TO buckets`);
  } finally {
    await change(lock, sql`UNLOCK TABLES`);
    await lock.release();
  }
};

/**
 * Moves `windows` (the plan's credits) and `buckets` (packs and grants) into one table, while processes of the release before go on charging.
 * Their names become updatable views over it, which a later release drops. Each step may run again after an interruption.
 */
export const moveToOneTable = async (runner: QueryRunner): Promise<void> => {
  if (await isTable(runner, 'windows')) {
    await addColumns(runner);
    await change(runner, sql`CREATE TABLE IF NOT EXISTS credit_buckets LIKE windows`); // the view needs a table of the name
    await change(runner, WINDOWS);
    await change(runner, SWAP);
  }
  await change(runner, sql`DROP TABLE IF EXISTS credit_buckets_empty`);
  if (await isTable(runner, 'buckets')) await moveBuckets(runner);
  // A deletion takes no lock of the account, so the copy may have rows that it had just deleted.
  await change(runner, ERASE);
  await change(runner, sql`DROP TABLE IF EXISTS buckets_moved`);
};

/** In their order. Migrations are only added: a database may have run those that are here. */
export const migrations = [
  migration('InitialCredits1764000003000', [
    ...OUTBOX_AND_INBOX,
    ...AUDIT_LOG,
    `CREATE TABLE IF NOT EXISTS accounts (
      user_id ${ID} PRIMARY KEY,
      plan_version INT UNSIGNED NOT NULL DEFAULT 0,
      plan_state ${TEXT} NOT NULL,
      wants_mails BOOLEAN NOT NULL DEFAULT TRUE,
      bucket_version INT UNSIGNED NOT NULL DEFAULT 0
    ) ENGINE=InnoDB`,
    // source_key names what opened the window: an invoice, a grant, or the first day of a free period. One window for each.
    `CREATE TABLE IF NOT EXISTS windows (
      id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
      user_id ${ID},
      source_key VARCHAR(120) ${KEY},
      plan ENUM('premium', 'free') NOT NULL,
      credit_limit INT UNSIGNED NOT NULL,
      used INT UNSIGNED NOT NULL DEFAULT 0,
      starts_at DATETIME(3) NOT NULL,
      ends_at DATETIME(3) NOT NULL,
      UNIQUE KEY windows_source (user_id, source_key),
      KEY windows_due (plan, ends_at, user_id),
      CONSTRAINT windows_not_overspent CHECK (used <= credit_limit)
    ) ENGINE=InnoDB`,
    `CREATE TABLE IF NOT EXISTS buckets (
      user_id ${ID},
      id ${ID},
      kind ENUM('pack', 'grant') NOT NULL,
      credits INT UNSIGNED NOT NULL,
      usable INT UNSIGNED NOT NULL,
      used INT UNSIGNED NOT NULL,
      ends_at DATETIME(3) NULL,
      version INT UNSIGNED NOT NULL,
      reason VARCHAR(300) ${UNICODE} NULL,
      granted_by CHAR(36) ${ASCII} NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (user_id, id),
      CONSTRAINT buckets_not_overspent CHECK (used <= credits AND usable <= credits)
    ) ENGINE=InnoDB`,
    // Append-only. The balance after an entry is the response of the operation, returned again when it is repeated. Each filter of the history
    // has an index by time.
    `CREATE TABLE IF NOT EXISTS ledger (
      id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
      user_id ${ID},
      window_id BIGINT UNSIGNED NOT NULL,
      operation_id VARCHAR(100) ${KEY},
      amount INT NOT NULL,
      reason VARCHAR(40) ${KEY},
      reference VARCHAR(200) ${UNICODE} NULL,
      used_after INT UNSIGNED NOT NULL,
      created_at DATETIME(3) NOT NULL,
      client_id CHAR(36) ${ASCII} NULL,
      requested_amount INT UNSIGNED NOT NULL DEFAULT 1,
      buckets_after INT UNSIGNED NOT NULL DEFAULT 0,
      added INT NOT NULL DEFAULT 0,
      UNIQUE KEY ledger_operation (user_id, operation_id),
      KEY ledger_history (user_id, id),
      KEY ledger_window (window_id),
      KEY ledger_days (user_id, created_at),
      KEY ledger_reasons (user_id, reason, created_at),
      KEY ledger_clients (user_id, client_id, created_at),
      KEY ledger_client_reasons (user_id, client_id, reason, created_at)
    ) ENGINE=InnoDB`,
    // Only of entries that took credits from a bucket other than the window, or returned some to it.
    `CREATE TABLE IF NOT EXISTS ledger_parts (
      entry_id BIGINT UNSIGNED NOT NULL,
      position SMALLINT NOT NULL,
      user_id ${ID},
      bucket_id ${ID},
      amount INT NOT NULL,
      PRIMARY KEY (entry_id, position),
      KEY ledger_parts_bucket (user_id, bucket_id)
    ) ENGINE=InnoDB`,
    `CREATE TABLE IF NOT EXISTS deleted_users (
      user_id ${ID} PRIMARY KEY,
      deleted_at DATETIME(3) NOT NULL,
      rows_left BOOLEAN NOT NULL DEFAULT FALSE,
      KEY deleted_users_rows_left (rows_left)
    ) ENGINE=InnoDB`,
    // The row is also the lock under which free windows are opened, so concurrent first charges open one.
    `CREATE TABLE IF NOT EXISTS free_cycles (
      user_id ${ID} PRIMARY KEY,
      due_at DATETIME(3) NOT NULL,
      KEY free_cycles_due (due_at, user_id)
    ) ENGINE=InnoDB`,
    // `reference` is a contact's key, which may be longer than the reference that it is made from.
    `CREATE TABLE IF NOT EXISTS contacts (
      user_id ${ID},
      reason VARCHAR(40) ${KEY},
      reference VARCHAR(600) ${UNICODE} NOT NULL,
      operation_id VARCHAR(100) ${KEY},
      charged_at DATETIME(3) NOT NULL,
      paid INT UNSIGNED NOT NULL,
      repeat_id VARCHAR(100) ${ASCII} NULL,
      last_repeat ${TEXT} NULL,
      PRIMARY KEY (user_id, reason, reference),
      UNIQUE KEY contacts_repeat (user_id, repeat_id),
      KEY contacts_expired (charged_at)
    ) ENGINE=InnoDB`,
    `CREATE TABLE IF NOT EXISTS daily_uses (
      user_id ${ID},
      kind ENUM('reservation', 'free_charge') NOT NULL,
      day DATE NOT NULL,
      uses INT UNSIGNED NOT NULL,
      PRIMARY KEY (user_id, kind)
    ) ENGINE=InnoDB`,
    `CREATE TABLE IF NOT EXISTS reservations (
      id ${ID} PRIMARY KEY,
      user_id ${ID},
      operation_id VARCHAR(100) ${KEY},
      state ENUM('held', 'committed', 'released') NOT NULL,
      expires_at DATETIME(3) NOT NULL,
      committed_amount INT UNSIGNED NULL,
      used_after INT UNSIGNED NOT NULL DEFAULT 0,
      buckets_after INT UNSIGNED NOT NULL DEFAULT 0,
      hold_seconds INT UNSIGNED NOT NULL,
      UNIQUE KEY reservations_operation (user_id, operation_id),
      KEY reservations_due (state, expires_at)
    ) ENGINE=InnoDB`,
    `CREATE TABLE IF NOT EXISTS exhausted_windows (
      window_id BIGINT UNSIGNED NOT NULL,
      user_id ${ID},
      threshold TINYINT UNSIGNED NOT NULL DEFAULT 100,
      PRIMARY KEY (window_id, threshold),
      KEY exhausted_windows_user (user_id)
    ) ENGINE=InnoDB`,
  ]),
  endedRights,
  migration('OneTable1766200000000', [moveToOneTable]),
  migration('PrunedUse1766300000000', [addColumn('credit_buckets', 'pruned', 'INT NOT NULL DEFAULT 0')]),
  deletionsToRepeat,
  auditTimes,
  auditKinds,
  requestCounts,
  auditOrder,
];
