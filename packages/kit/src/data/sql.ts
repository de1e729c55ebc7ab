// Raw SQL with stated result types. Reads and writes go through TypeORM's repositories and query builder; a statement is written by hand only
// if it is hot (measured), or needs a lock or a clause that the builder lacks. It then uses one of these functions, which use the driver's
// connection: TypeORM's own path for raw SQL costs as much as the statement (`make bench b=spend`).
import type { QueryRunner } from 'typeorm';
import type { Db, Tx } from './db.ts';
import type { Connection } from './driver.ts';

type Column<T> = { readonly name: string; readonly accepts: (value: unknown) => value is T };
/** The columns of a result by their aliases. */
export type RowShape = Readonly<Record<string, Column<unknown>>>;
export type RowOf<Shape extends RowShape> = {
  [Name in keyof Shape]: Shape[Name] extends Column<infer T> ? T : never;
};

const column = <T>(name: string, accepts: (value: unknown) => value is T): Column<T> => ({ name, accepts });

export const text = column('text', (value): value is string => typeof value === 'string');
/** An integer that fits a JavaScript number exactly. */
export const integer = column('integer', (value): value is number => Number.isSafeInteger(value));
/** A DATETIME, in UTC. */
export const instant = column('instant', (value): value is Date => value instanceof Date);
/** A BOOLEAN or the result of a comparison; the driver returns 0 or 1. */
export const flag = column('flag', (value): value is 0 | 1 => value === 0 || value === 1);
/** An ENUM column or a literal with only these values. */
export const oneOf = <const Values extends readonly string[]>(...values: Values): Column<Values[number]> =>
  column(values.join('|'), (value): value is Values[number] =>
    (values as readonly unknown[]).includes(value),
  );
export const nullable = <T>({ name, accepts }: Column<T>): Column<T | null> =>
  column(`${name} or null`, (value): value is T | null => value === null || accepts(value));

type Statement = { sql: string; values?: readonly unknown[] };

class Sql implements Statement {
  readonly sql: string;
  readonly values: readonly unknown[];

  constructor(text: string, values: readonly unknown[]) {
    this.sql = text;
    this.values = values;
  }
}

/** A statement, or a part of one, whose parameters are the values of the template: sql`SELECT … WHERE id = ${id}`. A part among them is inserted. */
export const sql = (texts: TemplateStringsArray, ...values: readonly unknown[]): Sql =>
  new Sql(
    texts.reduce((before, text, index) => {
      const value = values[index - 1];
      return before + (value instanceof Sql ? value.sql : '?') + text;
    }),
    values.flatMap((value) => (value instanceof Sql ? value.values : [value])),
  );

/** A part without parameters, from code alone. */
export const raw = (text: string): Sql => new Sql(text, []);

/** These statements or parts of one after another, with a text between them. */
export const joined = (parts: readonly Sql[], between: string): Sql =>
  new Sql(
    parts.map((part) => part.sql).join(between),
    parts.flatMap(({ values }) => values),
  );

/**
 * Which rows follow the row of this time and id in a list of the newest first. `time` and `id` are columns. The first comparison alone is the range
 * of an index.
 */
export const isOlder = (time: Sql, id: Sql, last: { at: Date; id: unknown }): Sql =>
  sql`${time} <= ${last.at} AND (${time} < ${last.at} OR ${id} < ${last.id})`;

/** Whether rows are compared with their shapes. Tests switch it on; in production it would cost each row of a hot statement. */
let checksRows = false;
export const checkRowShapes = (): void => void (checksRows = true);

const assertShape = (shape: RowShape, rows: unknown, sql: string): void => {
  const isRow = (row: unknown): row is Record<string, unknown> => typeof row === 'object' && row !== null;
  if (!Array.isArray(rows)) throw new TypeError(`no rows returned by: ${sql}`);
  for (const row of rows) {
    if (!isRow(row)) throw new TypeError(`not a row: ${sql}`);
    const names = Object.keys(shape);
    const odd = Object.keys(row).find((name) => !names.includes(name));
    if (odd !== undefined) throw new TypeError(`column ${odd} is not in the stated row type: ${sql}`);
    const wrong = names.find((name) => !shape[name]?.accepts(row[name]));
    if (wrong !== undefined)
      throw new TypeError(`column ${wrong} is not ${shape[wrong]?.name}, but ${typeof row[wrong]}: ${sql}`);
  }
};

