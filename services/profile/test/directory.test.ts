import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { type NewProfile, profileEndpoints } from '@shortlist/contracts/api/profile';
import { DIRECTORY_SORTS, type DirectorySort } from '@shortlist/contracts/api/public';
import { ORGANIZATION_TYPES } from '@shortlist/contracts/option-lists';
import { countStatements } from '@shortlist/kit/testing/count-statements';
import { openTestService, type OpenedService } from '@shortlist/kit/testing/open-service';
import { createTestDb } from '@shortlist/kit/testing/test-db';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { sortingOf } from '../src/directory/directory.rules.ts';
import type { Filters } from '../src/directory/filters.ts';
import { cursorOf, listDirectory, listWhole } from '../src/directory/queries.ts';
import { countDirectory, prepareSearch } from '../src/directory/search.ts';

const { db, drop } = await createTestDb(schema);
const admin = { caller: { role: 'admin', userId: '0198a0b0-0000-7000-8000-00000000000a' } } as const;
const NOW = new Date('2026-06-01T00:00:00.000Z');
const PEOPLE = 260;
const service = { caller: { role: 'service', userId: null } } as const;
let profile: OpenedService;

const pick = (list: string, index: number): string => list.split(' ')[index % list.split(' ').length] ?? '';
const personAt = (index: number): NewProfile => ({
  id: `0198a0b0-0000-7000-8000-${String(index).padStart(12, '0')}`,
  email: `person.${index}@${pick('north south', index)}.test`,
  firstName: pick('Amara Bram Claire', index),
  lastName: pick('Okafor Solberg Tanaka Weber', index),
  organizationName: `${pick('Harbour Meridian', index)} ${pick('Labs People Partners', index)}`,
  typeOfOrganization: ORGANIZATION_TYPES[0],
  primaryRecruitingIndustry: 'Software',
  country: pick('Norway Nigeria Japan', index >> 1),
  city: 'Capital',
  linkedin: '',
  picture: null,
  createdAt: new Date(Date.UTC(2026, 0, 1) + (index % 50) * 86_400_000).toISOString(),
});
const PAID = { key: 'in_1', start: NOW.toISOString(), end: '2999-01-01T00:00:00.000Z', graceUntil: null };
const isPremium = (index: number): boolean => index % 4 === 1;

beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => NOW }), { db });
  for (let index = 0; index < PEOPLE; index += 1) {
    await profile.ask(profileEndpoints.createProfile, personAt(index), {
      caller: { role: 'anonymous', userId: null },
    });
    const planState = { version: 1, paid: isPremium(index) ? PAID : null, granted: null };
    await profile.ask(profileEndpoints.storePlan, { id: personAt(index).id, planState }, service);
  }
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const MODELS: [name: string, filters: Filters, fits: (person: NewProfile, index: number) => boolean][] = [
  ['everybody', {}, () => true],
  ['a word', { search: 'amara' }, ({ firstName }) => firstName === 'Amara'],
  [
    'two words',
    { search: 'sol bram' },
    ({ firstName, lastName }) => firstName === 'Bram' && lastName === 'Solberg',
  ],
  ['a word of the address', { search: 'north' }, ({ email }) => email.includes('north')],
  ['an address', { search: 'person.7@' }, ({ email }) => email.startsWith('person.7@')],
  ['a letter that everybody has several times', { search: 'p' }, () => true],
  [
    'a word, premium',
    { search: 'amara', plan: 'premium' },
    ({ firstName }, index) => firstName === 'Amara' && isPremium(index),
  ],
  [
    'a word, free in a country',
    { search: 'labs', plan: 'free', country: 'Japan' },
    ({ organizationName, country }, index) =>
      organizationName.endsWith('Labs') && country === 'Japan' && !isPremium(index),
  ],
  ['premium', { plan: 'premium' }, (_, index) => isPremium(index)],
  [
    'free in a country',
    { plan: 'free', country: 'Japan' },
    (person, index) => person.country === 'Japan' && !isPremium(index),
  ],
  [
    'joined between, a word',
    { search: 'labs', joinedFrom: '2026-01-10T00:00:00.000Z', joinedTo: '2026-02-01T00:00:00.000Z' },
    ({ organizationName, createdAt }) =>
      organizationName.endsWith('Labs') && createdAt >= '2026-01-10T00' && createdAt < '2026-02-01T00',
  ],
  ['nobody', { search: 'zzzz' }, () => false],
  ['a sign that is in no word', { search: '😀' }, () => false],
  ['a sign that stands for anything in a pattern', { search: '%' }, () => false],
  ['a word behind a sign', { search: '@Amara' }, ({ firstName }) => firstName === 'Amara'],
];

/** Sizes that lead down each road, whatever the lists are really like: an estimate may be wrong, an answer may not. */
const ROADS = [
  ['as estimated', null],
  ['gathered', 1],
  ['walked for a while, then gathered', 140_000],
  ['walked to the end', 2_000_000],
] as const;

