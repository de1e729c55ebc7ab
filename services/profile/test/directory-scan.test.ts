import { DIRECTORY_SORTS, type DirectorySort } from '@shortlist/contracts/api/directory';
import { days } from '@shortlist/contracts/durations';
import type { Tx } from '@shortlist/kit/data/db';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../src/db.ts';
import { cursorOf, sortingOf } from '../src/directory/cursor.ts';
import { listDirectory, prepareSearch } from '../src/directory/search.ts';
import { insertProfileIfAbsent } from '../src/profiles/queries.ts';
import { newId, profileFields } from './users.ts';

const { db, drop } = await createTestDb(schema);
afterAll(drop);

const USERS = 400;
const SCAN_ROWS = 60;
const NOW = new Date('2026-06-01T00:00:00.000Z');

beforeAll(async () => {
  for (let index = 0; index < USERS; index += 1) {
    const id = newId();
    await insertProfileIfAbsent(db.manager, {
      ...profileFields,
      id,
      email: `${id}@talent.test`,
      picture: null,
      roleType: '',
      terms: ' ana',
      // Few values, so that the scan ends among rows with equal values.
      firstName: `First ${index % 3}`,
      lastName: `Last ${index % 5}`,
      country: `Country ${index % 2}`,
      createdAt: new Date(NOW.getTime() - days(index % 7)),
      version: 1,
      planVersion: 0,
      emailVersion: 1,
      premiumUntil: null,
      paymentProblem: null,
    });
  }
  await db.query('ANALYZE TABLE profiles');
});

/** The rows of indexes that the session has read in order so far. */
const rowsRead = async (tx: Tx): Promise<number> => {
  const rows = await tx.query<{ Variable_name: string; Value: string }[]>(
    "SHOW SESSION STATUS WHERE Variable_name IN ('Handler_read_next', 'Handler_read_prev')",
  );
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
};

const SORTS = DIRECTORY_SORTS.flatMap((sort) => [sort, `-${sort}` as DirectorySort]);

it.each(SORTS)('a search that finds nothing by %s reads only a limited part of the order', async (sort) => {
  const sorting = sortingOf(sort);
  await db.transaction(async (tx) => {
    const everyUser = await prepareSearch(tx, {}, NOW);
    const all = await listDirectory(tx, { search: everyUser, sorting, cursor: null, limit: USERS });
    const search = { ...(await prepareSearch(tx, { search: 'unknown' }, NOW)), scanRows: SCAN_ROWS };
    for (const last of [null, all[30]]) {
      const cursor = last ? cursorOf(last, sorting) : null;
      const before = await rowsRead(tx);
      expect(await listDirectory(tx, { search, sorting, cursor, limit: 20 })).toEqual([]);
      // The keys of the order up to the end, and the rows up to it; no row has the term.
      expect((await rowsRead(tx)) - before).toBeLessThanOrEqual(2 * SCAN_ROWS);
    }
  });
});
