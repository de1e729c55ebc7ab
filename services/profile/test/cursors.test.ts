import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { DIRECTORY_SORTS, directoryEndpoints, type DirectoryQuery } from '@shortlist/contracts/api/directory';
import { days } from '@shortlist/contracts/durations';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { type OpenedService, openTestService } from '@shortlist/kit/testing/open-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { listKeyOf, sortingOf } from '../src/directory/cursor.ts';
import { newId, profileFields } from './users.ts';

const { db, drop } = await createTestDb(schema);
const admin = { caller: { role: 'admin', userId: newId() } } as const;
const NOW = new Date('2026-06-01T00:00:00.000Z');
const STALE = { status: 400, code: 'request.stale_cursor' };
const USERS = 6;
let profile: OpenedService;

beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => NOW }), { db });
  for (let index = 0; index < USERS; index += 1) {
    const createdAt = new Date(NOW.getTime() - days(index)).toISOString();
    await profile.ask(
      profileEndpoints.createProfile,
      { ...profileFields, id: newId(), email: `ana.${index}@talent.test`, picture: null, createdAt },
      { caller: { role: 'anonymous', userId: null } },
    );
  }
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const list = (query: DirectoryQuery) => profile.ask(directoryEndpoints.listDirectory, query, admin);

const LIST: DirectoryQuery = {
  sort: 'name',
  search: 'ana',
  plan: 'free',
  country: profileFields.country,
  joinedFrom: '2026-01-01T00:00:00.000Z',
  joinedTo: '2026-12-31T00:00:00.000Z',
  limit: 2,
};

const OTHER_LISTS: [difference: string, list: DirectoryQuery][] = [
  ['order', { ...LIST, sort: 'email' }],
  ['direction', { ...LIST, sort: '-name' }],
  ['search', { ...LIST, search: 'an' }],
  ['country', { ...LIST, country: 'Norway' }],
  ['start', { ...LIST, joinedFrom: '2026-01-02T00:00:00.000Z' }],
  ['end', { ...LIST, joinedTo: '2026-12-30T00:00:00.000Z' }],
  ['lack of filters', { sort: 'name' }],
];

describe('a cursor of the directory', () => {
  it('continues its own list, with pages of any length', async () => {
    const first = await list(LIST);
    expect(first.data).toHaveLength(2);
    const second = await list({ ...LIST, cursor: first.next ?? '' });
    const rest = await list({ ...LIST, limit: USERS, cursor: first.next ?? '' });
    expect(second.data).toEqual(rest.data.slice(0, 2));
    expect([...first.data, ...rest.data]).toHaveLength(USERS);
  });

  it.each(OTHER_LISTS)('is refused by a list of another %s', async (_difference, other) => {
    const { next } = await list(LIST);
    await expect(list({ ...other, cursor: next ?? '' })).rejects.toMatchObject(STALE);
  });

  it('is refused by the list of another plan', async () => {
    const { next } = await list({ limit: 2 });
    for (const plan of ['premium', 'free'] as const)
      await expect(list({ plan, cursor: next ?? '' })).rejects.toMatchObject(STALE);
  });

  it.each(['garbage', 'W10', 'bnVsbA', 'e30', '"', '%00'])(
    'is refused when it is %j instead',
    async (cursor) => {
      await expect(list({ cursor })).rejects.toMatchObject(STALE);
    },
  );

  it.each(['😀', 'é', '\u0000', '', 'x', '0198A0B0-0000-7000-8000-000000000001', null, 1, ['a'], {}])(
    'J6 is refused in every order with the id %j',
    async (id) => {
      for (const sort of DIRECTORY_SORTS) {
        const values = sortingOf(sort).columns.map(() => 'x');
        const cursor = Buffer.from(JSON.stringify([values, id, listKeyOf({ sort })])).toString('base64url');
        await expect(list({ sort, cursor })).rejects.toMatchObject(STALE);
      }
    },
  );

  it.each(['😀', '\ud800', '\u0000', 'x'.repeat(200), "' OR 1=1 --"])(
    'J6 is accepted in every order with the value %j',
    async (value) => {
      for (const sort of DIRECTORY_SORTS) {
        const values = sortingOf(sort).columns.map(() => value);
        const cursor = Buffer.from(JSON.stringify([values, newId(), listKeyOf({ sort })])).toString(
          'base64url',
        );
        expect((await list({ sort, cursor, limit: 5 })).data.length).toBeLessThanOrEqual(5);
      }
    },
  );
});

it.each(['1e2', '+5', '5.0', ' 5', '0x5', '-1', ''])(
  'a list refuses %j as its limit, which is not written in digits',
  async (limit) => {
    const input = { limit: limit as unknown as number };
    const refusal = { status: 400, fields: { limit: 'Must be a whole number, in digits only' } };
    await expect(profile.ask(directoryEndpoints.listDirectory, input, admin)).rejects.toMatchObject(refusal);
    await expect(profile.ask(directoryEndpoints.listNewest, input, admin)).rejects.toMatchObject(refusal);
  },
);
