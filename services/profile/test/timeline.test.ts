import { listChanges } from '@shortlist/audit/queries';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { noteEndpoints } from '@shortlist/contracts/api/notes';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { TIMELINE_ITEMS, timelineEndpoint, type TimelineQuery } from '@shortlist/contracts/api/timeline';
import { minutes } from '@shortlist/contracts/durations';
import { countRowsRead, countStatements, createTestDb } from '@shortlist/kit/testing/databases';
import { numbersBelow } from '@shortlist/kit/testing/numbers';
import { openTestService, type OpenedService } from '@shortlist/kit/testing/open-service';
import { readPages } from '@shortlist/kit/testing/read-pages';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { newId, profileFields } from './users.ts';

const START = new Date('2026-03-01T12:00:00.000Z');
let now = START;
const { db, drop } = await createTestDb(schema);
const admin = { caller: { role: 'admin', userId: newId() } } as const;
let profile: OpenedService;
let userId: string;

beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => now }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});
const create = async (): Promise<string> => {
  const id = newId();
  const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
  const input = { id, email: `${id}@talent.test`, ...profileFields, picture: null };
  await profile.ask(profileEndpoints.createProfile, { ...input, createdAt: START.toISOString() }, anonymous);
  return id;
};
beforeEach(async () => {
  now = START;
  userId = await create();
});

const note = (text: string) => profile.ask(noteEndpoints.addNote, { userId, noteId: newId(), text }, admin);
const read = async (query: Partial<TimelineQuery> = {}) => {
  const all = { userId, items: TIMELINE_ITEMS.join(), limit: 101 };
  return (await profile.ask(timelineEndpoint, { ...all, ...query }, admin)).data;
};

it('the timeline has notes, and the changes of the profile, the newest first', async () => {
  await note('Asked for an invoice');
  now = new Date(START.getTime() + minutes(1));
  await profile.ask(profileEndpoints.updateProfile, { ...profileFields, id: userId, city: 'Bergen' }, admin);
  expect(await read()).toMatchObject([
    { change: { action: 'profile.update', after: { city: 'Bergen' } } },
    { at: START.toISOString(), note: { text: 'Asked for an invoice', authorId: admin.caller.userId } },
  ]);
  expect(await read({ items: 'note,account' })).toMatchObject([{ note: {} }]);
  expect(await read({ kind: 'support' })).toHaveLength(2);
  expect(await read({ items: 'change', kind: 'support' })).toHaveLength(2);
  expect(await read({ kind: 'account' })).toEqual([]);
  expect(await countStatements(db, () => read())).toBe(2);
  userId = await create();
  expect(await read()).toEqual([]);
});

it('pages of any size have every entry once, also of one millisecond', async () => {
  for (const text of ['one', 'two', 'three', 'four']) await note(text);
  now = new Date(START.getTime() + 1);
  await note('five');
  const whole = (await read()).map(({ id }) => id);
  expect(new Set(whole).size).toBe(5);
  for (const limit of [1, 2, 3]) {
    const pages = await readPages((page) => read({ limit, ...page }));
    expect(pages.map(({ id }) => id)).toEqual(whole);
  }
});

it('a note that was deleted has its addition and its deletion, once each', async () => {
  const noteId = newId();
  await profile.ask(noteEndpoints.addNote, { userId, noteId, text: 'By mistake' }, admin);
  await note('Stays');
  now = new Date(START.getTime() + minutes(1));
  await profile.ask(noteEndpoints.removeNote, { userId, noteId }, admin);
  for (const kind of [{}, { kind: 'support' }] as const)
    expect(
      (await read(kind)).map((entry) => ('change' in entry ? entry.change.action : 'note')).toSorted(),
    ).toEqual(['note', 'note.add', 'note.delete']);
});

it('a page of one kind of a long log reads few rows', async () => {
  const [other, system] = [newId(), SYSTEM_ACTOR_ID];
  // Every thousandth is another one: by the product, of an action of another release, of the user's own.
  await db.query(
    `INSERT INTO audit_log (id, at, actor_id, address, action, target_id)
     SELECT CONCAT('01900000-0000-7000-8000-', LPAD(n, 12, '0')), ? - INTERVAL n DIV 3 SECOND,
       CASE WHEN n % 1000 = 1 THEN ? WHEN n % 1000 IN (2, 3) THEN ? ELSE ? END, '',
       CASE WHEN n % 1000 = 2 THEN 'account.set_password' WHEN n % 1000 = 3 THEN 'later.action' ELSE 'profile.update' END, ?
     FROM ${numbersBelow(20_000)}`,
    [START, system, userId, other, userId],
  );
  await db.query('ANALYZE TABLE audit_log');
  const middle = { at: new Date(START.getTime() - minutes(50)).toISOString(), id: 'email:x' };
  const counts = { security: [20, 11], account: [26, 22], support: [26, 26], credits: [0, 0] } as const;
  for (const [kind, [first, later]] of Object.entries(counts))
    for (const [position, count] of [
      [null, first],
      [middle, later],
    ] as const) {
      const query = { userId, items: 'change', limit: 26, position, kind: kind as keyof typeof counts };
      const { result, rowsRead } = await countRowsRead(db, (tx) => listChanges(tx, query));
      expect(result, kind).toHaveLength(count);
      expect(rowsRead, kind).toBeLessThan(300);
    }
  const all = { userId, items: 'change', limit: 26, position: middle };
  const { result, rowsRead } = await countRowsRead(db, (tx) => listChanges(tx, all));
  expect(result).toHaveLength(26);
  expect(rowsRead).toBeLessThan(100);
});

it('a deleted user has the redacted changes alone', async () => {
  await note('Asked for an invoice');
  await profile.ask(profileEndpoints.eraseUser, { id: userId }, admin);
  expect(await read()).toMatchObject([{ change: { action: 'note.add', after: { text: '(redacted)' } } }]);
});
