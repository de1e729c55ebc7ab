// A row of the directory and the sort order, in the SQL that the index scan and the merge share. It is written by hand: the
// statements are hot, and the builder lacks FORCE INDEX and STRAIGHT_JOIN.
import { type ListedFieldName, mapFields, profileFields } from '@shortlist/contracts/profile-fields';
import { instant, nullable, type RowOf, text } from '@shortlist/kit/data/sql';
import { afterCursor, type Condition, type Cursor, type Sorting } from './cursor.rules.ts';
import type { Search } from './query-plan.ts';

const listedFields = profileFields.filter(({ csvHeader }) => csvHeader !== null);
const listedShape = mapFields(listedFields, () => text) as Record<ListedFieldName, typeof text>;

export const DIRECTORY_ROW = {
  ...listedShape,
  id: text,
  email: text,
  picture: nullable(text),
  createdAt: instant,
  premiumUntil: nullable(instant),
};
export type DirectoryRecord = RowOf<typeof DIRECTORY_ROW>;

export const COLUMNS = [
  ...listedFields.map(({ name, column }) => `p.${column} AS ${name}`),
  ...[
    'p.user_id AS id',
    'p.email',
    'p.picture',
    'p.created_at AS createdAt',
    'p.premium_until AS premiumUntil',
  ],
].join(', ');

export type Page = { search: Search; sorting: Sorting; cursor: Cursor | null; limit: number };

export const orderOf = ({ columns, descending }: Sorting): string =>
  [...columns, 'user_id'].map((column) => `p.${column} ${descending ? 'DESC' : 'ASC'}`).join(', ');

export const afterPageCursor = ({ sorting, cursor }: Page): Condition[] =>
  cursor === null ? [] : [afterCursor(sorting, cursor)];

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

/** The cursor of the page after this row. */
export const cursorOf = (row: DirectoryRecord, { columns }: Sorting): Cursor => ({
  values: columns.map((column) => textOf(row[PROPERTIES[column] ?? 'createdAt'])),
  id: row.id,
});
