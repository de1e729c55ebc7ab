import Joi from 'joi';
import { profileDoors } from '@shortlist/contracts/api/profile';
import { DIRECTORY_SORTS, type DirectoryExport, type DirectoryQuery } from '@shortlist/contracts/api/public';
import {
  DIRECTORY_PAGE,
  DIRECTORY_PAGE_MAX,
  DIRECTORY_SEARCH_MAX,
  NEWEST_ON_PAGE,
} from '@shortlist/contracts/limits';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import { timeZoneSchema } from '@shortlist/contracts/schemas/text';
import type { Clock } from '@shortlist/kit/clock';
import type { Db } from '@shortlist/kit/db';
import type { Doors } from '@shortlist/kit/doors';
import { coded } from '@shortlist/kit/errors';
import {
  type Cursor,
  decodeCursor,
  encodeCursor,
  NEWEST_FIRST,
  type Sorting,
  sortingOf,
} from './directory.rules.ts';
import { exportDirectory } from './export-directory.ts';
import { presentRow } from './present.ts';
import { cursorOf, listDirectory } from './queries.ts';
import { countDirectory, EVERYBODY, prepareSearch } from './search.ts';

type Parts = { db: Db; clock: Clock };

const limit = Joi.number().integer().min(1).max(DIRECTORY_PAGE_MAX);
const filters = {
  search: Joi.string().trim().max(DIRECTORY_SEARCH_MAX).empty(''),
  plan: Joi.string().valid('premium', 'free').empty(''),
  country: Joi.string()
    .valid(...COUNTRIES)
    .empty(''),
  joinedFrom: Joi.string().isoDate().empty(''),
  joinedTo: Joi.string().isoDate().empty(''),
  sort: Joi.string()
    .valid(...DIRECTORY_SORTS.flatMap((sort) => [sort, `-${sort}`]))
    .empty(''),
};
const page = Joi.object<DirectoryQuery, true>({
  ...filters,
  limit,
  cursor: Joi.string().max(1_000).empty(''),
});

const readCursor = (text: string | undefined, sorting: Sorting): Cursor | null => {
  if (text === undefined) return null;
  const cursor = decodeCursor(text, sorting);
  if (cursor === null) throw coded('request.invalid', { fields: { cursor: 'This page is no longer there' } });
  return cursor;
};

const addListDoor = (doors: Doors, { db, clock }: Parts): void => {
  doors.add(profileDoors.listDirectory, {
    roles: ['admin'],
    input: page,
    answer: async ({
      input: { sort = NEWEST_FIRST, limit: size = DIRECTORY_PAGE, cursor: text, ...asked },
    }) => {
      const sorting = sortingOf(sort);
      const cursor = readCursor(text, sorting);
      const now = clock();
      const search = await prepareSearch(db.manager, asked, now);
      const [rows, count] = await Promise.all([
        listDirectory(db.manager, { search, sorting, cursor, limit: size + 1 }),
        countDirectory(db.manager, search),
      ]);
      const shown = rows.slice(0, size);
      const last = rows.length > size ? shown.at(-1) : undefined;
      return {
        data: shown.map((row) => presentRow(row, now)),
        ...count,
        total: Math.max(count.total, shown.length),
        next: last ? encodeCursor(cursorOf(last, sorting)) : null,
      };
    },
  });
};

const addNewestDoor = (doors: Doors, { db, clock }: Parts): void => {
  doors.add(profileDoors.listNewest, {
    roles: ['admin'],
    input: Joi.object<{ limit?: number }, true>({ limit: limit.max(NEWEST_ON_PAGE) }),
    answer: async ({ input: { limit: size = NEWEST_ON_PAGE } }) => {
      const rows = await listDirectory(db.manager, {
        search: EVERYBODY,
        sorting: sortingOf(NEWEST_FIRST),
        cursor: null,
        limit: size,
      });
      return { data: rows.map((row) => presentRow(row, clock())) };
    },
  });
};

const addExportDoor = (doors: Doors, parts: Parts): void => {
  doors.add(profileDoors.exportDirectory, {
    roles: ['admin'],
    input: Joi.object<DirectoryExport, true>({ ...filters, timeZone: timeZoneSchema }),
    answer: async ({ input: { sort = NEWEST_FIRST, timeZone = 'UTC', ...asked }, response }) => {
      response.set({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="users.csv"',
        'x-content-type-options': 'nosniff',
      });
      await exportDirectory(parts, { filters: asked, sorting: sortingOf(sort), timeZone, to: response });
      return '';
    },
  });
};

export const addDirectoryDoors = (doors: Doors, parts: Parts): void => {
  addListDoor(doors, parts);
  addNewestDoor(doors, parts);
  addExportDoor(doors, parts);
};
