// A page of the directory begins after a row, not at a number: rows that come or go meanwhile shift nothing. A cursor names
// the last row's values in the sorted columns and, since values repeat, its id.
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

export const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify([cursor.values, cursor.id])).toString('base64url');

/** As ids are written; anything else the database does not even compare with one. */
const ID = /^[0-9a-f-]{36}$/;
const isText = (value: unknown): value is string => typeof value === 'string';

/** Null for anything that we did not make ourselves for this sorting. */
export const decodeCursor = (text: string, { columns }: Sorting): Cursor | null => {
  try {
    const [values, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [unknown, unknown];
    if (!Array.isArray(values) || !values.every(isText)) return null;
    if (!isText(id) || !ID.test(id)) return null;
    return values.length === columns.length ? { values, id } : null;
  } catch {
    return null;
  }
};

export type Condition = { sql: string; values: unknown[] };

/**
 * "After the cursor" in the sort's own order. Written out column by column with a bound on the first one alone in front: the
 * database finds the starting place in the index by that, but not by a comparison of whole rows.
 */
export const afterCursor = ({ columns, descending }: Sorting, { values, id }: Cursor): Condition => {
  const sign = descending ? '<' : '>';
  const keys = [...columns.map((column, index) => [`p.${column}`, values[index]]), ['p.user_id', id]] as [
    string,
    string,
  ][];
  const alternatives = keys.map(([column, value], index) => {
    const equal = keys.slice(0, index);
    const sql = [...equal.map(([name]) => `${name} = ?`), `${column} ${sign} ?`].join(' AND ');
    return { sql: `(${sql})`, values: [...equal.map(([, one]) => one), value] };
  });
  const [first] = keys;
  return {
    sql: `${first?.[0]} ${sign}= ? AND (${alternatives.map((one) => one.sql).join(' OR ')})`,
    values: [first?.[1], ...alternatives.flatMap((one) => one.values)],
  };
};
