import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { DIRECTORY_COUNT_MAX } from '@shortlist/contracts/limits';
import { asService } from '@shortlist/kit/http/http-client';
import { openTestService, type OpenedService } from '@shortlist/kit/testing/open-service';
import { countStatements, createTestDb } from '@shortlist/kit/testing/databases';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { newId, profileFields } from './users.ts';

const { db, drop } = await createTestDb(schema);
const START = new Date('2026-06-01T00:00:00.000Z');
const PAID = { key: 'in_1', start: START.toISOString(), end: '2026-06-02T00:00:00.000Z', graceUntil: null };
const admin = { caller: { role: 'admin', userId: newId() } } as const;
const service = asService();
let now = START;
let profile: OpenedService;

beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => now }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const totals = async () => (await profile.ask(directoryEndpoints.countDirectory, {}, admin)).data;

const register = async (): Promise<string> => {
  const id = newId();
  const fields = { ...profileFields, id, email: `${id}@talent.test`, picture: null };
  await profile.ask(
    profileEndpoints.createProfile,
    { ...fields, createdAt: now.toISOString() },
    { caller: { role: 'anonymous', userId: null } },
  );
  return id;
};

/** Doubles the rows of profiles until there are more than are counted for every request. */
const fill = async (): Promise<number> => {
  const [columns] = await db.query<{ list: string }[]>(
    `SELECT GROUP_CONCAT(column_name) AS list FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = 'profiles' AND column_name <> 'user_id'`,
  );
  let { registered } = await totals();
  for (; registered <= DIRECTORY_COUNT_MAX; registered *= 2)
    await db.query(
      `INSERT INTO profiles (user_id, ${columns?.list}) SELECT UUID(), ${columns?.list} FROM profiles`,
    );
  return registered;
};

it('a small directory is counted for every request, with the current plans', async () => {
  expect(await totals()).toEqual({ registered: 0, premium: 0, countedAt: START.toISOString() });
  const [paying, other] = [await register(), await register()];
  const planState = { version: 1, paid: PAID, granted: null };
  await profile.ask(profileEndpoints.storePlan, { id: paying, planState }, service);
  expect(await totals()).toMatchObject({ registered: 2, premium: 1 });
  await profile.ask(profileEndpoints.eraseUser, { id: other }, admin);
  expect(await totals()).toMatchObject({ registered: 1, premium: 1 });
  now = new Date('2026-06-03T00:00:00.000Z');
  expect(await totals()).toEqual({ registered: 1, premium: 0, countedAt: now.toISOString() });
});

it('a large directory is counted beyond the limit of lists, once a minute, with the time of the count', async () => {
  const registered = await fill();
  const counted = await totals();
  expect(counted).toMatchObject({ registered, countedAt: now.toISOString() });
  now = new Date(now.getTime() + 59_000);
  await register();
  expect(await countStatements(db, totals)).toBe(0);
  expect(await totals()).toEqual(counted);
  now = new Date(now.getTime() + 1_000);
  expect(await countStatements(db, () => Promise.all([totals(), totals()]))).toBe(2);
  expect(await totals()).toEqual({
    registered: registered + 1,
    premium: 0,
    countedAt: now.toISOString(),
  });
});

it('requests that arrive before the first count share it', async () => {
  const restarted = await openTestService(createProfileService({ db, clock: () => now }), {
    db,
    roles: ['http'],
  });
  const read = () => restarted.ask(directoryEndpoints.countDirectory, {}, admin);
  expect(await countStatements(db, () => Promise.all([read(), read(), read()]))).toBe(2);
  await restarted.stop();
});
