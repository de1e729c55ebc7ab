import Joi from 'joi';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { DIRECTORY_SORTS, type DirectoryExport, type DirectoryQuery } from '@shortlist/contracts/api/public';
import {
  DIRECTORY_PAGE,
  DIRECTORY_PAGE_MAX,
  DIRECTORY_SEARCH_MAX,
  NEWEST_ON_PAGE,
} from '@shortlist/contracts/limits';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import { timeZoneSchema, wholeNumber } from '@shortlist/contracts/schemas/text';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Db } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import { countDirectory } from './count-directory.ts';
import { createTotals } from './count-totals.ts';
import {
  type Cursor,
  decodeCursor,
  encodeCursor,
  NEWEST_FIRST,
  type Sorting,
  sortingOf,
} from './cursor.rules.ts';
import { cursorOf } from './directory-row.ts';
import { exportDirectory } from './export-directory.ts';
import { listDirectory } from './list-directory.ts';
import { listKeyOf } from './list-key.ts';
import { presentRow } from './present.ts';
import { NO_FILTER, prepareSearch } from './query-plan.ts';
import { recordExport } from './record-export.ts';

type Parts = { db: Db; clock: Clock };

const limit = wholeNumber.min(1).max(DIRECTORY_PAGE_MAX);
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

const parseCursor = (text: string | undefined, sorting: Sorting, listKey: string): Cursor | null => {
  if (text === undefined) return null;
  const cursor = decodeCursor(text, sorting, listKey);
  if (cursor === null) throw createError('request.stale_cursor');
  return cursor;
};

const addListEndpoint = (router: Router, { db, clock }: Parts): void => {
  router.add(profileEndpoints.listDirectory, {
    roles: ['admin'],
    input: page,
    handle: async ({
      input: { sort = NEWEST_FIRST, limit: size = DIRECTORY_PAGE, cursor: text, ...query },
    }) => {
      const sorting = sortingOf(sort);
      const listKey = listKeyOf({ sort, ...query });
      const cursor = parseCursor(text, sorting, listKey);
      const now = clock();
      const search = await prepareSearch(db.manager, query, now);
      const [rows, count] = await Promise.all([
        listDirectory(db.manager, { search, sorting, cursor, limit: size + 1 }),
        countDirectory(db.manager, search),
      ]);
      const visibleRows = rows.slice(0, size);
      const last = rows.length > size ? visibleRows.at(-1) : undefined;
      return {
        data: visibleRows.map((row) => presentRow(row, now)),
        ...count,
        total: Math.max(count.total, visibleRows.length),
        next: last ? encodeCursor(cursorOf(last, sorting), listKey) : null,
      };
    },
  });
};

const addNewestEndpoint = (router: Router, { db, clock }: Parts): void => {
  router.add(profileEndpoints.listNewest, {
    roles: ['admin'],
    input: Joi.object<{ limit?: number }, true>({ limit: limit.max(NEWEST_ON_PAGE) }),
    handle: async ({ input: { limit: size = NEWEST_ON_PAGE } }) => {
      const rows = await listDirectory(db.manager, {
        search: NO_FILTER,
        sorting: sortingOf(NEWEST_FIRST),
        cursor: null,
        limit: size,
      });
      return { data: rows.map((row) => presentRow(row, clock())) };
    },
  });
};

const addTotalsEndpoint = (router: Router, parts: Parts): void => {
  const readTotals = createTotals(parts);
  router.add(profileEndpoints.countDirectory, {
    roles: ['admin'],
    input: Joi.object<Record<never, never>, true>({}),
    handle: async () => ({ data: await readTotals() }),
  });
};

const addExportEndpoint = (router: Router, parts: Parts): void => {
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

export const addDirectoryEndpoints = (router: Router, parts: Parts): void => {
  addListEndpoint(router, parts);
  addNewestEndpoint(router, parts);
  addTotalsEndpoint(router, parts);
  addExportEndpoint(router, parts);
};
