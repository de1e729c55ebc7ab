import { DIRECTORY_COUNT_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/db';
import { afterCursor, type Condition, type Cursor, type Sorting } from './directory.rules.ts';
import { conditionsOf, type Filters, narrow } from './filters.ts';

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

/** A search that has been looked at once: what rows must satisfy, and who is left when that is few. */
export type Search = { conditions: Condition[]; isNarrow: boolean };

export const prepareSearch = async (tx: Tx, filters: Filters, now: Date): Promise<Search> => {
  const conditions = conditionsOf(filters, now);
  const few = await narrow(tx, filters, now);
  if (few === null) return { conditions, isNarrow: false };
  // An empty IN () is no SQL; nobody has this id.
  const among = { sql: 'p.user_id IN (?)', values: [few.length > 0 ? few : ['']] };
  return { conditions: [among, ...conditions], isNarrow: true };
};

const where = (conditions: Condition[]): Condition =>
  conditions.length === 0
    ? { sql: '', values: [] }
    : {
        sql: `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
        values: conditions.flatMap(({ values }) => values),
      };

/** How many there are, counted no further than a person would read. */
export const countDirectory = async (
  tx: Tx,
  { conditions }: Search,
): Promise<{ total: number; isCapped: boolean }> => {
  const { sql, values } = where(conditions);
  const [row]: { counted: number }[] = await tx.query(
    `SELECT COUNT(*) AS counted FROM (SELECT 1 FROM profiles p ${sql} LIMIT ?) AS met`,
    [...values, DIRECTORY_COUNT_MAX + 1],
  );
  const counted = Number(row?.counted ?? 0);
  return { total: Math.min(counted, DIRECTORY_COUNT_MAX), isCapped: counted > DIRECTORY_COUNT_MAX };
};

const INDEXES: Record<string, string> = {
  created_at: 'profiles_created',
  first_name: 'profiles_name',
  email: 'profiles_email',
  organization_name: 'profiles_organization',
  country: 'profiles_country',
};

// Left to itself the optimiser now and then reads and sorts everything instead of walking the index that is in order.
const hint = ({ isNarrow }: Search, { columns }: Sorting): string =>
  isNarrow ? '' : `FORCE INDEX (${INDEXES[columns[0] ?? ''] ?? 'profiles_created'})`;

const COLUMNS = `p.user_id AS id, p.email, p.first_name AS firstName, p.last_name AS lastName,
  p.organization_name AS organizationName, p.country, p.picture, p.created_at AS createdAt, p.premium_until AS premiumUntil`;

type Page = { search: Search; sorting: Sorting; cursor: Cursor | null; limit: number };

export const listDirectory = (
  tx: Tx,
  { search, sorting, cursor, limit }: Page,
): Promise<DirectoryRecord[]> => {
  const conditions =
    cursor === null ? search.conditions : [...search.conditions, afterCursor(sorting, cursor)];
  const { sql, values } = where(conditions);
  const direction = sorting.descending ? 'DESC' : 'ASC';
  const order = [...sorting.columns, 'user_id'].map((column) => `p.${column} ${direction}`).join(', ');
  return tx.query(
    `SELECT ${COLUMNS} FROM profiles p ${hint(search, sorting)} ${sql} ORDER BY ${order} LIMIT ?`,
    [...values, limit],
  );
};

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
