import Joi from 'joi';
import { profileDoors } from '@shortlist/contracts/api/profile';
import { DIRECTORY_SORTS, type DirectoryQuery } from '@shortlist/contracts/api/public';
import { DIRECTORY_PAGE, DIRECTORY_PAGE_MAX, NEWEST_ON_PAGE } from '@shortlist/contracts/limits';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import type { Clock } from '@shortlist/kit/clock';
import type { Db } from '@shortlist/kit/db';
import type { Doors } from '@shortlist/kit/doors';
import { coded } from '@shortlist/kit/errors';
import { presentDirectoryRow } from '../profiles/present.ts';
import { decodeCursor, encodeCursor, sortingOf } from './directory.rules.ts';
import { countDirectory, cursorOf, listDirectory, NEWEST_FIRST } from './queries.ts';

const limit = Joi.number().integer().min(1).max(DIRECTORY_PAGE_MAX);
const page = Joi.object<DirectoryQuery, true>({
  search: Joi.string().trim().max(100).empty(''),
  plan: Joi.string().valid('premium', 'free').empty(''),
  country: Joi.string()
    .valid(...COUNTRIES)
    .empty(''),
  joinedFrom: Joi.string().isoDate().empty(''),
  joinedTo: Joi.string().isoDate().empty(''),
  sort: Joi.string()
    .valid(...DIRECTORY_SORTS.flatMap((sort) => [sort, `-${sort}`]))
    .empty(''),
  limit,
  cursor: Joi.string().max(1_000).empty(''),
});

export const addDirectoryDoors = (doors: Doors, { db, clock }: { db: Db; clock: Clock }): void => {
  doors.add(profileDoors.listDirectory, {
    roles: ['admin'],
    input: page,
    answer: async ({
      input: { sort = NEWEST_FIRST, limit: size = DIRECTORY_PAGE, cursor: text, ...filters },
    }) => {
      const sorting = sortingOf(sort);
      const cursor = text === undefined ? null : decodeCursor(text, sorting);
      if (text !== undefined && cursor === null)
        throw coded('request.invalid', { fields: { cursor: 'This page is no longer there' } });
      const now = clock();
      const [rows, total] = await Promise.all([
        listDirectory(db.manager, { filters, sorting, cursor, limit: size + 1, now }),
        countDirectory(db.manager, filters, now),
      ]);
      const shown = rows.slice(0, size);
      const last = shown.at(-1);
      return {
        data: shown.map((row) => presentDirectoryRow(row, now)),
        total,
        next: rows.length > size && last ? encodeCursor(cursorOf(last, sorting)) : null,
      };
    },
  });

  doors.add(profileDoors.listNewest, {
    roles: ['admin'],
    input: Joi.object<{ limit?: number }, true>({ limit: limit.max(NEWEST_ON_PAGE) }),
    answer: async ({ input }) => {
      const now = clock();
      const newest = {
        filters: {},
        sorting: sortingOf(NEWEST_FIRST),
        cursor: null,
        limit: input.limit ?? NEWEST_ON_PAGE,
        now,
      };
      const rows = await listDirectory(db.manager, newest);
      return { data: rows.map((row) => presentDirectoryRow(row, now)) };
    },
  });
};
