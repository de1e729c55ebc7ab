import { noteEndpoints } from '@shortlist/contracts/api/notes';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { TIMELINE_ITEMS, timelineEndpoint, type TimelineQuery } from '@shortlist/contracts/api/timeline';
import { minutes } from '@shortlist/contracts/durations';
import { countStatements, createTestDb } from '@shortlist/kit/testing/databases';
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
    { at: START.toISOString(), change: { action: 'note.add' } },
  ]);
  expect(await read({ items: 'note,account' })).toMatchObject([{ note: {} }]);
  expect(await read({ kind: 'support' })).toHaveLength(3);
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
  expect(new Set(whole).size).toBe(10);
  for (const limit of [1, 2, 3]) {
    const pages = await readPages((page) => read({ limit, ...page }));
    expect(pages.map(({ id }) => id)).toEqual(whole);
  }
});

it('a deleted user has the redacted changes alone', async () => {
  await note('Asked for an invoice');
  await profile.ask(profileEndpoints.eraseUser, { id: userId }, admin);
  expect(await read()).toMatchObject([{ change: { action: 'note.add', after: { text: '(redacted)' } } }]);
});
