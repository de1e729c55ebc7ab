import type { Tx } from '@shortlist/kit/data/db';
import { afterCursor, type Condition, type Cursor, type Sorting } from './directory.rules.ts';
import { NO_WISH, type Search, type SizedWish, whereAll } from './search.ts';
import { EVERY, isGatherable, isShort, roadTo } from './search.rules.ts';

export type DirectoryRecord = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  organizationName: string;
  country: string;
  picture: string | null;
  createdAt: Date;
  premiumUntil: Date | null;
};

const INDEXES: Record<string, string> = {
  created_at: 'profiles_created',
  first_name: 'profiles_name',
  email: 'profiles_email',
  organization_name: 'profiles_organization',
  country: 'profiles_country',
};

const COLUMNS = `p.user_id AS id, p.email, p.first_name AS firstName, p.last_name AS lastName,
  p.organization_name AS organizationName, p.country, p.picture, p.created_at AS createdAt, p.premium_until AS premiumUntil`;

// Left to itself the optimiser now and then reads and sorts everything instead of walking the index that is in order.
const inOrder = ({ columns }: Sorting): string =>
  `profiles p FORCE INDEX (${INDEXES[columns[0] ?? ''] ?? 'profiles_created'})`;

const orderOf = ({ columns, descending }: Sorting): string =>
  [...columns, 'user_id'].map((column) => `p.${column} ${descending ? 'DESC' : 'ASC'}`).join(', ');

type Page = { search: Search; sorting: Sorting; cursor: Cursor | null; limit: number };

const after = ({ sorting, cursor }: Page): Condition[] =>
  cursor === null ? [] : [afterCursor(sorting, cursor)];

/** The rows of a page whose ids are known: the columns are fetched for these alone, not for all that were sorted. */
const rowsOf = (tx: Tx, page: Page, ids: Condition): Promise<DirectoryRecord[]> =>
  tx.query(
    `SELECT ${COLUMNS} FROM (${ids.sql}) AS found STRAIGHT_JOIN profiles p ON p.user_id = found.user_id
     ORDER BY ${orderOf(page.sorting)}`,
    ids.values,
  );

/** Room for people who are on a word's list several times. */
const REPEATS = 3;

const gather = async (tx: Tx, page: Page, repeats = REPEATS): Promise<DirectoryRecord[]> => {
  const [first = NO_WISH, ...others] = page.search.wishes;
  const { sql, values } = whereAll([first.list, ...others.map(({ check }) => check), ...after(page)]);
  const most = first.isWord ? Math.min(page.limit * repeats, EVERY) : page.limit;
  const rows = await rowsOf(tx, page, {
    sql: `SELECT p.user_id FROM ${first.from} ${sql} ORDER BY ${orderOf(page.sorting)} LIMIT ?`,
    values: [...values, most],
  });
  const people = rows.filter(({ id }, index) => id !== rows[index - 1]?.id);
  const isAll = rows.length < most || people.length >= page.limit;
  return isAll ? people.slice(0, page.limit) : gather(tx, page, repeats * 10);
};

/** Walks the order until the page is full, and no further than `steps` rows: what it has found by then is not all there is. */
const walk = (tx: Tx, page: Page, steps: number = EVERY): Promise<DirectoryRecord[]> => {
  const { sql, values } = whereAll([...page.search.wishes.map(({ check }) => check), ...after(page)]);
  const order = orderOf(page.sorting);
  return tx.query(
    `SELECT ${COLUMNS} FROM ${inOrder(page.sorting)} ${sql} ORDER BY ${order} LIMIT ? ROWS EXAMINED ?`,
    [...values, page.limit, steps],
  );
};

/** Wishes that a walk checks; the others are fulfilled by where the order begins and ends. */
const checkedBy = ({ search: { wishes }, sorting }: Page): SizedWish[] =>
  wishes.filter(({ column }) => column === undefined || column !== sorting.columns[0]);

/** A page of those who meet all wishes, in order. */
export const listDirectory = async (tx: Tx, page: Page): Promise<DirectoryRecord[]> => {
  const checked = checkedBy(page);
  if (checked.length === 0) return walk(tx, page);
  const columns = page.sorting.columns.length;
  const road = roadTo(page.search, { limit: page.limit, columns, checked });
  if (road === 'gather') return gather(tx, page);
  const found = await walk(tx, page, road.steps);
  if (found.length === page.limit) return found;
  return isGatherable(page.search, columns) ? gather(tx, page) : walk(tx, page);
};

/** The same for a reader who takes page after page to the end: each road is gone once as a whole, not anew for every page. */
export const listWhole = (tx: Tx, page: Page): Promise<DirectoryRecord[]> =>
  page.search.wishes.length > 0 && isShort(page.search, page.sorting.columns.length)
    ? gather(tx, page)
    : walk(tx, page);

const PROPERTIES: Record<string, keyof DirectoryRecord> = {
  created_at: 'createdAt',
  first_name: 'firstName',
  last_name: 'lastName',
  email: 'email',
  organization_name: 'organizationName',
  country: 'country',
};

const textOf = (value: DirectoryRecord[keyof DirectoryRecord]): string =>
  value instanceof Date ? value.toISOString().slice(0, 23).replace('T', ' ') : String(value);

/** The cursor that a next page would begin after. */
export const cursorOf = (row: DirectoryRecord, { columns }: Sorting): Cursor => ({
  values: columns.map((column) => textOf(row[PROPERTIES[column] ?? 'createdAt'])),
  id: row.id,
});
