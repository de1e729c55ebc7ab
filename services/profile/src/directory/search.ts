// A search of the directory. Each word and each filter is a range of an index, and the database estimates its rows. A short range is read
// whole: the other conditions are checked on its rows, and the rest is sorted. When no range is short, matches are expected to be frequent, and
// the index of the requested order is read until the page is full. Because all matches may be at the far end of the order, this reads at most a
// tenth as many rows as the range has; after that, the range is read whole. Decision 10 has the figures.
import type { DirectoryQuery, DirectoryRow } from '@shortlist/contracts/api/directory';
import { DIRECTORY_COUNT_MAX, USER_ID } from '@shortlist/contracts/limits';
import { PAYMENT_PROBLEMS } from '@shortlist/contracts/plan';
import { type ListedFieldName, listedFields, mapFields } from '@shortlist/contracts/profile-fields';
import type { Tx } from '@shortlist/kit/data/db';
import * as sql from '@shortlist/kit/data/sql';
import { parseSearch } from '../profiles/terms.rules.ts';
import { beyond, type Condition, type Cursor, cursorOf, type Sorting } from './cursor.ts';

/** The estimated rows of a short range. InnoDB estimates a long range at twice its rows. */
const SHORT = 20_000;
const SCANNED_SHARE = 0.1;

export type Filters = Pick<
  DirectoryQuery,
  'search' | 'plan' | 'payment' | 'country' | 'joinedFrom' | 'joinedTo'
>;
/** A condition on users, both as a check of one row and as a range of a source. `column`: the column of profiles that it bounds. */
type Range = { check: Condition; source: string; range: Condition; column?: string };
/** `source` and `conditions` read the shortest range; `scanRows` of the order are read before it, and checked with `ranges`. */
export type Search = {
  ranges: readonly Range[];
  source: string;
  conditions: readonly Condition[];
  scanRows: number;
};
const NO_FILTER: Search = { ranges: [], source: 'profiles p', conditions: [], scanRows: 0 };

const PLANS = {
  premium: 'p.premium_until > ?',
  free: '(p.premium_until IS NULL OR p.premium_until <= ?)',
};
const IN_TROUBLE = 'p.payment_problem IS NOT NULL';
const PERIOD = 'p.created_at >= ? AND p.created_at < ?';

const likeOneOf = (column: string, values: readonly string[]): Condition => ({
  sql: `(${values.map(() => `${column} LIKE ?`).join(' OR ')})`,
  values: [...values],
});

/** The ranges of a searched text, all of which must match: whole ids, or the terms. */
const searchRanges = (search: string): Range[] => {
  const ids = search.trim().toLowerCase().split(/\s+/);
  if (ids.every((id) => USER_ID.test(id))) {
    const check = { sql: `p.user_id IN (${ids.map(() => '?').join(', ')})`, values: ids };
    return [{ check, source: 'profiles p FORCE INDEX (PRIMARY)', range: check }];
  }
  return parseSearch(search).map(({ terms, column, patterns }) => ({
    check: likeOneOf(`p.${column}`, patterns),
    source: 'directory_terms p FORCE INDEX (PRIMARY)',
    range: likeOneOf('p.term', terms),
  }));
};

const periodOf = ({ joinedFrom, joinedTo }: Filters): Date[] | null =>
  joinedFrom || joinedTo ? [new Date(joinedFrom ?? '1970-01-01'), new Date(joinedTo ?? '9999-12-31')] : null;

const rangesOf = ({ search = '', ...filters }: Filters, now: Date): Range[] => {
  const { plan, payment, country } = filters;
  const ranges = searchRanges(search);
  const add = (index: string, column: string, check: Condition): void =>
    void ranges.push({ check, source: `profiles p FORCE INDEX (${index})`, range: check, column });
  const period = periodOf(filters);
  if (country) add('profiles_country', 'country', { sql: 'p.country = ?', values: [country] });
  if (plan) add('profiles_premium', 'premium_until', { sql: PLANS[plan], values: [now] });
  if (payment) add('profiles_problem', 'payment_problem', { sql: IN_TROUBLE, values: [] });
  if (period) add('profiles_created', 'created_at', { sql: PERIOD, values: period });
  return ranges;
};

const where = (select: string, conditions: readonly Condition[]): Condition => ({
  sql: `${select} WHERE ${['TRUE', ...conditions.map((condition) => condition.sql)].join(' AND ')}`,
  values: conditions.flatMap(({ values }) => values),
});

const checksOf = (ranges: readonly Range[]): Condition[] => ranges.map(({ check }) => check);

type SizedRange = Range & { rows: number };

const shortest = (ranges: readonly SizedRange[]): SizedRange | undefined =>
  ranges.toSorted((a, b) => a.rows - b.rows)[0];

/** The range whose rows are read: a short one, otherwise that of a term, whose rows are adjacent, otherwise that of a filter. */
const rangeToRead = (ranges: readonly SizedRange[]): SizedRange | undefined =>
  shortest(ranges.filter(({ rows }) => rows <= SHORT)) ??
  shortest(ranges.filter(({ column }) => column === undefined)) ??
  shortest(ranges);

const estimate = async (tx: Tx, ranges: readonly Range[]): Promise<SizedRange[]> => {
  if (ranges.length === 0) return [];
  const rows = await sql.estimateRows(
    tx,
    ranges.map(({ source, range }) => where(`SELECT p.user_id FROM ${source}`, [range])),
  );
  return ranges.map((range, index) => ({ ...range, rows: rows[index] ?? 0 }));
};

