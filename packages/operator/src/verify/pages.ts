import type { Reader } from '@shortlist/kit/data/reader';

/** Rows, ids or events that `verify` compares, and has in memory, at once. */
export const CHUNK = 2_000;

type Key = string | number;

/**
 * Yields the rows of a statement in pages, so that its memory does not grow with the table. The statement has two parameters, the key after
 * which a page begins and the number of its rows, with `values` between them: `WHERE key > ? AND … ORDER BY key LIMIT ?`.
 */
export async function* readPages<Row>(
  db: Reader,
  {
    sql,
    keyOf,
    from = '',
    values = [],
  }: { sql: string; keyOf: (row: Row) => Key; from?: Key; values?: readonly unknown[] },
): AsyncGenerator<Row[]> {
  for (let after = from; ;) {
    const rows = await db.select<Row>(sql, [after, ...values, CHUNK]);
    const last = rows.at(-1);
    if (last !== undefined) yield rows;
    if (last === undefined || rows.length < CHUNK) return;
    after = keyOf(last);
  }
}

/** The rows that a statement finds for these values; its only parameter is their list. */
export const selectAmong = async <Row>(
  db: Reader,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> => (values.length === 0 ? [] : db.select<Row>(sql, [values]));

/** Which of these ids a statement finds; its only parameter is their list. */
export const idsAmong = async (db: Reader, sql: string, ids: readonly string[]): Promise<Set<string>> =>
  new Set((await selectAmong<{ id: string }>(db, sql, ids)).map(({ id }) => id));

/** Which of these accounts exist. */
export const accountsAmong = (identity: Reader, ids: readonly string[]): Promise<Set<string>> =>
  idsAmong(identity, 'SELECT id FROM accounts WHERE id IN (?)', ids);
