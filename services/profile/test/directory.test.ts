import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { type NewProfile, profileEndpoints } from '@shortlist/contracts/api/profile';
import { DIRECTORY_SORTS, directoryEndpoints, type DirectorySort } from '@shortlist/contracts/api/directory';
import { days } from '@shortlist/contracts/durations';
import { exampleProfile } from '@shortlist/contracts/testing/examples';
import { asService } from '@shortlist/kit/http/http-client';
import { countStatements, createTestDb } from '@shortlist/kit/testing/databases';
import { type OpenedService, openTestService } from '@shortlist/kit/testing/open-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { type Cursor, cursorOf, sortingOf } from '../src/directory/cursor.ts';
import {
  countDirectory,
  type Filters,
  listDirectory,
  listWhole,
  prepareSearch,
} from '../src/directory/search.ts';

const { db, drop } = await createTestDb(schema);
const admin = { caller: { role: 'admin', userId: '0198a0b0-0000-7000-8000-00000000000a' } } as const;
const NOW = new Date('2026-06-01T00:00:00.000Z');
const USERS = 260;
const service = asService();
let profile: OpenedService;

const pick = (list: string, index: number): string => list.split(' ')[index % list.split(' ').length] ?? '';
const userAt = (index: number): NewProfile => ({
  ...exampleProfile(),
  id: `0198a0b0-0000-7000-8000-${String(index).padStart(12, '0')}`,
  email: `person.${index}@${pick('north south', index)}.test`,
  firstName: pick('Amara Bram Claire', index),
  lastName: pick('Okafor Sølberg Tanaka Weber', index),
  organizationName: `${pick('Harbour Meridian', index)} ${pick('Labs People Partners', index)}`,
  country: pick('Norway Nigeria Japan', index >> 1),
  picture: null,
  createdAt: new Date(Date.UTC(2026, 0, 1) + days(index % 50)).toISOString(),
});
const PAID = { key: 'in_1', start: NOW.toISOString(), end: '2999-01-01T00:00:00.000Z', graceUntil: null };
const isPremium = (index: number): boolean => index % 4 === 1;
const isInTrouble = (index: number): boolean => index % 9 === 2;

beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => NOW }), { db });
  for (let index = 0; index < USERS; index += 1) {
    await profile.ask(profileEndpoints.createProfile, userAt(index), {
      caller: { role: 'anonymous', userId: null },
    });
    const planState = { version: 1, paid: isPremium(index) ? PAID : null, granted: null };
    await profile.ask(
      profileEndpoints.storePlan,
      { id: userAt(index).id, planState, problem: isInTrouble(index) ? 'past_due' : null },
      service,
    );
  }
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const MODELS: [name: string, filters: Filters, matches: (user: NewProfile, index: number) => boolean][] = [
  ['no filter', {}, () => true],
  ['a term', { search: 'amara' }, ({ firstName }) => firstName === 'Amara'],
  [
    'two terms',
    { search: 'sol bram' },
    ({ firstName, lastName }) => firstName === 'Bram' && lastName === 'Sølberg',
  ],
  [
    'a term with a letter that has another spelling',
    { search: 'søl labs' },
    ({ lastName, organizationName }) => lastName === 'Sølberg' && organizationName.endsWith('Labs'),
  ],
  ['a term of the address', { search: 'north' }, ({ email }) => email.includes('north')],
  ['the start of an address', { search: 'person.7@' }, ({ email }) => email.startsWith('person.7@')],
  ['a letter that every user has in several terms', { search: 'p' }, () => true],
  [
    'a term and premium',
    { search: 'amara', plan: 'premium' },
    ({ firstName }, index) => firstName === 'Amara' && isPremium(index),
  ],
  ['a rare term and premium', { search: 'person.5@', plan: 'premium' }, (_, index) => index === 5],
  [
    'a term, free and a country',
    { search: 'labs', plan: 'free', country: 'Japan' },
    ({ organizationName, country }, index) =>
      organizationName.endsWith('Labs') && country === 'Japan' && !isPremium(index),
  ],
  ['premium', { plan: 'premium' }, (_, index) => isPremium(index)],
  ['a payment in trouble', { payment: 'problem' }, (_, index) => isInTrouble(index)],
  [
    'a term and a payment in trouble',
    { search: 'amara', payment: 'problem' },
    ({ firstName }, index) => firstName === 'Amara' && isInTrouble(index),
  ],
  [
    'free and a country',
    { plan: 'free', country: 'Japan' },
    (user, index) => user.country === 'Japan' && !isPremium(index),
  ],
  [
    'a term and a period of joining',
    { search: 'labs', joinedFrom: '2026-01-10T00:00:00.000Z', joinedTo: '2026-02-01T00:00:00.000Z' },
    ({ organizationName, createdAt }) =>
      organizationName.endsWith('Labs') && createdAt >= '2026-01-10T00' && createdAt < '2026-02-01T00',
  ],
  [
    'beginnings of words of the address, the organization and the name, in any order',
    { search: 'nor LAB  ama' },
    ({ email, organizationName, firstName }) =>
      email.includes('north') && organizationName.endsWith('Labs') && firstName === 'Amara',
  ],
  ['a whole id', { search: ` ${userAt(7).id.toUpperCase()} ` }, (_, index) => index === 7],
  [
    'several whole ids',
    { search: `${userAt(7).id} ${userAt(9).id}` },
    (_, index) => index === 7 || index === 9,
  ],
  ['a whole id and a plan', { search: userAt(7).id, plan: 'premium' }, () => false],
  ['the id of no user', { search: userAt(USERS).id }, () => false],
  ['a term that no user has', { search: 'zzzz' }, () => false],
  ['a character that no term contains', { search: '😀' }, () => false],
  ['a wildcard of LIKE', { search: '%' }, () => false],
  ['a term after a punctuation mark', { search: '@Amara' }, ({ firstName }) => firstName === 'Amara'],
];

