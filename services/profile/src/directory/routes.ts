import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import * as limits from '@shortlist/contracts/limits';
import { fullName } from '@shortlist/contracts/messages';
import { csvHeaders } from '@shortlist/kit/data/csv.rules';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { cursorOf, decodeCursor, encodeCursor, listKeyOf, NEWEST_FIRST, sortingOf } from './cursor.ts';
import { listDeleted, listNames } from '../profiles/queries.ts';
import { exportDirectory, recordExport } from './export-directory.ts';
import { listFilters } from './filter-queries.ts';
import { removeFilter, saveFilter } from './save-filter.ts';
import { countDirectory, listDirectory, prepareSearch, presentRow } from './search.ts';

export const addFilterEndpoints = (router: Router, { db }: { db: Db }): void => {
  router.add(directoryEndpoints.listFilters, async ({ caller }) => {
    const rows = await listFilters(db.manager, caller.userId ?? '');
    return { data: rows.map(({ id, name, query }) => ({ id, name, query })) };
  });

  router.add(directoryEndpoints.saveFilter, async ({ input, caller }) => {
    await inTransaction(db, (tx) => saveFilter(tx, input, caller.userId ?? ''));
    return {};
  });

  router.add(directoryEndpoints.removeFilter, async ({ input, caller }) => {
    await inTransaction(db, (tx) => removeFilter(tx, input.filterId, caller.userId ?? ''));
    return {};
  });
};

export const addDirectoryEndpoints = (router: Router, parts: { db: Db; clock: Clock }): void => {
  const { db, clock } = parts;
  router.add(
    directoryEndpoints.listDirectory,
    async ({ input: { limit: size = limits.DIRECTORY_PAGE, cursor: text, ...query } }) => {
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
  );

  router.add(directoryEndpoints.listNames, async ({ input }) => {
    const ids = input.ids.split(',');
    const [names, deleted] = await Promise.all([listNames(db.manager, ids), listDeleted(db.manager, ids)]);
    const present = (row: (typeof names)[number]) => ({ id: row.id, name: fullName(row), email: row.email });
    return { data: names.map(present), deleted };
  });

  router.add(directoryEndpoints.listNewest, async ({ input: { limit: size = limits.NEWEST_ON_PAGE } }) => {
    const now = clock();
    const search = await prepareSearch(db.manager, {}, now);
    const newest = { search, sorting: sortingOf(NEWEST_FIRST), cursor: null, limit: size };
    return { data: (await listDirectory(db.manager, newest)).map((row) => presentRow(row, now)) };
  });

  router.add(
    directoryEndpoints.exportDirectory,
    async ({ input: { sort = NEWEST_FIRST, timeZone = 'UTC', ids, ...query }, response, caller }) => {
      const filters = ids === undefined ? query : { search: ids.replaceAll(',', ' ') };
      await recordExport(parts, caller, filters);
      response.set(csvHeaders('users.csv'));
      await exportDirectory(parts, { filters, sorting: sortingOf(sort), timeZone, to: response });
      return '';
    },
  );
};
