import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import type { Log } from '../process/log.ts';

const logs = new WeakMap<DataSource, Log>();

/** Sets where the migrations of this database log their progress. */
export const logMigrations = (db: DataSource, log: Log): void => void logs.set(db, log);
export const logOfMigrations = ({ connection }: QueryRunner): Log | undefined => logs.get(connection);

/** Statements that MySQL cannot make conditional: they run unless the column or the index exists. */
type UnlessColumn = { unlessColumn: readonly [table: string, column: string]; sql: string };
type UnlessIndex = { unlessIndex: readonly [table: string, index: string]; sql: string };
/** For steps that depend on the state of the database. */
type Steps = (runner: QueryRunner) => Promise<void>;
export type MigrationStatement = string | UnlessColumn | UnlessIndex | Steps;

/** Adds a column unless the table has it; `definition` may go on with what the statement changes beside it. */
export const addColumn = (table: string, column: string, definition: string): UnlessColumn => ({
  unlessColumn: [table, column],
  sql: `ALTER TABLE ${table} ADD COLUMN ${column} ${definition}`,
});

const find = (statement: UnlessColumn | UnlessIndex) =>
  'unlessColumn' in statement
    ? ({ among: 'columns', by: 'column_name', names: statement.unlessColumn } as const)
    : ({ among: 'statistics', by: 'index_name', names: statement.unlessIndex } as const);

const isDone = async (runner: QueryRunner, statement: UnlessColumn | UnlessIndex): Promise<boolean> => {
  const { among, by, names } = find(statement);
  const rows = (await runner.query(
    `SELECT 1 FROM information_schema.${among} WHERE table_schema = DATABASE() AND table_name = ? AND ${by} = ?`,
    [...names],
  )) as unknown[];
  return rows.length > 0;
};

const run = async (runner: QueryRunner, statement: MigrationStatement): Promise<void> => {
  if (typeof statement === 'string') await runner.query(statement);
  else if (typeof statement === 'function') await statement(runner);
  else if (!(await isDone(runner, statement))) await runner.query(statement.sql);
};

/** Drops an index if the table has it. */
export const dropIndex =
  (table: string, index: string): Steps =>
  async (runner) => {
    const sql = `ALTER TABLE ${table} DROP KEY ${index}`;
    if (await isDone(runner, { unlessIndex: [table, index], sql })) await runner.query(sql);
  };

/**
 * A forward-only change of the database. Each statement commits on its own, so it must be safe to run again after an interruption. `name` ends
 * in a 13-digit timestamp, which orders migrations. TypeORM requires a class.
 */
export const migration = (
  name: string,
  statements: readonly MigrationStatement[],
): new () => MigrationInterface =>
  class implements MigrationInterface {
    readonly name = name;
    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements) await run(runner, statement);
    }
    down(): Promise<void> {
      return Promise.reject(new Error('migrations go forward only'));
    }
  };
