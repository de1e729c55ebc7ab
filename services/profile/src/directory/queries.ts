import { DIRECTORY_COUNT_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/db';
import { afterCursor, type Condition, type Cursor, type Sorting } from './directory.rules.ts';
import { type Filters, type Wish, wishesOf } from './filters.ts';
import { EVERY, GATHERED_MAX, LOOKED_MAX, roadTo, SHORT_LIST } from './search.rules.ts';

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

/** A wish and about how many meet it. */
type SizedWish = Wish & { size: number };
/** What is asked for, shortest list first, and about how many people there are. */
export type Search = { wishes: SizedWish[]; everybody: number };

export const EVERYBODY: Search = { wishes: [], everybody: 0 };

const join = (parts: readonly Condition[], glue: string): Condition => ({
  sql: parts.map(({ sql }) => sql).join(glue),
  values: parts.flatMap(({ values }) => values),
});

/** Looks at a search once: the database's own estimates, made from a few pages of each index. */
export const prepareSearch = async (tx: Tx, filters: Filters, now: Date): Promise<Search> => {
  const wishes = wishesOf(filters, now);
  if (wishes.length === 0) return EVERYBODY;
  const whole = { sql: 'SELECT user_id FROM profiles', values: [] };
  const { sql, values } = join([whole, ...wishes.map(({ list }) => list)], ' UNION ALL ');
  const estimates: { rows: number | null }[] = await tx.query(`EXPLAIN ${sql}`, values);
  const [everybody = 0, ...sizes] = estimates.map(({ rows }) => Number(rows ?? 0));
  // InnoDB doubles what it finds in a range that it has only sampled.
  const known = wishes.map((wish, index) => ({ ...wish, size: Math.ceil((sizes[index] ?? 0) / 2) }));
  return { wishes: known.toSorted((one, other) => one.size - other.size), everybody };
};

/** The conditions for people whose id is the column `id`. */
const whereAll = (conditions: readonly Condition[], id = 'p.user_id'): Condition => {
  const { sql, values } = join(conditions, ' AND ');
  return { sql: sql === '' ? '' : `WHERE ${sql.replaceAll('@id', id)}`, values };
};

/** How many times longer a list may be than the people at hand before it is cheaper to probe for each of them. */
const LONGER = 4;

const checksOf = (wishes: readonly SizedWish[], atHand: number): Condition[] =>
  wishes.map(({ check, probe, size }) => (size > atHand * LONGER ? probe : check));

/** The people of a list, `limit` at most. */
const listed = ({ list }: Wish, limit: number): Condition => ({
  sql: `(SELECT DISTINCT user_id FROM (${list.sql}) AS listed LIMIT ?) AS among`,
  values: [...list.values, limit],
});

const NO_WISH: SizedWish = {
  list: { sql: 'SELECT user_id FROM profiles', values: [] },
  check: { sql: 'TRUE', values: [] },
  probe: { sql: 'TRUE', values: [] },
  size: 0,
};

const GATHER = 'STRAIGHT_JOIN profiles p ON p.user_id = among.user_id';

/**
 * How many there are, counted no further than a person would read, and with several wishes no further than the shortest list
 * is quickly looked through.
 */
export const countDirectory = async (
  tx: Tx,
  { wishes: [first = NO_WISH, ...others] }: Search,
): Promise<{ total: number; isCapped: boolean }> => {
  const most = others.length === 0 ? DIRECTORY_COUNT_MAX : LOOKED_MAX;
  const among = listed(first, most + 1);
  const { sql, values } = whereAll(checksOf(others, Math.min(first.size, most)), 'among.user_id');
  const listedOnly = {
    sql: `SELECT COUNT(*) AS looked, COUNT(*) AS met FROM ${among.sql}`,
    values: among.values,
  };
  const checked = {
    sql: `SELECT (SELECT COUNT(*) FROM ${among.sql}) AS looked, (SELECT COUNT(*) FROM ${among.sql} ${GATHER} ${sql}) AS met`,
    values: [...among.values, ...among.values, ...values],
  };
  const question = others.length === 0 ? listedOnly : checked;
  const [row]: { looked: number; met: number }[] = await tx.query(question.sql, question.values);
  const [looked, met] = [Number(row?.looked), Number(row?.met)];
  return { total: Math.min(met, DIRECTORY_COUNT_MAX), isCapped: looked > most || met > DIRECTORY_COUNT_MAX };
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

/** Wishes that the order itself fulfils by where it begins and ends, and those that each row is checked for. */
const partsFor = ({ search: { wishes }, sorting }: Page): { inOrder: SizedWish[]; others: SizedWish[] } => ({
  inOrder: wishes.filter(({ column }) => column !== undefined && column === sorting.columns[0]),
  others: wishes.filter(({ column }) => column === undefined || column !== sorting.columns[0]),
});

const shortestOf = ({ search }: Page): number => search.wishes[0]?.size ?? search.everybody;

const after = ({ sorting, cursor }: Page): Condition[] =>
  cursor === null ? [] : [afterCursor(sorting, cursor)];

/** The rows of a page whose ids are known: the columns are fetched for these alone, not for all that were sorted. */
const rowsOf = (tx: Tx, page: Page, ids: Condition): Promise<DirectoryRecord[]> =>
  tx.query(
    `SELECT ${COLUMNS} FROM (${ids.sql}) AS found STRAIGHT_JOIN profiles p ON p.user_id = found.user_id
     ORDER BY ${orderOf(page.sorting)}`,
    ids.values,
  );

const gather = (tx: Tx, page: Page): Promise<DirectoryRecord[]> => {
  const [first = NO_WISH, ...others] = page.search.wishes;
  const among = listed(first, EVERY);
  const { sql, values } = whereAll([...checksOf(others, first.size), ...after(page)], 'among.user_id');
  return rowsOf(tx, page, {
    sql: `SELECT among.user_id FROM ${among.sql} ${GATHER} ${sql} ORDER BY ${orderOf(page.sorting)} LIMIT ?`,
    values: [...among.values, ...values, page.limit],
  });
};

/** Walks the order to its end if need be. */
const walk = (tx: Tx, page: Page): Promise<DirectoryRecord[]> => {
  const { sql, values } = whereAll([...page.search.wishes.map(({ probe }) => probe), ...after(page)]);
  const order = orderOf(page.sorting);
  return tx.query(`SELECT ${COLUMNS} FROM ${inOrder(page.sorting)} ${sql} ORDER BY ${order} LIMIT ?`, [
    ...values,
    page.limit,
  ]);
};

const walkSome = (tx: Tx, page: Page, steps: number): Promise<DirectoryRecord[]> => {
  const { inOrder: bounds, others } = partsFor(page);
  const begin = whereAll([...bounds.map(({ check }) => check), ...after(page)]);
  const checks = whereAll(checksOf(others, steps), 'among.user_id');
  const order = orderOf(page.sorting);
  return rowsOf(tx, page, {
    sql: `SELECT among.user_id FROM
       (SELECT p.user_id FROM ${inOrder(page.sorting)} ${begin.sql} ORDER BY ${order} LIMIT ?) AS among
       ${GATHER} ${checks.sql} ORDER BY ${order} LIMIT ?`,
    values: [...begin.values, steps, ...checks.values, page.limit],
  });
};

/** A page of those who meet all wishes, in order. */
export const listDirectory = async (tx: Tx, page: Page): Promise<DirectoryRecord[]> => {
  const { others } = partsFor(page);
  if (others.length === 0) return walk(tx, page);
  const sizes = others.map(({ size }) => size);
  const road = roadTo(page.limit, { sizes, shortest: shortestOf(page), everybody: page.search.everybody });
  if (road === 'gather') return gather(tx, page);
  const found = await walkSome(tx, page, road.steps);
  if (found.length === page.limit) return found;
  return shortestOf(page) <= GATHERED_MAX ? gather(tx, page) : walk(tx, page);
};

/** The same for a reader who takes page after page to the end: each road is gone once as a whole, not anew for every page. */
export const listWhole = (tx: Tx, page: Page): Promise<DirectoryRecord[]> =>
  page.search.wishes.length > 0 && shortestOf(page) <= SHORT_LIST ? gather(tx, page) : walk(tx, page);

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
