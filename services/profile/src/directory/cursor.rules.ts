// A page of the directory starts after a row, not at an offset: rows that are inserted or deleted meanwhile shift nothing. A cursor
// has the row's values in the sort columns and, because values repeat, its id. In another order or with other filters these values
// name no page, so a cursor also has the key of its list, and every other list refuses it.
import type { DirectorySort } from '@shortlist/contracts/api/public';

export type Sorting = { columns: readonly string[]; descending: boolean };
export type Cursor = { values: string[]; id: string };

const COLUMNS: Record<string, readonly string[]> = {
  createdAt: ['created_at'],
  name: ['first_name', 'last_name'],
  email: ['email'],
  organizationName: ['organization_name'],
  country: ['country'],
};

export const NEWEST_FIRST: DirectorySort = '-createdAt';

export const sortingOf = (sort: DirectorySort): Sorting => ({
  columns: COLUMNS[sort.replace('-', '')] ?? [],
  descending: sort.startsWith('-'),
});

export const encodeCursor = (cursor: Cursor, listKey: string): string =>
  Buffer.from(JSON.stringify([cursor.values, cursor.id, listKey])).toString('base64url');

/** The form of a user id. The database cannot compare other text with the column's character set. */
const ID = /^[0-9a-f-]{36}$/;
const isText = (value: unknown): value is string => typeof value === 'string';

/** Null for text that `encodeCursor` does not produce for this sorting and list. */
export const decodeCursor = (text: string, { columns }: Sorting, listKey: string): Cursor | null => {
  try {
    const parts = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const [values, id, key] = parts;
    if (key !== listKey) return null;
    if (!Array.isArray(values) || !values.every(isText)) return null;
    if (!isText(id) || !ID.test(id)) return null;
    return values.length === columns.length ? { values, id } : null;
  } catch {
    return null;
  }
};

export type Condition = { sql: string; values: unknown[] };

/** A client may send any text in a cursor. CAST makes NULL of one that is no time, with which MySQL would refuse to compare. */
const operandOf = (column: string): string => (column === 'p.created_at' ? 'CAST(? AS DATETIME(3))' : '?');

/**
 * "Comes after (or before) the cursor" in the sort order. Written column by column, with a bound of the first column alone in
 * front: the optimizer derives an index range from that, but not from a comparison of row values.
 */
const compareWithCursor = (
  columns: readonly string[],
  { values, id }: Cursor,
  sign: '<' | '>',
): Condition => {
  const keys = [...columns.map((column, index) => [`p.${column}`, values[index]]), ['p.user_id', id]] as [
    string,
    string,
  ][];
  const alternatives = keys.map(([column, value], index) => {
    const equal = keys.slice(0, index);
    const equalities = equal.map(([name]) => `${name} = ${operandOf(name)}`);
    const sql = [...equalities, `${column} ${sign} ${operandOf(column)}`].join(' AND ');
    return { sql: `(${sql})`, values: [...equal.map(([, equalValue]) => equalValue), value] };
  });
  const [[column, value] = ['p.user_id', id]] = keys;
  return {
    sql: `${column} ${sign}= ${operandOf(column)} AND (${alternatives.map(({ sql }) => sql).join(' OR ')})`,
    values: [value, ...alternatives.flatMap((alternative) => alternative.values)],
  };
};

export const afterCursor = ({ columns, descending }: Sorting, cursor: Cursor): Condition =>
  compareWithCursor(columns, cursor, descending ? '<' : '>');

export const beforeCursor = ({ columns, descending }: Sorting, cursor: Cursor): Condition =>
  compareWithCursor(columns, cursor, descending ? '>' : '<');