describe.each(MODELS)('asked for %s', (_name, filters, fits) => {
  it.each(ROADS)('the directory answers the same people in order, page by page, %s', async (_road, size) => {
    const expected = Array.from({ length: PEOPLE }, (_, index) => personAt(index)).filter(fits);
    for (const name of DIRECTORY_SORTS) {
      const sorting = sortingOf(`-${name}` as DirectorySort);
      const found = await prepareSearch(db.manager, filters, NOW);
      const search =
        size === null
          ? found
          : { wishes: found.wishes.map((wish) => ({ ...wish, size })), anyCaller: 1_000_000 };
      const whole = await listWhole(db.manager, { search, sorting, cursor: null, limit: PEOPLE + 1 });
      const seen: string[] = [];
      for (let cursor: ReturnType<typeof cursorOf> | null = null; ;) {
        const rows = await listDirectory(db.manager, { search, sorting, cursor, limit: 40 });
        seen.push(...rows.map(({ id }) => id));
        const last = rows.at(-1);
        if (last === undefined || rows.length < 40) break;
        cursor = cursorOf(last, sorting);
      }
      expect(seen).toEqual(whole.map(({ id }) => id));
      expect(seen.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      expect(await countDirectory(db.manager, search)).toEqual({ total: expected.length, isCapped: false });
    }
  });
});

describe('statements', () => {
  const list = (query: object) => profile.ask(profileEndpoints.listDirectory, query, admin);
  const filters = [
    {},
    { search: 'amara' },
    { plan: 'premium', country: 'Norway' },
    { search: 'labs bram', sort: '-name' },
  ];

  it.each(filters)(
    'J4 Query count per endpoint asserted (no N+1): list of 20 users = same count as list of 200: %j',
    async (query) => {
      const few = await countStatements(db, () => list({ ...query, limit: 20 }));
      const many = await countStatements(db, () => list({ ...query, limit: 200 }));
      expect(few).toBe(many);
      // The estimate of each list, the page, the count.
      expect(few).toBe(Object.keys(query).some((name) => name !== 'sort') ? 3 : 2);
    },
  );

  it('J4 the newest are one statement, one person one, the audit log one, however many rows there are', async () => {
    const { id } = personAt(3);
    for (const limit of [1, 20])
      expect(
        await countStatements(db, () => profile.ask(profileEndpoints.listNewest, { limit }, admin)),
      ).toBe(1);
    expect(await countStatements(db, () => profile.ask(profileEndpoints.getProfile, { id }, service))).toBe(
      1,
    );
    for (let edit = 0; edit < 25; edit += 1) {
      const { email: _email, picture: _picture, createdAt: _at, ...fields } = personAt(3);
      await profile.ask(profileEndpoints.updateProfile, { ...fields, city: `City ${edit}` }, admin);
    }
    for (const limit of [1, 20]) {
      const answers: number[] = [];
      const ask = async (): Promise<void> =>
        void answers.push((await profile.ask(auditEndpoint, { targetId: id, limit }, admin)).data.length);
      expect(await countStatements(db, ask)).toBe(1);
      expect(answers).toEqual([limit]);
    }
  });

  it('S9 a list is a page of fifty when nothing is asked, of two hundred at most, and goes on from there', async () => {
    const list = (query: { limit?: number; cursor?: string }) =>
      profile.ask(profileEndpoints.listDirectory, query, admin);
    const page = await list({});
    expect([page.data.length, page.total]).toEqual([50, PEOPLE]);
    const most = await list({ limit: 200 });
    const rest = await list({ limit: 200, cursor: most.next ?? '' });
    expect([most.data.length, rest.data.length, rest.next]).toEqual([200, PEOPLE - 200, null]);
    expect(new Set([...most.data, ...rest.data].map(({ id }) => id)).size).toBe(PEOPLE);
    await expect(list({ limit: 201 })).rejects.toMatchObject({ status: 400 });
  });

  it('is narrowed by address and by time, and asked for nonsense it says so', async () => {
    const { id } = personAt(3);
    const noted = await profile.ask(auditEndpoint, { targetId: id, limit: 1 }, admin);
    const { at, address } = noted.data[0] ?? { at: '', address: 'none' };
    const count = async (more: object): Promise<number> =>
      (await profile.ask(auditEndpoint, { targetId: id, ...more }, admin)).data.length;
    const all = await count({});
    expect(all).toBeGreaterThan(0);
    expect(await count({ from: at, address })).toBe(all);
    expect(await count({ to: at })).toBe(0);
    expect(await count({ address: '203.0.113.9' })).toBe(0);
    for (const nonsense of [{ before: 'zzz' }, { from: 'yesterday' }])
      await expect(profile.ask(auditEndpoint, nonsense, admin)).rejects.toMatchObject({ status: 400 });
  });

  it.each(['é', '😀', '\ud800', '\u0000', '\u202e', 'a b'])(
    'J6 the audit log takes no %j for an action or an address, and says where',
    async (word) => {
      for (const name of ['action', 'address'])
        await expect(profile.ask(auditEndpoint, { [name]: word }, admin)).rejects.toMatchObject({
          status: 400,
          fields: { [name]: 'Must be written in plain letters' },
        });
    },
  );

  it.each(['😀', 'é', '\u0000', '', 'x', '0198A0B0-0000-7000-8000-000000000001', null, 1, ['a'], {}])(
    'J6 a page that begins after somebody called %j is no longer there, however it is sorted',
    async (id) => {
      for (const sort of DIRECTORY_SORTS) {
        const values = sortingOf(sort).columns.map(() => 'x');
        const cursor = Buffer.from(JSON.stringify([values, id])).toString('base64url');
        await expect(
          profile.ask(profileEndpoints.listDirectory, { sort, cursor }, admin),
        ).rejects.toMatchObject({
          status: 400,
          fields: { cursor: 'This page is no longer there' },
        });
      }
    },
  );

  it.each(['😀', '\ud800', '\u0000', 'x'.repeat(200), "' OR 1=1 --"])(
    'J6 a page that begins after %j is read like any other',
    async (value) => {
      for (const sort of DIRECTORY_SORTS) {
        const values = sortingOf(sort).columns.map(() => value);
        const cursor = Buffer.from(JSON.stringify([values, personAt(1).id])).toString('base64url');
        const { data } = await profile.ask(profileEndpoints.listDirectory, { sort, cursor, limit: 5 }, admin);
        expect(data.length).toBeLessThanOrEqual(5);
      }
    },
  );
});
