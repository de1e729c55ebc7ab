import { listAudit } from '@shortlist/audit/queries';
import type { AuditEntry, AuditQuery } from '@shortlist/contracts/api/audit';
import { minutes } from '@shortlist/contracts/durations';
import { countRowsRead, createTestDb } from '@shortlist/kit/testing/databases';
import { numbersBelow } from '@shortlist/kit/testing/numbers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../src/db.ts';

const { db, drop } = await createTestDb(schema);
afterAll(drop);

const NEWEST = new Date('2026-11-20T12:00:00.000Z');
const [EVERYBODY, RARE] = [
  '0192f0c0-0000-7000-8000-0000000000aa',
  '0192f0c0-0000-7000-8000-0000000000bb',
] as const;
const agoAt = (entries: number): string => new Date(NEWEST.getTime() - minutes(entries / 3)).toISOString();

// Three entries of each minute, whose ids are in the order of their times reversed.
beforeAll(async () => {
  await db.query(
    `INSERT INTO audit_log (id, at, actor_id, address, action, target_id)
     SELECT CONCAT('01900000-0000-7000-8000-', LPAD(n, 12, '0')), ? - INTERVAL n DIV 3 MINUTE,
       IF(n % 1000 = 7, ?, ?), '', IF(n % 1000 = 8, 'plan.grant', 'profile.update'), ?
     FROM ${numbersBelow(20_000)}`,
    [NEWEST, RARE, EVERYBODY, EVERYBODY],
  );
  await db.query('ANALYZE TABLE audit_log');
});

const read = (query: AuditQuery) => countRowsRead(db, (tx) => listAudit(tx, query));
const pagesOf = async (query: AuditQuery): Promise<AuditEntry[][]> => {
  const { result } = await read(query);
  const last = result.at(-1);
  if (last === undefined) return [];
  return [result, ...(await pagesOf({ ...query, before: last.id, beforeAt: last.at }))];
};

it.each<[string, AuditQuery, number]>([
  ['the newest', {}, 26],
  ['until long ago', { to: agoAt(15_000) }, 26],
  ['since a moment ago', { from: agoAt(9) }, 12],
  ['after a page of long ago', { before: RARE, beforeAt: agoAt(18_000) }, 26],
  ['of a rare action', { action: 'plan.grant' }, 20],
  ['of a frequent action until long ago', { action: 'profile.update', to: agoAt(15_000) }, 26],
  ['of a rare actor', { actorId: RARE }, 20],
  ['of a frequent actor until long ago', { actorId: EVERYBODY, to: agoAt(15_000) }, 26],
  ['of one of several actors', { actors: `${RARE},${NEWEST.getTime()}` }, 20],
  ['about a user until long ago', { targetId: EVERYBODY, to: agoAt(15_000) }, 26],
])('a page of a long log reads few rows: %s', async (_what, query, expected) => {
  const { result, rowsRead } = await read({ ...query, limit: 26 });
  expect(result).toHaveLength(expected);
  expect(rowsRead).toBeLessThan(80);
});

it('pages have each entry once, the newest first, of one moment the one with the greatest id', async () => {
  const pages = await pagesOf({ from: agoAt(99), limit: 8 });
  const entries = pages.flat();
  expect(entries).toHaveLength(102);
  const places = entries.map(({ at, id }) => `${at} ${id}`);
  expect(places).toEqual(places.toSorted().toReversed());
});

it('a page that names only the id of the last entry continues after it', async () => {
  const before = '01900000-0000-7000-8000-000000000002';
  const { result } = await read({ before, limit: 26 });
  expect(result.map(({ id }) => id.slice(-1))).toEqual(['1', '0']);
});
