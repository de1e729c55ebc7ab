import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { type NewProfile, profileEndpoints } from '@shortlist/contracts/api/profile';
import { asciiEmail } from '@shortlist/contracts/unicode';
import { createLog } from '@shortlist/kit/process/log';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { type OpenedService, openTestService } from '@shortlist/kit/testing/open-service';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { insertProfileIfAbsent, insertTerms } from '../src/profiles/queries.ts';
import { refreshTerms, startRefreshingTerms } from '../src/profiles/refresh-terms.ts';
import { rowTermsOf, termsOf } from '../src/profiles/terms.rules.ts';
import { newId, profileFields } from './users.ts';

const { db, drop } = await createTestDb(schema);
const admin = { caller: { role: 'admin', userId: '0198a0b0-0000-7000-8000-00000000000a' } } as const;
let profile: OpenedService;

beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => new Date() }), {
    db,
    roles: ['http'],
  });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

type Person = Partial<Pick<NewProfile, 'email' | 'firstName' | 'lastName' | 'organizationName'>>;
const personOf = (person: Person): NewProfile => {
  const id = newId();
  const fields = { ...profileFields, email: `${id}@talent.test`, ...person };
  return { ...fields, id, picture: null, createdAt: '2026-03-01T12:00:00.000Z' };
};
const create = async (person: Person): Promise<string> => {
  const input = personOf(person);
  await profile.ask(profileEndpoints.createProfile, input, admin);
  return input.id;
};
const find = async (search: string): Promise<string[]> =>
  (await profile.ask(directoryEndpoints.listDirectory, { search }, admin)).data.map(({ id }) => id);

/** The terms as the release before this one computed them. */
const formerTermsOf = ({ firstName, lastName, organizationName, email }: NewProfile): string =>
  [
    ...new Set(
      `${firstName} ${lastName} ${organizationName} ${email}`
        .normalize('NFKC')
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== ''),
    ),
  ]
    .map((term) => ` ${term}`)
    .join('');

/** A profile as the release before this one wrote it. */
const createFormer = async (person: Person): Promise<string> => {
  const input = personOf(person);
  const row = {
    ...input,
    roleType: '',
    createdAt: new Date(input.createdAt),
    version: 1,
    emailVersion: 1,
    planVersion: 0,
    premiumUntil: null,
    paymentProblem: null,
    terms: formerTermsOf(input),
  };
  await insertProfileIfAbsent(db.manager, row);
  await insertTerms(db.manager, row);
  return input.id;
};

const NAMES: [spelling: string, others: string[]][] = [
  ['Łukasz', ['Lukasz', 'łukasz', 'LUKASZ', 'luk']],
  ['Sørensen', ['Sorensen', 'SØRENSEN']],
  ['Ærø', ['Aero', 'ærø']],
  ['Œuvrard', ['Oeuvrard']],
  ['Großmann', ['Grossmann', 'GROSSMANN', 'GROẞMANN', 'gross']],
  ['Đorđević', ['Dordevic', 'Đorđevic']],
  ['Guðmundsdóttir', ['Gudmundsdottir']],
  ['Þórsson', ['Thorsson']],
  ['Işık', ['Isik', 'ISIK', 'IŞIK', 'ışık']],
  ['İstanbullu', ['Istanbullu', 'istanbullu', 'ISTANBULLU']],
  ['Ħaż-Żebbuġ', ['Haz Zebbug', 'Ħaż']],
  ['Ŋŧo', ['Nto']],
];

describe('the directory finds a name with letters that have no accent to leave out', () => {
  it.each(NAMES)('%s, by this spelling and in plain letters', async (name, others) => {
    const id = await create({ lastName: name });
    for (const search of [name, ...others]) expect([search, await find(search)]).toEqual([search, [id]]);
    await profile.ask(profileEndpoints.eraseUser, { id }, admin);
    for (const search of [name, ...others]) expect(await find(search)).toEqual([]);
  });

  it('in plain letters, when searched with special ones', async () => {
    const id = await create({ firstName: 'Lukasz', organizationName: 'Hauptstrasse Partner' });
    for (const search of ['Łukasz', 'Hauptstraße', 'łukasz hauptstraße', 'Łuk'])
      expect([search, await find(search)]).toEqual([search, [id]]);
    await profile.ask(profileEndpoints.eraseUser, { id }, admin);
  });

  it('with other filters, whichever way the search reads', async () => {
    const id = await create({ lastName: 'Wałęsa', country: 'Norway' } as Person);
    const search = { search: 'walesa', country: 'Norway', plan: 'free' } as const;
    const page = await profile.ask(directoryEndpoints.listDirectory, search, admin);
    expect([page.data.map((user) => user.id), page.total]).toEqual([[id], 1]);
    await profile.ask(profileEndpoints.eraseUser, { id }, admin);
  });

  it('but not another name', async () => {
    const id = await create({ firstName: 'Lukas' });
    for (const search of ['Łukasz', 'ß', 'Œ']) expect(await find(search)).toEqual([]);
    await profile.ask(profileEndpoints.eraseUser, { id }, admin);
  });
});

