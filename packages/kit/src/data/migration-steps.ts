// Changes of many rows by a migration. One statement for all of them would keep its locks for minutes, and begin anew after an interruption.
import { seconds } from '@shortlist/contracts/durations';
import type { QueryRunner } from 'typeorm';
import { logOfMigrations } from './migration.ts';
import { change, flag, integer, nullable, selectRow, text } from './sql.ts';

export type SteppedChange = {
  /** Unique in the database. */
  name: string;
  table: string;
  /** Whose values the steps follow. An index begins with it; rows of one value are in one step. */
  column: string;
  /** The change of the rows from the first to the last value, which are its two parameters. */
  sql: string;
  /** About how many rows a step changes. */
  size?: number;
};

/** A step ends within a tenth of a second, so that requests hardly wait for its locks. */
const STEP_ROWS = 2_000;
const PROGRESS_MS = seconds(10);

const POSITIONS = {
  sql: `CREATE TABLE IF NOT EXISTS migration_steps (
    name VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
    position VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    rows_seen BIGINT UNSIGNED NOT NULL DEFAULT 0,
    is_done BOOLEAN NOT NULL DEFAULT FALSE
  ) ENGINE=InnoDB`,
};

const storedPosition = { position: nullable(text), seen: integer, isDone: flag };

const findPosition = (runner: QueryRunner, name: string) =>
  selectRow(runner, storedPosition, {
    sql: 'SELECT position, rows_seen AS seen, is_done AS isDone FROM migration_steps WHERE name = ?',
    values: [name],
  });

type Position = { position: string | null; seen: number; isDone: boolean };

const storePosition = async (
  runner: QueryRunner,
  name: string,
  { position, seen, isDone }: Position,
): Promise<void> => {
  await change(runner, {
    sql: 'REPLACE INTO migration_steps (name, position, rows_seen, is_done) VALUES (?, ?, ?, ?)',
    values: [name, position, seen, isDone],
  });
};

const step = { first: nullable(text), last: nullable(text), count: integer };

/** The values between which the next step is; null after the last row. */
const findStep = (
  runner: QueryRunner,
  { table, column, size = STEP_ROWS }: SteppedChange,
  after: string | null,
) =>
  selectRow(runner, step, {
    sql: `SELECT CAST(MIN(value) AS CHAR) AS first, CAST(MAX(value) AS CHAR) AS last, COUNT(*) AS count FROM
      (SELECT ${column} AS value FROM ${table} ${after === null ? '' : `WHERE ${column} > ?`} ORDER BY ${column} LIMIT ?) AS step`,
    values: after === null ? [size] : [after, size],
  });

const inTransaction = async (runner: QueryRunner, work: () => Promise<void>): Promise<void> => {
  await runner.startTransaction();
  try {
    await work();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined); // with the connection, its transaction is gone too
    throw error;
  }
};

const estimateOf = async (runner: QueryRunner, table: string): Promise<number> => {
  const sql =
    'SELECT table_rows AS count FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?';
  return (await selectRow(runner, { count: integer }, { sql, values: [table] }))?.count ?? 0;
};

/** Logs how far a change is, but not with every step. */
const createProgress = async (runner: QueryRunner, { name, table }: SteppedChange) => {
  const log = logOfMigrations(runner);
  const estimated = log === undefined ? 0 : await estimateOf(runner, table);
  let loggedAt = performance.now();
  return ({ seen, isDone }: Position): void => {
    if (!isDone && performance.now() - loggedAt < PROGRESS_MS) return;
    loggedAt = performance.now();
    log?.info({ step: name, table, rows: seen, estimated }, isDone ? 'rows migrated' : 'migrating rows');
  };
};

/**
 * A statement of a migration that changes the rows of a table in steps. Each step commits together with its position, so that an interrupted
 * change goes on where it was, and changes no row twice. A row that is added behind the position meanwhile is not changed: a default or what
 * follows must take care of it.
 */
export const inSteps = (stepped: SteppedChange): ((runner: QueryRunner) => Promise<void>) => {
  const { name, sql } = stepped;
  return async (runner) => {
    await change(runner, POSITIONS);
    const stored = await findPosition(runner, name);
    let at: Position = {
      position: stored?.position ?? null,
      seen: stored?.seen ?? 0,
      isDone: stored?.isDone === 1,
    };
    const report = await createProgress(runner, stepped);
    while (!at.isDone) {
      const { position, seen } = at;
      await inTransaction(runner, async () => {
        const { first = null, last = null, count = 0 } = (await findStep(runner, stepped, position)) ?? {};
        // The position may be the id of a user, which the end forgets.
        at = { position: last, seen: seen + count, isDone: last === null };
        if (last !== null) await change(runner, { sql, values: [first, last] });
        await storePosition(runner, name, at);
      });
      report(at);
    }
  };
};