export const prepareSearch = async (tx: Tx, filters: Filters, now: Date): Promise<Search> => {
  const ranges = await estimate(tx, rangesOf(filters, now));
  const first = rangeToRead(ranges);
  if (first === undefined) return NO_FILTER;
  const others = ranges.filter((range) => range !== first);
  const scanRows = first.rows <= SHORT ? 0 : Math.ceil(first.rows * SCANNED_SHARE);
  return { ranges, source: first.source, conditions: [first.range, ...checksOf(others)], scanRows };
};

const ROW = {
  ...(mapFields(listedFields, () => sql.text) as Record<ListedFieldName, typeof sql.text>),
  id: sql.text,
  email: sql.text,
  picture: sql.nullable(sql.text),
  createdAt: sql.instant,
  premiumUntil: sql.nullable(sql.instant),
  paymentProblem: sql.nullable(sql.oneOf(...PAYMENT_PROBLEMS)),
};
type Row = sql.RowOf<typeof ROW>;
const COLUMNS = [
  ...listedFields.map(({ name, column }) => `p.${column} AS ${name}`),
  'p.user_id AS id, p.email, p.picture, p.created_at AS createdAt, p.premium_until AS premiumUntil',
  'p.payment_problem AS paymentProblem',
].join(', ');

export const presentRow = ({ premiumUntil, createdAt, ...row }: Row, now: Date): DirectoryRow => ({
  ...row,
  createdAt: createdAt.toISOString(),
  plan: premiumUntil !== null && premiumUntil > now ? 'premium' : 'free',
});

export type Page = { search: Search; sorting: Sorting; cursor: Cursor | null; limit: number };

const orderOf = ({ columns, descending }: Sorting): string =>
  [...columns, 'user_id'].map((column) => `p.${column} ${descending ? 'DESC' : 'ASC'}`).join(', ');

type Part = { source: string; conditions: readonly Condition[]; limit: number; offset?: number };

/** Reads rows of a source in the order of the page, from its cursor on. */
const read = (tx: Tx, { sorting, cursor }: Page, { source, conditions, limit, offset = 0 }: Part) => {
  const after = cursor ? [beyond(sorting, cursor, 'after')] : [];
  const ids = where(`SELECT p.user_id FROM ${source}`, [...conditions, ...after]);
  const order = orderOf(sorting);
  // The derived table has only ids, so that the other columns are read only for the result and not for all sorted rows.
  return sql.selectRows(tx, ROW, {
    sql: `SELECT ${COLUMNS} FROM (${ids.sql} ORDER BY ${order} LIMIT ? OFFSET ?) AS found
      STRAIGHT_JOIN profiles p ON p.user_id = found.user_id ORDER BY ${order}`,
    values: [...ids.values, limit, offset],
  });
};

/** Reads the range whole, and sorts. A user has a row for each of several terms in it, so more rows are read than users. */
const collect = async (tx: Tx, page: Page, rowsPerUser = 3): Promise<Row[]> => {
  const limit = page.limit * rowsPerUser;
  const rows = await read(tx, page, { ...page.search, limit });
  const users = rows.filter(({ id }, index) => id !== rows[index - 1]?.id);
  if (rows.length < limit || users.length >= page.limit) return users.slice(0, page.limit);
  return collect(tx, page, rowsPerUser * 10);
};

// Without FORCE INDEX the optimizer sometimes reads and sorts the whole table.
const sourceOf = ({ index }: Sorting): string => `profiles p FORCE INDEX (${index})`;

const scan = (tx: Tx, page: Page, bounds: readonly Condition[] = []): Promise<Row[]> => {
  const conditions = [...checksOf(page.search.ranges), ...bounds];
  return read(tx, page, { source: sourceOf(page.sorting), conditions, limit: page.limit });
};

/** Scans as many rows of the order as the search allows, then collects if the page is not full. */
const scanFirst = async (tx: Tx, page: Page): Promise<Row[]> => {
  const { search, sorting, limit } = page;
  // The row at which the scan ends. Without the checks, this reads only the index, which costs far less than the rows.
  const conditions = checksOf(search.ranges.filter(({ column }) => column === sorting.columns[0]));
  const part = { source: sourceOf(sorting), conditions, limit: 1, offset: search.scanRows };
  const [end] = await read(tx, page, part);
  const rows = await scan(tx, page, end && [beyond(sorting, cursorOf(end, sorting), 'before')]);
  return end === undefined || rows.length === limit ? rows : collect(tx, page);
};

export const listDirectory = (tx: Tx, page: Page): Promise<Row[]> => {
  if (page.search.ranges.length === 0) return scan(tx, page);
  return page.search.scanRows === 0 ? collect(tx, page) : scanFirst(tx, page);
};

/** A page for a reader of all pages, which scans the order once instead of reading a long range for each page. */
export const listWhole = (tx: Tx, page: Page): Promise<Row[]> =>
  page.search.scanRows === 0 ? listDirectory(tx, page) : scan(tx, page);

export const countDirectory = async (tx: Tx, { source, conditions }: Search) => {
  const users = where(`SELECT DISTINCT p.user_id FROM ${source}`, conditions);
  const statement = `SELECT COUNT(*) AS matches FROM (${users.sql} LIMIT ?) AS counted`;
  const counted = { sql: statement, values: [...users.values, DIRECTORY_COUNT_MAX + 1] };
  const row = await sql.selectRow(tx, { matches: sql.integer }, counted);
  const matches = row?.matches ?? 0;
  return { total: Math.min(matches, DIRECTORY_COUNT_MAX), isCapped: matches > DIRECTORY_COUNT_MAX };
};
