import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { DIRECTORY_SORTS, type DirectoryExport, type DirectoryQuery } from '@shortlist/contracts/api/public';
import * as limits from '@shortlist/contracts/limits';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import { timeZoneSchema, wholeNumber } from '@shortlist/contracts/schemas/text';
import type { Db } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import { cursorOf, decodeCursor, encodeCursor, listKeyOf, NEWEST_FIRST, sortingOf } from './cursor.ts';
import { exportDirectory, recordExport } from './export-directory.ts';
import { countDirectory, listDirectory, prepareSearch, presentRow } from './search.ts';

const limit = wholeNumber.min(1).max(limits.DIRECTORY_PAGE_MAX);
const oneOf = (values: readonly string[]) =>
  Joi.string()
    .valid(...values)
    .empty('');
const filters = {
  search: Joi.string().trim().max(limits.DIRECTORY_SEARCH_MAX).empty(''),
  plan: oneOf(['premium', 'free']),
  country: oneOf(COUNTRIES),
  joinedFrom: Joi.string().isoDate().empty(''),
  joinedTo: Joi.string().isoDate().empty(''),
  sort: oneOf(DIRECTORY_SORTS.flatMap((sort) => [sort, `-${sort}`])),
};
const page = Joi.object<DirectoryQuery, true>({
  ...filters,
  limit,
  cursor: Joi.string().max(1_000).empty(''),
});

export const addDirectoryEndpoints = (router: Router, parts: { db: Db; clock: Clock }): void => {
  const { db, clock } = parts;
  router.add(profileEndpoints.listDirectory, {
    roles: ['admin'],
    input: page,
    handle: async ({ input: { limit: size = limits.DIRECTORY_PAGE, cursor: text, ...query } }) => {
      const sorting = sortingOf(query.sort ?? NEWEST_FIRST);
      const listKey = listKeyOf(query);
      const cursor = text === undefined ? null : decodeCursor(text, sorting, listKey);
      if (text !== undefined && cursor === null) throw createError('request.stale_cursor');
      const now = clock();
      const search = await prepareSearch(db.manager, query, now);
      const [rows, count] = await Promise.all([
        listDirectory(db.manager, { search, sorting, cursor, limit: size + 1 }),
        countDirectory(db.manager, search),
      ]);
      const data = rows.slice(0, size).map((row) => presentRow(row, now));
      const last = rows.length > size ? rows[size - 1] : undefined;
      const next = last ? encodeCursor(cursorOf(last, sorting), listKey) : null;
      return { data, ...count, total: Math.max(count.total, data.length), next };
    },
  });

  router.add(profileEndpoints.listNewest, {
    roles: ['admin'],
    input: Joi.object<{ limit?: number }, true>({ limit: limit.max(limits.NEWEST_ON_PAGE) }),
    handle: async ({ input: { limit: size = limits.NEWEST_ON_PAGE } }) => {
      const now = clock();
      const search = await prepareSearch(db.manager, {}, now);
      const newest = { search, sorting: sortingOf(NEWEST_FIRST), cursor: null, limit: size };
      return { data: (await listDirectory(db.manager, newest)).map((row) => presentRow(row, now)) };
    },
  });

  router.add(profileEndpoints.exportDirectory, {
    roles: ['admin'],
    input: Joi.object<DirectoryExport, true>({ ...filters, timeZone: timeZoneSchema }),
    handle: async ({ input: { sort = NEWEST_FIRST, timeZone = 'UTC', ...query }, response, caller }) => {
      await recordExport(parts, caller, query);
      response.set({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="users.csv"',
        'x-content-type-options': 'nosniff',
      });
      await exportDirectory(parts, { filters: query, sorting: sortingOf(sort), timeZone, to: response });
      return '';
    },
  });
};
