import { DIRECTORY_SORTS, type DirectorySort } from '@shortlist/contracts/api/public';
import type { Tx } from '@shortlist/kit/data/db';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../src/db.ts';
import { sortingOf } from '../src/directory/cursor.rules.ts';
import { cursorOf } from '../src/directory/directory-row.ts';
import { scanIndex, scanIndexWithin } from '../src/directory/index-scan.ts';
import { type Filters, predicatesOf } from '../src/directory/predicates.ts';
import { insertProfileIfAbsent } from '../src/profiles/queries.ts';
import { newId, profileFields } from './users.ts';

const { db, drop } = await createTestDb(schema);
afterAll(drop);

const USERS = 400;
const MAX_ROWS = 60;
const NOW = new Date('2026-06-01T00:00:00.000Z');

beforeAll(async () => {
  for (let index = 0; index < USERS; index += 1) {
    const id = newId();
    await insertProfileIfAbsent(db.manager, {
      ...{ ...profileFields, id, email: `${id}@talent.test`, picture: null, roleType: '', terms: ' ana' },
      // Few values, so that the budget ends among rows with equal values.
      ...{ firstName: `First ${index % 3}`, lastName: `Last ${index % 5}`, country: `Country ${index % 2}` },
      createdAt: new Date(NOW.getTime() - (index % 7) * 86_400_000),
      ...{ version: 1, planVersion: 0, emailVersion: 1, premiumUntil: null },
    });
  }
  await db.query('ANALYZE TABLE profiles');
});

const pageOf = (filters: Filters, sort: DirectorySort) => {
  const predicates = predicatesOf(filters, NOW).map((predicate) => ({ ...predicate, size: USERS }));
  return { search: { predicates, userCount: USERS }, sorting: sortingOf(sort), cursor: null, limit: 20 };
};

/** The rows of indexes that the session has read in order so far. */
const rowsRead = async (tx: Tx): Promise<number> => {
  const rows = await tx.query<{ Variable_name: string; Value: string }[]>(
    "SHOW SESSION STATUS WHERE Variable_name IN ('Handler_read_next', 'Handler_read_prev')",
  );
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
};

const SORTS = DIRECTORY_SORTS.flatMap((sort) => [sort, `-${sort}` as DirectorySort]);

it.each(SORTS)('an index scan by %s reads no more rows than its budget', async (sort) => {
  await db.transaction(async (tx) => {
    const all = await scanIndex(tx, { ...pageOf({}, sort), limit: USERS });
    const page = pageOf({ search: 'unknown' }, sort);
    for (const last of [null, all[30]]) {
      const cursor = last ? cursorOf(last, page.sorting) : null;
      const before = await rowsRead(tx);
      expect(await scanIndexWithin(tx, { ...page, cursor }, MAX_ROWS)).toEqual({
        rows: [],
        isComplete: false,
      });
      // The keys up to the end of the budget, and the rows up to it.
      expect((await rowsRead(tx)) - before).toBeLessThanOrEqual(2 * MAX_ROWS);
    }
  });
});

it.each(SORTS)(
  'an index scan by %s finds the rows within its budget, and knows the end of the index',
  async (sort) => {
    const tx = db.manager;
    const all = (await scanIndex(tx, { ...pageOf({}, sort), limit: USERS })).map(({ id }) => id);
    const page = { ...pageOf({ search: 'ana' }, sort), limit: USERS };
    const within = await scanIndexWithin(tx, page, MAX_ROWS);
    expect(within.isComplete).toBe(false);
    expect(within.rows.map(({ id }) => id)).toEqual(all.slice(0, MAX_ROWS));
    const whole = await scanIndexWithin(tx, page, USERS);
    expect(whole.isComplete).toBe(true);
    expect(whole.rows.map(({ id }) => id)).toEqual(all);
  },
);