const runOn = async (runner: QueryRunner, sql: string, values: readonly unknown[]): Promise<unknown> => {
  if (runner.isReleased) return runner.query(sql, [...values]); // which throws
  const connection = (await runner.connect()) as Connection;
  return new Promise((resolve, reject) => {
    connection.query(sql, values, (error, result) => (error ? reject(error) : resolve(result)));
  });
};

/** Where a statement runs: in a transaction, on a connection, or on any connection of the pool. */
type Target = Db | Tx | QueryRunner;

/** Sends a statement over the transaction's connection, or one of the pool. */
const run = async (target: Target, { sql, values = [] }: Statement): Promise<unknown> => {
  if ('isReleased' in target) return runOn(target, sql, values);
  if ('queryRunner' in target && target.queryRunner) return runOn(target.queryRunner, sql, values);
  const runner = ('dataSource' in target ? target.dataSource : target).createQueryRunner();
  try {
    return await runOn(runner, sql, values);
  } finally {
    await runner.release();
  }
};

/** Runs a SELECT and returns its rows according to `shape`. With `checkRowShapes()`, throws if a row differs from the shape. */
export const selectRows = async <Shape extends RowShape>(
  tx: Target,
  shape: Shape,
  statement: Statement,
): Promise<RowOf<Shape>[]> => {
  const rows = await run(tx, statement);
  if (checksRows) assertShape(shape, rows, statement.sql);
  return rows as RowOf<Shape>[];
};

/** The first row of `selectRows`, or null. */
export const selectRow = async <Shape extends RowShape>(
  tx: Target,
  shape: Shape,
  statement: Statement,
): Promise<RowOf<Shape> | null> => (await selectRows(tx, shape, statement))[0] ?? null;

type Change = { affectedRows: number; insertId: number };

/** Runs an INSERT, UPDATE or DELETE. `affectedRows` counts changed rows; `insertId` is the first generated id, 0 without one. */
export const change = async (tx: Target, statement: Statement): Promise<Change> => {
  const result = (await run(tx, statement)) as Change;
  if (checksRows && typeof result?.affectedRows !== 'number')
    throw new TypeError(`changes no rows: ${statement.sql}`);
  return result;
};

/** Rows per statement: few, so that no other statement waits long for their locks. */
const CHUNK = 1_000;

/** Repeats a statement, whose last parameter is its LIMIT, until no row is left to change or `isStopped`. Returns the number of changed rows. */
export const changeInChunks = async (
  tx: Target,
  { sql, values = [] }: Statement,
  isStopped = (): boolean => false,
): Promise<number> => {
  let count = 0;
  for (let changed = CHUNK; changed === CHUNK && !isStopped(); count += changed)
    ({ affectedRows: changed } = await change(tx, { sql, values: [...values, CHUNK] }));
  return count;
};

/** The optimizer's estimates of the rows that each of these SELECTs (one column of one table) reads, in order. */
export const estimateRows = async (tx: Target, selects: readonly Statement[]): Promise<number[]> => {
  // MySQL does not estimate the range of a single SELECT with FORCE INDEX, so a second one is always added.
  const sql = [...selects.map((select) => select.sql), 'SELECT NULL'].join(' UNION ALL ');
  const values = selects.flatMap((select) => select.values ?? []);
  // Explicit, because MySQL 9 has a different default format.
  const explain = { sql: `EXPLAIN FORMAT=TRADITIONAL ${sql}`, values };
  const plan = (await run(tx, explain)) as { rows: number | string | null }[];
  return selects.map((_, index) => Number(plan[index]?.rows ?? 0));
};
