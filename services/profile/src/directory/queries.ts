import type { DirectoryQuery, DirectorySort } from '@shortlist/contracts/api/public';
import type { Tx } from '@shortlist/kit/db';
import type { SelectQueryBuilder } from 'typeorm';
import { profileEntity, type ProfileRow } from '../profiles/profile.entity.ts';
import { containing, type Cursor, type Sorting } from './directory.rules.ts';

type Query = SelectQueryBuilder<ProfileRow>;
export type Filters = Pick<DirectoryQuery, 'search' | 'plan' | 'country' | 'joinedFrom' | 'joinedTo'>;

const filtered = (tx: Tx, filters: Filters, now: Date): Query => {
  const query = tx.createQueryBuilder(profileEntity, 'p');
  if (filters.country) query.andWhere('p.country = :country', { country: filters.country });
  if (filters.joinedFrom) query.andWhere('p.created_at >= :from', { from: new Date(filters.joinedFrom) });
  if (filters.joinedTo) query.andWhere('p.created_at < :to', { to: new Date(filters.joinedTo) });
  if (filters.plan === 'premium') query.andWhere('p.premium_until > :now', { now });
  if (filters.plan === 'free')
    query.andWhere('(p.premium_until IS NULL OR p.premium_until <= :now)', { now });
  if (filters.search) {
    query.andWhere(
      `(CONCAT(p.first_name, ' ', p.last_name) LIKE :like OR p.email LIKE :like OR p.organization_name LIKE :like)`,
      { like: containing(filters.search) },
    );
  }
  return query;
};

export const countDirectory = (tx: Tx, filters: Filters, now: Date): Promise<number> =>
  filtered(tx, filters, now).getCount();

const afterCursor = (query: Query, { columns, descending }: Sorting, cursor: Cursor): void => {
  const names = [...columns, 'user_id'].map((column) => `p.${column}`).join(', ');
  const marks = cursor.values.map((_, index) => `:value${index}`);
  query.andWhere(`(${names}) ${descending ? '<' : '>'} (${[...marks, ':id'].join(', ')})`, {
    ...Object.fromEntries(cursor.values.map((value, index) => [`value${index}`, value])),
    id: cursor.id,
  });
};

const PROPERTIES: Record<string, keyof ProfileRow> = {
  created_at: 'createdAt',
  first_name: 'firstName',
  last_name: 'lastName',
  email: 'email',
  organization_name: 'organizationName',
  country: 'country',
};

const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString().replace('T', ' ').replace('Z', '') : String(value);

/** The cursor that a next page would begin after. */
export const cursorOf = (row: ProfileRow, { columns }: Sorting): Cursor => ({
  values: columns.map((column) => textOf(row[PROPERTIES[column] ?? 'createdAt'])),
  id: row.id,
});

export const listDirectory = (
  tx: Tx,
  {
    filters,
    sorting,
    cursor,
    limit,
    now,
  }: { filters: Filters; sorting: Sorting; cursor: Cursor | null; limit: number; now: Date },
): Promise<ProfileRow[]> => {
  const query = filtered(tx, filters, now).limit(limit);
  if (cursor) afterCursor(query, sorting, cursor);
  const direction = sorting.descending ? 'DESC' : 'ASC';
  for (const column of sorting.columns) query.addOrderBy(`p.${PROPERTIES[column] ?? 'createdAt'}`, direction);
  return query.addOrderBy('p.id', direction).getMany();
};

export const NEWEST_FIRST: DirectorySort = '-createdAt';
