// A page of the directory starts after a row, not at an offset, so that rows inserted or deleted in between shift nothing. A cursor has the
// row's values in the sort columns and, because values repeat, its id. It is meaningless for another order or other filters, so a cursor also
// has the key of its list, and every other list refuses it.
import { hash } from 'node:crypto';
import type { DIRECTORY_SORTS, DirectoryQuery, DirectorySort } from '@shortlist/contracts/api/directory';

type Order = { index: string; columns: readonly string[] };
export type Sorting = Order & { descending: boolean };
export type Cursor = { values: string[]; id: string };
export type Condition = { sql: string; values: unknown[] };

const ORDERS: Record<(typeof DIRECTORY_SORTS)[number], Order> = {
  createdAt: { index: 'profiles_created', columns: ['created_at'] },
  name: { index: 'profiles_name', columns: ['first_name', 'last_name'] },
  email: { index: 'profiles_email', columns: ['email'] },
  organizationName: { index: 'profiles_organization', columns: ['organization_name'] },
  country: { index: 'profiles_country', columns: ['country'] },
};

export const NEWEST_FIRST: DirectorySort = '-createdAt';

export const sortingOf = (sort: DirectorySort): Sorting => ({
  ...ORDERS[sort.replace('-', '') as keyof typeof ORDERS],
  descending: sort.startsWith('-'),
});

const propertyOf = (column: string): string =>
  column.replace(/_(.)/, (_, letter: string) => letter.toUpperCase());

const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString().slice(0, 23).replace('T', ' ') : String(value);

type SortedRow = { id: string } & Readonly<Record<string, unknown>>;
export const cursorOf = (row: SortedRow, { columns }: Sorting): Cursor => ({
  values: columns.map((column) => textOf(row[propertyOf(column)])),
  id: row.id,
});

/** Without the page size, which does not affect the list. */
export const listKeyOf = (query: Omit<DirectoryQuery, 'cursor' | 'limit'>): string => {
  const { sort = NEWEST_FIRST, search = '', plan = '', payment = '' } = query;
  const { country = '', joinedFrom = '', joinedTo = '' } = query;
  const list = JSON.stringify([sort, search, plan, payment, country, joinedFrom, joinedTo]);
  return hash('sha256', list, 'base64url').slice(0, 12);
};

export const encodeCursor = ({ values, id }: Cursor, listKey: string): string =>
  Buffer.from(JSON.stringify([values, id, listKey])).toString('base64url');

/** The form of a user id. The database cannot compare other text with the column's character set. */
const ID = /^[0-9a-f-]{36}$/;
const isText = (value: unknown): value is string => typeof value === 'string';

/** Null for text that `encodeCursor` does not produce for this sorting and list. */
export const decodeCursor = (text: string, { columns }: Sorting, listKey: string): Cursor | null => {
  try {
    const parts = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const [values, id, key] = parts;
    if (key !== listKey || !isText(id) || !ID.test(id)) return null;
    if (!Array.isArray(values) || !values.every(isText)) return null;
    return values.length === columns.length ? { values, id } : null;
  } catch {
    return null;
  }
};

/** A client may send any text in a cursor. CAST turns text that is not a time into NULL, because MySQL would refuse to compare it. */
const operandOf = (column: string): string => (column === 'created_at' ? 'CAST(? AS DATETIME(3))' : '?');

/** Column by column, because the optimizer cannot derive an index range from a comparison of row values. */
const compare = (keys: readonly [string, string][], sign: '<' | '>'): Condition => {
  const [[column, value] = ['user_id', ''], ...rest] = keys;
  const [name, operand] = [`p.${column}`, operandOf(column)];
  if (rest.length === 0) return { sql: `${name} ${sign} ${operand}`, values: [value] };
  const next = compare(rest, sign);
  return {
    sql: `${name} ${sign}= ${operand} AND (${name} ${sign} ${operand} OR (${name} = ${operand} AND ${next.sql}))`,
    values: [value, value, value, ...next.values],
  };
};

/** The rows that come after the cursor in the order, or before it. */
export const beyond = (sorting: Sorting, { values, id }: Cursor, side: 'after' | 'before'): Condition => {
  const keys = sorting.columns.map((column, index): [string, string] => [column, values[index] ?? '']);
  return compare([...keys, ['user_id', id]], (side === 'after') === sorting.descending ? '<' : '>');
};
