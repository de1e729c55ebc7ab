// Step 3 of a search, first algorithm: the index scan. It reads the index of the sort order from the cursor on, checks each row
// against the predicates, and stops when the page is full or its row budget is used.
import type { Tx } from '@shortlist/kit/data/db';
import { selectRow, selectRows, text } from '@shortlist/kit/data/sql';
import { beforeCursor, type Condition, type Cursor, type Sorting } from './cursor.rules.ts';
import {
  afterPageCursor,
  COLUMNS,
  DIRECTORY_ROW,
  type DirectoryRecord,
  orderOf,
  type Page,
} from './directory-row.ts';
import { whereAll } from './predicates.ts';
import type { SizedPredicate } from './query-plan.ts';

const INDEXES: Record<string, string> = {
  created_at: 'profiles_created',
  first_name: 'profiles_name',
  email: 'profiles_email',
  organization_name: 'profiles_organization',
  country: 'profiles_country',
};

// Without FORCE INDEX the optimizer sometimes reads and sorts the whole table.
const sourceOf = ({ columns }: Sorting): string =>
  `profiles p FORCE INDEX (${INDEXES[columns[0] ?? ''] ?? 'profiles_created'})`;

const isSortRange = ({ columns }: Sorting, { column }: SizedPredicate): boolean =>
  column !== undefined && column === columns[0];

/** The predicates that a scan checks row by row. The others bound the range of the index that it reads. */
export const checkedPredicates = ({ search, sorting }: Page): SizedPredicate[] =>
  search.predicates.filter((predicate) => !isSortRange(sorting, predicate));

/** Scans without a row budget. */
export const scanIndex = (
  tx: Tx,
  page: Page,
  bounds: readonly Condition[] = [],
): Promise<DirectoryRecord[]> => {
  const checks = page.search.predicates.map(({ check }) => check);
  const { sql, values } = whereAll([...checks, ...afterPageCursor(page), ...bounds]);
  return selectRows(tx, DIRECTORY_ROW, {
    sql: `SELECT ${COLUMNS} FROM ${sourceOf(page.sorting)} ${sql} ORDER BY ${orderOf(page.sorting)} LIMIT ?`,
    values: [...values, page.limit],
  });
};

/**
 * The sort key of the first row beyond the budget, or null when the range of the index ends within it. The statement reads keys of
 * the index alone, a small part of the cost of the rows.
 */
const findBudgetEnd = async (tx: Tx, page: Page, maxRows: number): Promise<Cursor | null> => {
  const { search, sorting } = page;
  const ranges = search.predicates.filter((predicate) => isSortRange(sorting, predicate));
  const { sql, values } = whereAll([...ranges.map(({ range }) => range), ...afterPageCursor(page)]);
  const keys = sorting.columns.map((column, index) => `CAST(p.${column} AS CHAR) AS key${index}`);
  const names = ['id', ...sorting.columns.map((_, index) => `key${index}`)];
  const shape = Object.fromEntries(names.map((name) => [name, text]));
  const row = await selectRow(tx, shape, {
    sql: `SELECT ${keys.join(', ')}, p.user_id AS id FROM ${sourceOf(sorting)} ${sql} ORDER BY ${orderOf(sorting)} LIMIT 1 OFFSET ?`,
    values: [...values, maxRows],
  });
  if (row === null) return null;
  const [id = '', ...key] = names.map((name) => row[name] ?? '');
  return { values: key, id };
};

/** Scans at most `maxRows` rows of the index. `isComplete` when no row beyond them could match. */
export const scanIndexWithin = async (
  tx: Tx,
  page: Page,
  maxRows: number,
): Promise<{ rows: DirectoryRecord[]; isComplete: boolean }> => {
  const end = await findBudgetEnd(tx, page, maxRows);
  const rows = await scanIndex(tx, page, end === null ? [] : [beforeCursor(page.sorting, end)]);
  return { rows, isComplete: end === null || rows.length === page.limit };
};