describe('the directory finds an email with an internationalised domain', () => {
  const email = asciiEmail('ana@münchen-straße.test');

  it('by the whole email and its parts, in both spellings', async () => {
    const id = await create({ email });
    for (const search of [
      email,
      'ana@münchen-straße.test',
      'ANA@MÜNCHEN-straße.TEST',
      'ana@münchen-straße.te',
      'ana@münchen-straße',
      'ana@mün',
      'münchen',
      'munchen',
      'strasse',
      'ana test',
      'xn--mnchen',
    ])
      expect([search, await find(search)]).toEqual([search, [id]]);
    for (const search of ['ana@münster.test', 'bea@münchen-straße.test', 'ana@xn--other.test', 'münster'])
      expect([search, await find(search)]).toEqual([search, []]);
    await profile.ask(profileEndpoints.eraseUser, { id }, admin);
  });

  it('that a change of the email brought', async () => {
    const id = await create({});
    await profile.ask(
      profileEndpoints.storeEmail,
      { id, email, version: 2 },
      { caller: { role: 'service', userId: null } },
    );
    expect(await find('münchen')).toEqual([id]);
    await profile.ask(profileEndpoints.eraseUser, { id }, admin);
  });
});

describe('profiles that an older release wrote', () => {
  const people: [Person, plain: string][] = [
    [{ lastName: 'Łukaszewicz' }, 'lukaszewicz'],
    [{ firstName: 'İsmail' }, 'ismail'],
    [{ organizationName: 'STRAẞE Nord' }, 'strasse nord'],
    [{ email: asciiEmail('former@müller.test') }, 'müller'],
    [{ lastName: 'Ørsted' }, 'orsted'],
  ];

  it('are found as before at once, and by the other spelling once refreshed', async () => {
    const ids: string[] = [];
    for (const [person] of people) ids.push(await createFormer(person));
    const usual = await createFormer({ lastName: 'Lukaszewska-Müller' });
    expect(await find('Łukaszewicz')).toEqual([ids[0]]);
    expect(await find('Ørsted')).toEqual([ids[4]]);
    for (const [index, [, plain]] of people.entries()) expect(await find(plain)).not.toContain(ids[index]);

    // Of pages so small that each person has one, and then with nothing left to do.
    expect(await refreshTerms(db, { pageSize: 1 })).toBe(people.length);
    expect(await refreshTerms(db)).toBe(0);
    for (const [index, [, plain]] of people.entries()) expect(await find(plain)).toContain(ids[index]);
    expect(await find('Łukaszewicz')).toEqual([ids[0]]);
    const rows = await db.query<{ user_id: string; terms: string; copies: number }[]>(
      `SELECT p.user_id, p.terms, (SELECT COUNT(*) FROM directory_terms t WHERE t.user_id = p.user_id AND t.terms = p.terms) AS copies
       FROM profiles p`,
    );
    for (const { terms, copies } of rows)
      expect(Number(copies)).toBeGreaterThanOrEqual(new Set(terms.trim().split(' ')).size);
    for (const id of [...ids, usual]) await profile.ask(profileEndpoints.eraseUser, { id }, admin);
    expect(await db.query('SELECT * FROM directory_terms')).toEqual([]);
  });

  it('keep edits that are made while they are refreshed', async () => {
    const id = await createFormer({ lastName: 'Wiśłocka' });
    const { email: _email, picture: _picture, createdAt: _at, ...fields } = personOf({});
    const edit = { ...fields, id, lastName: 'Sørlie' };
    await Promise.all([
      refreshTerms(db),
      profile.ask(profileEndpoints.updateProfile, edit, admin),
      refreshTerms(db),
    ]);
    expect(await find('sorlie')).toEqual([id]);
    expect(await find('wislocka')).toEqual([]);
    await profile.ask(profileEndpoints.eraseUser, { id }, admin);
  });

  it('are refreshed by the processes that start, several at once', async () => {
    const id = await createFormer({ lastName: 'Bjørnstad' });
    const running = [1, 2].map(() => startRefreshingTerms({ db, log: createLog('test', 'silent') }));
    await vi.waitFor(async () => expect(await find('bjornstad')).toEqual([id]), { timeout: 10_000 });
    for (const { stop } of running) await stop();
    await profile.ask(profileEndpoints.eraseUser, { id }, admin);
  });
});

describe('terms', () => {
  it('fit in their column however long the names are', async () => {
    const longest: Person = {
      firstName: `${'ß '.repeat(49)}ßß`,
      lastName: 'æ'.repeat(100),
      organizationName: Array.from({ length: 40 }, (_, index) => `œ${String(index).padStart(2, '0')}`).join(
        ' ',
      ),
      email: asciiEmail(`${'x'.repeat(60)}@${'ü'.repeat(40)}.${'ß'.repeat(20)}.test`),
    };
    const id = await create(longest);
    const terms = termsOf(personOf(longest));
    expect(terms.length).toBeLessThanOrEqual(800);
    expect(new Set(rowTermsOf({ email: '', terms })).size).toBeGreaterThan(40);
    expect(await find('x'.repeat(60))).toEqual([id]);
  });
});
