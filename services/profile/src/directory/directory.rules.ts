// A page of the directory begins after a row, not at a number: rows that come or go meanwhile shift nothing. A cursor names
// the last row's value in the sorted column and, since values repeat, its id.
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

export const sortingOf = (sort: DirectorySort): Sorting => ({
  columns: COLUMNS[sort.replace('-', '')] ?? [],
  descending: sort.startsWith('-'),
});

export const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** Null for anything that we did not make ourselves for this sorting. */
export const decodeCursor = (text: string, sorting: Sorting): Cursor | null => {
  try {
    const { values, id } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Partial<Cursor>;
    const fits =
      Array.isArray(values) &&
      values.length === sorting.columns.length &&
      values.every((value) => typeof value === 'string');
    return fits && typeof id === 'string' ? { values, id } : null;
  } catch {
    return null;
  }
};

/** The text that LIKE takes for "contains these very characters". */
export const containing = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;
