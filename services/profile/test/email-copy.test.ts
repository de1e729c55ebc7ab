import { randomUUID } from 'node:crypto';
import { ACCOUNT_COPIES_MAX, type AccountCopy } from '@shortlist/contracts/api/identity';
import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { type Profile, profileEndpoints } from '@shortlist/contracts/api/profile';
import { emailChanged } from '@shortlist/contracts/events/identity';
import { profileUpdated } from '@shortlist/contracts/events/profile';
import { asService } from '@shortlist/kit/http/http-client';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { type OpenedService, openTestService } from '@shortlist/kit/testing/open-service';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { newId, profileFields } from './users.ts';

const { db, drop } = await createTestDb(schema);
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
const admin = { caller: { role: 'admin', userId: randomUUID() } } as const;
const service = asService();
let profile: OpenedService;
let id = '';
let oldEmail = '';

beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => new Date() }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});
const create = async (user: string, email: string): Promise<void> => {
  const fields = { ...profileFields, id: user, email, picture: null };
  const created = { ...fields, createdAt: '2026-03-01T12:00:00.000Z' };
  await profile.ask(profileEndpoints.createProfile, created, anonymous);
};
beforeEach(async () => {
  id = newId();
  oldEmail = `former.${id}@talent.test`;
  await create(id, oldEmail);
});

const find = async (): Promise<Profile> =>
  (await profile.ask(profileEndpoints.getProfile, { id }, service)).data;
const search = async (text: string): Promise<string[]> =>
  (await profile.ask(directoryEndpoints.listDirectory, { search: text }, admin)).data.map(
    ({ email }) => email,
  );
const publish = async (email: string, version: number, subject = id): Promise<void> => {
  const event = eventOf(emailChanged, subject, {
    email,
    version,
    changeId: randomUUID(),
    generation: 1,
    keptSessionId: '',
  });
  await profile.bus.publish(emailChanged.topic, [{ key: subject, value: JSON.stringify(event) }]);
  await profile.bus.release(); // resolves when all published events are handled
};

it('A13 a changed email replaces the copy, by which admins then find the user', async () => {
  const { version } = await find();
  const email = `latter.${id}@people.test`;
  await publish(email, 2);
  expect(await find()).toMatchObject({ email, version });
  expect(await search(email)).toEqual([email]);
  expect(await search('latter')).toContain(email);
  expect(await search(oldEmail)).toEqual([]);
});

it('A13 an older event restores no older email', async () => {
  await publish(`third.${id}@people.test`, 3);
  await publish(`second.${id}@people.test`, 2);
  expect((await find()).email).toBe(`third.${id}@people.test`);
});

it('A13 the copy is stored ahead of the event, which then changes nothing', async () => {
  const email = `latter.${id}@people.test`;
  await profile.ask(profileEndpoints.storeEmail, { id, email, version: 2 }, service);
  expect((await find()).email).toBe(email);
  await publish(`other.${id}@people.test`, 2);
  expect((await find()).email).toBe(email);
});

it('every account is in a page of what profile knows, with the version of its address', async () => {
  const others = Array.from({ length: ACCOUNT_COPIES_MAX }, newId);
  for (const other of others) await create(other, `${other}@people.test`);
  await profile.ask(
    profileEndpoints.storeEmail,
    { id, email: `later.${id}@people.test`, version: 7 },
    service,
  );
  const copies: AccountCopy[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const page = await profile.ask(profileEndpoints.listAccountCopies, after ? { after } : {}, service);
    expect(page.data.length).toBeLessThanOrEqual(ACCOUNT_COPIES_MAX);
    copies.push(...page.data);
    after = page.next;
  }
  expect(new Set(copies.map((copy) => copy.id)).size).toBe(copies.length);
  expect(copies.map((copy) => copy.id)).toEqual(expect.arrayContaining(others));
  expect(copies.find((copy) => copy.id === id)).toMatchObject({
    ...{ email: `later.${id}@people.test`, emailVersion: 7 },
  });
});

it('a profile is stated again as it is, and none that does not exist', async () => {
  const before = await find();
  await profile.ask(profileEndpoints.stateProfiles, { ids: [id, newId()] }, service);
  const sql = 'SELECT payload FROM outbox WHERE message_key = ? ORDER BY id DESC';
  const [row] = await db.query<{ payload: string }[]>(sql, [id]);
  expect(JSON.parse(row?.payload ?? '')).toMatchObject({
    type: profileUpdated.type,
    data: { version: before.version, email: oldEmail, firstName: before.firstName },
  });
  expect(await find()).toEqual(before);
});

it('A13 the email of an admin, who has no profile, creates none', async () => {
  const adminId = newId();
  await publish('root@talent.test', 2, adminId);
  await expect(profile.ask(profileEndpoints.getProfile, { id: adminId }, service)).rejects.toMatchObject({
    code: 'profile.not_found',
  });
});
