import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { RESET_MINUTES, RESET_PAUSE_MINUTES } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { emailKey } from '../src/limits/attempt-limit.ts';
import { fromPage, type Jar, store } from './browser.ts';
import { NO_FACTORS, respondUnless, useBff } from './support.ts';
import {
  ana,
  countStatuses,
  type EndpointName,
  type Input,
  newEmail,
  newNetwork,
  type RawResponse,
  times,
} from './requests.ts';

const TOKEN = 'A'.repeat(43);
const LIMIT = 30;
const RESET = { token: TOKEN, password: 'a new sesame' };

const bff = await useBff({ SIGNUP_LIMIT: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' });
/** The refusals of identity by path; any other request succeeds. */
let refusals: Record<string, ErrorCode> = {};
let userId: string;
let email = '';

const replyTo = (url: string): unknown => {
  if (url === '/password-resets/check') return { data: { userId, email, role: 'user' } };
  if (url === '/password-resets/use') return { data: { userId, email, generation: 1 } };
  if (url.endsWith('/password')) return { generation: 1 };
  if (url.endsWith('/credentials')) return { data: { factors: NO_FACTORS, credentials: [] } };
  if (url.startsWith('/admins/')) return { data: { userId, email, name: null, role: 'owner' } };
  return { data: { id: userId, ...ana, email }, planState: { version: 1 }, factors: NO_FACTORS };
};
bff.upstream.respond = respondUnless(
  () => refusals,
  ({ url = '' }) => replyTo(url),
);
beforeEach(() => {
  [userId, email, refusals] = [uuidv7(), newEmail(), {}];
});

/** Calls from an address, of a network of its own unless given. */
const json = (
  name: EndpointName,
  body: object,
  { from = `${newNetwork()}::1`, ...input }: Input & { from?: string; as?: 'user' } = {},
): Promise<RawResponse> =>
  bff.call(name, { ...input, body, headers: { 'x-forwarded-for': from, ...input.headers } });
/** Calls from a page of a browser. */
const fromBrowser = async (jar: Jar, name: EndpointName, body: object, from = `${newNetwork()}::1`) => {
  const response = await json(name, body, { from, headers: fromPage(jar) });
  store(jar, response);
  return response.status;
};
const isAlive = async (token: string): Promise<boolean> => (await bff.sessions.check(token)) !== null;
const CHANGE = { currentPassword: 'open sesame', password: 'a new sesame' };
const WAYS = ['resetPassword', 'changePassword', 'the profile', 'an admin'] as const;
/** Begins a session of the account as it is after a new password, any number of times. */
const beginAnew = async () => (await bff.sessions.begin({ userId, role: 'user', generation: 1 })).token;
/** Sets a new password. */
const setPassword = async (way: (typeof WAYS)[number]): Promise<RawResponse> => {
  if (way === 'resetPassword') return json(way, RESET);
  if (way === 'changePassword') return json(way, CHANGE, { token: await beginAnew() });
  const [token, change] =
    way === 'an admin'
      ? [await bff.begin('admin'), { password: 'a new sesame' }]
      : [await beginAnew(), CHANGE];
  return bff.call('updateUser', { token, id: userId, body: { ...ana, ...change } });
};

describe('a reset of the password', () => {
  it('A10 ends every session of the user, those of the request included, begins none, and sends the names to identity', async () => {
    const [own, other] = [await bff.begin('user', userId), await bff.begin('user', userId)];
    const foreign = await bff.begin('user');
    const response = await json('resetPassword', RESET, { token: own });
    expect(response.status).toBe(200);
    expect(response.body).not.toContain('token');
    expect(await Promise.all([own, other, foreign].map(isAlive))).toEqual([false, false, true]);
    // The password must not equal them.
    const [use] = bff.upstream.requestsTo('/password-resets/use');
    expect(use?.json).toMatchObject({ words: [ana.firstName, ana.lastName] });
  });

  it('A10 clears the failed log-ins of the browser that has logged in here before', async () => {
    const jar: Jar = new Map();
    const credentials = { email, password: 'a password' };
    expect(await fromBrowser(jar, 'login', credentials)).toBe(200);
    refusals = { '/credentials/verify': 'identity.credentials_wrong' };
    const failures = await Promise.all(times(11, () => fromBrowser(jar, 'login', credentials)));
    expect(failures.toSorted()).toEqual([...times(10, () => 401), 429]);
    expect(await fromBrowser(jar, 'resetPassword', RESET)).toBe(200);
    refusals = {};
    expect(await fromBrowser(jar, 'login', credentials)).toBe(200);
  });
});

describe('a change of the own password', () => {
  it.each(['user', 'admin'] as const)('A9 ends the other sessions of the %s', async (role) => {
    const [current, other] = [await bff.begin(role, userId), await bff.begin(role, userId)];
    expect((await json('changePassword', CHANGE, { token: current })).status).toBe(200);
    expect([await isAlive(current), await isAlive(other)]).toEqual([true, false]);
  });

  it('A9 with a wrong current password counts like a log-in that failed on a known device', async () => {
    refusals = {
      '/password': 'identity.current_password_wrong',
      '/credentials/verify': 'identity.credentials_wrong',
    };
    const token = await bff.begin('user', userId);
    const from = `${newNetwork()}::1`;
    const responses = await Promise.all(times(20, () => json('changePassword', CHANGE, { token, from })));
    expect(countStatuses(responses)).toEqual({ 400: 10, 429: 10 });
    const login = await json('login', { email, password: 'the right one' }, { from });
    expect(login.status, 'and holds up no log-in').toBe(401);
  });
});

describe('a new password in the profile', () => {
  const edit = (fields: object): Promise<RawResponse> =>
    bff.call('updateUser', { as: 'user', userId, id: userId, body: { ...ana, ...fields } });

  it('A9 is refused with a wrong current password, and nothing else is saved', async () => {
    refusals = { '/password/check': 'identity.current_password_wrong' };
    const response = await edit({ password: 'a new sesame', currentPassword: 'not this one' });
    expect(response.code).toBe('identity.current_password_wrong');
    expect(bff.upstream.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  it('A9 is checked with the current one and the names, and then changed', async () => {
    expect((await edit(CHANGE)).status).toBe(200);
    const checked = { ...CHANGE, words: [ana.firstName, ana.lastName] };
    // The session that sets it stays.
    const saved = { ...checked, keptSessionId: expect.any(String) as string };
    const requests = bff.upstream.requests.filter(({ url }) => url.includes('/password'));
    expect(requests.map(({ json: sent }) => sent)).toEqual([checked, saved]);
    expect(requests[0]?.url).toMatch(/check$/);
  });
});

it.each(WAYS)('A6 A10 a new password by %s clears the failed log-ins of the account', async (way) => {
  refusals = { '/credentials/verify': 'identity.credentials_wrong' };
  const attempt = async () => (await json('login', { email, password: 'wrong one' })).status;
  await Promise.all(times(10, attempt));
  expect(await attempt()).toBe(429);
  await bff.call('updateUser', { as: 'user', userId, id: userId, body: { ...ana, city: 'Oslo' } });
  expect(await attempt(), 'and an edit without a password clears none').toBe(429);
  expect((await setPassword(way)).status).toBe(200);
  expect(await attempt()).toBe(401);
});

/** The mails with a link that identity is to cause. */
const mails = (): number =>
  bff.upstream.requestsTo('/password-resets').filter(({ method }) => method === 'POST').length;
const ask = () => json('forgotPassword', { email });
const endPause = () => bff.redis.del(`limit:reset:${emailKey(email)}`);

describe('a request for a link to set a new password', () => {
  it('A10 causes one mail in ten minutes for an address, known or not, and has the same response', async () => {
    const responses = await Promise.all(times(40, ask));
    expect(countStatuses(responses)).toEqual({ 202: 40 });
    expect(new Set(responses.map(({ body }) => body)).size).toBe(1);
    expect(mails()).toBe(1);
    const seconds = await bff.redis.ttl(`limit:reset:${emailKey(email)}`);
    expect(seconds).toBeGreaterThan(inSeconds(minutes(RESET_PAUSE_MINUTES)) - 30);
    expect(seconds, 'the link of that mail works for longer').toBeLessThan(
      inSeconds(minutes(RESET_MINUTES / 2)),
    );
  });

  it('A10 gets the owner a mail, however often others have requested one or wanted the address in the hour before', async () => {
    for (let attempt = 0; attempt < 8; attempt += 1)
      await json('requestEmailChange', { email }, { as: 'user' });
    await ask();
    expect(mails()).toBe(1);
    for (let round = 0; round < 20; round += 1) {
      await ask();
      await endPause();
    }
    const before = mails();
    expect((await ask()).status).toBe(202);
    expect(mails()).toBe(before + 1);
  });

  it('A10 causes a mail on a browser that has logged in here, although others have just requested one', async () => {
    const jar: Jar = new Map();
    const network = newNetwork();
    expect(await fromBrowser(jar, 'login', { email, password: 'a password' }, `${network}::1`)).toBe(200);
    const neighbours = times(LIMIT + 1, (index) =>
      json('forgotPassword', { email: `${index}-${email}` }, { from: `${network}::2` }),
    );
    expect(countStatuses(await Promise.all(neighbours))).toEqual({ 202: LIMIT, 429: 1 });
    await ask();
    const before = mails();
    expect(await fromBrowser(jar, 'forgotPassword', { email }, `${network}::1`)).toBe(202);
    expect(mails(), 'its network is full, and a mail of a minute ago is there').toBe(before + 1);
    for (let round = 0; round < 10; round += 1) await fromBrowser(jar, 'forgotPassword', { email });
    expect(mails(), 'it causes five in an hour').toBe(before + 5);
  });

  it.each(WAYS)(
    'A10 causes a mail after a new password by %s, which has ended the last link',
    async (way) => {
      await ask();
      expect((await setPassword(way)).status).toBe(200);
      await ask();
      expect(mails()).toBe(2);
      for (let round = 0; round < 10; round += 1) {
        await setPassword(way);
        await ask();
      }
      // Five times an hour: the holder of an account floods no mailbox.
      expect(mails()).toBeLessThanOrEqual(6);
    },
  );
});