/** The rows of the order that are read before a range is: a wrong estimate must not change the result. */
const WAYS = [
  ['as estimated', null],
  ['with its range read whole', 0],
  ['with the order read in part, then the range', 30],
  ['with the order read to the end', 1_000],
] as const;

describe.each(MODELS)('a directory search by %s', (_name, filters, matches) => {
  it.each(WAYS)('returns the same users in order, page by page, %s', async (_way, scanRows) => {
    const expected = Array.from({ length: USERS }, (_, index) => userAt(index)).filter(matches);
    for (const name of DIRECTORY_SORTS) {
      const sorting = sortingOf(`-${name}` as DirectorySort);
      const estimated = await prepareSearch(db.manager, filters, NOW);
      const search = scanRows === null ? estimated : { ...estimated, scanRows };
      const whole = await listWhole(db.manager, { search, sorting, cursor: null, limit: USERS + 1 });
      const ids: string[] = [];
      for (let cursor: Cursor | null = null; ;) {
        const rows = await listDirectory(db.manager, { search, sorting, cursor, limit: 40 });
        ids.push(...rows.map(({ id }) => id));
        const last = rows.at(-1);
        if (last === undefined || rows.length < 40) break;
        cursor = cursorOf(last, sorting);
      }
      expect(ids).toEqual(whole.map(({ id }) => id));
      expect(ids.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      expect(await countDirectory(db.manager, search)).toEqual({ total: expected.length, isCapped: false });
    }
  });
});

it('a search for a term of two spellings reads two ranges of the index', async () => {
  const { source, conditions, ranges } = await prepareSearch(db.manager, { search: 'søl' }, NOW);
  const [condition] = conditions;
  const sql = `SELECT p.user_id FROM ${source} WHERE ${condition?.sql}`;
  const [plan] = await db.query<{ type: string; rows: number }[]>(
    `EXPLAIN FORMAT=TRADITIONAL ${sql}`,
    condition?.values,
  );
  expect([ranges.length, condition?.values]).toEqual([1, ['søl%', 'sol%']]);
  expect(plan?.type).toBe('range');
  // Those of both spellings, whose number the database estimates.
  expect(Number(plan?.rows)).toBeLessThan(USERS);
});

describe('the directory and the audit log', () => {
  const list = (query: object) => profile.ask(directoryEndpoints.listDirectory, query, admin);
  const filters = [
    {},
    { search: 'amara' },
    { plan: 'premium', country: 'Norway' },
    { search: 'labs bram', sort: '-name' },
  ];

  it.each(filters)('J4 run as many statements for 200 users as for 20, with the query %j', async (query) => {
    const few = await countStatements(db, () => list({ ...query, limit: 20 }));
    const many = await countStatements(db, () => list({ ...query, limit: 200 }));
    expect(few).toBe(many);
    // The estimate, the page and the count.
    expect(few).toBe(Object.keys(query).some((name) => name !== 'sort') ? 3 : 2);
  });

  it('J4 run one statement for the newest users, one profile, or a page of the audit log, however many rows there are', async () => {
    const { id } = userAt(3);
    for (const limit of [1, 20])
      expect(
        await countStatements(db, () => profile.ask(directoryEndpoints.listNewest, { limit }, admin)),
      ).toBe(1);
    expect(await countStatements(db, () => profile.ask(profileEndpoints.getProfile, { id }, service))).toBe(
      1,
    );
    for (let edit = 0; edit < 25; edit += 1) {
      const { email: _email, picture: _picture, createdAt: _at, ...fields } = userAt(3);
      await profile.ask(profileEndpoints.updateProfile, { ...fields, city: `City ${edit}` }, admin);
    }
    for (const limit of [1, 20]) {
      const lengths: number[] = [];
      const readAudit = async (): Promise<void> =>
        void lengths.push((await profile.ask(auditEndpoint, { targetId: id, limit }, admin)).data.length);
      expect(await countStatements(db, readAudit)).toBe(1);
      expect(lengths).toEqual([limit]);
    }
  });

  it('J4 names users and deleted users by their ids, in two statements', async () => {
    const [kept, gone] = [userAt(4).id, userAt(USERS + 1).id];
    await profile.ask(profileEndpoints.eraseUser, { id: gone }, admin);
    const list = () =>
      profile.ask(directoryEndpoints.listNames, { ids: [kept, gone, userAt(USERS).id].join(',') }, admin);
    expect(await list()).toEqual({
      data: [{ id: kept, name: 'Bram Okafor', email: 'person.4@north.test' }],
      deleted: [gone],
    });
    expect(await countStatements(db, list)).toBe(2);
    for (const ids of ['', 'x', `${kept},`, 'é'.repeat(36)])
      await expect(profile.ask(directoryEndpoints.listNames, { ids }, admin)).rejects.toMatchObject({
        status: 400,
      });
  });

  it('find entries of the audit log by one of several actors or targets', async () => {
    const ids = [userAt(3).id, userAt(USERS).id].join(',');
    const count = async (query: object): Promise<number> =>
      (await profile.ask(auditEndpoint, query, admin)).data.length;
    const all = await count({ targetId: userAt(3).id });
    expect(await count({ targets: ids })).toBe(all);
    expect(await count({ actors: `${admin.caller.userId},${userAt(3).id}`, targets: ids })).toBe(all);
    expect(await count({ actors: ids })).toBe(0);
    await expect(count({ actors: 'x' })).rejects.toMatchObject({ status: 400 });
  });

  it('S9 list pages of fifty users by default and of two hundred at most, each after the last', async () => {
    const list = (query: { limit?: number; cursor?: string }) =>
      profile.ask(directoryEndpoints.listDirectory, query, admin);
    const page = await list({});
    expect([page.data.length, page.total]).toEqual([50, USERS]);
    const first = await list({ limit: 200 });
    const rest = await list({ limit: 200, cursor: first.next ?? '' });
    expect([first.data.length, rest.data.length, rest.next]).toEqual([200, USERS - 200, null]);
    expect(new Set([...first.data, ...rest.data].map(({ id }) => id)).size).toBe(USERS);
    await expect(list({ limit: 201 })).rejects.toMatchObject({ status: 400 });
  });

  it('filter the audit log by address and time, and refuse invalid filters', async () => {
    const { id } = userAt(3);
    const entries = await profile.ask(auditEndpoint, { targetId: id, limit: 1 }, admin);
    const { at, address } = entries.data[0] ?? { at: '', address: 'none' };
    const count = async (more: object): Promise<number> =>
      (await profile.ask(auditEndpoint, { targetId: id, ...more }, admin)).data.length;
    const all = await count({});
    expect(all).toBeGreaterThan(0);
    expect(await count({ from: at, address })).toBe(all);
    expect(await count({ to: at })).toBe(0);
    expect(await count({ address: '203.0.113.9' })).toBe(0);
    for (const invalid of [{ before: 'zzz' }, { from: 'yesterday' }])
      await expect(profile.ask(auditEndpoint, invalid, admin)).rejects.toMatchObject({ status: 400 });
  });

  it.each(['é', '😀', '\ud800', '\u0000', '\u202e', 'a b'])(
    'J6 refuse %j as an action or an address of the audit log, with the field',
    async (text) => {
      for (const name of ['action', 'address'])
        await expect(profile.ask(auditEndpoint, { [name]: text }, admin)).rejects.toMatchObject({
          status: 400,
          fields: { [name]: 'Must be written in plain letters' },
        });
    },
  );
});
