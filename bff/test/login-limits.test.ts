import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { respondWith, send, useBff } from './support.ts';

const LIMIT = 60;

const strict = { LOGIN_LIMIT: String(LIMIT), SIGNUP_LIMIT: '30', TRUSTED_PROXIES: '127.0.0.1' };
const bff = await useBff(strict);

const respondWrong = respondWith(
  () => ({ error: { code: 'identity.credentials_wrong', message: 'no' } }),
  401,
);
beforeEach(() => {
  bff.upstream.respond = respondWrong;
});

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A network of its own for each test, in the range for documentation. */
const newNetwork = (): string => `2001:db8:f${uuidv7().slice(-3)}:f${uuidv7().slice(-3)}`;
const newEmail = (): string => `${uuidv7()}@people.test`;

const logIn = (from: string, email: string, path = '/login') =>
  send(bff.port, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, password: 'wrong one' }),
  });

/** How many passwords identity has compared. */
const comparisons = (): number =>
  bff.upstream.requests.filter(({ url }) => url === '/credentials/verify').length;

const statusCounts = (responses: { status: number }[]): Record<number, number> =>
  responses.reduce<Record<number, number>>(
    (counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  );

describe('log-ins', () => {
  it('A6 of one network are limited over all accounts, however many come at once', async () => {
    const network = newNetwork();
    const responses = await Promise.all(times(200, (index) => logIn(`${network}::${index}`, newEmail())));
    expect(statusCounts(responses)).toEqual({ 401: LIMIT, 429: 200 - LIMIT });
    expect(comparisons()).toBe(LIMIT);
    const refused = responses.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused?.body).toMatch(/Please try again in \d+ seconds?\./);
    expect((await logIn(`${newNetwork()}::1`, newEmail())).status).toBe(401);
  });

  it('A6 of other networks pass while 200 connections of one network flood, which get 429', async () => {
    const network = newNetwork();
    const flood = Promise.all(times(200, (index) => logIn(`${network}::${index}`, newEmail())));
    const others = await Promise.all(times(20, () => logIn(`${newNetwork()}::1`, newEmail())));
    expect(statusCounts(others)).toEqual({ 401: 20 });
    expect(statusCounts(await flood)).toEqual({ 401: LIMIT, 429: 200 - LIMIT });
    expect(comparisons()).toBe(LIMIT + 20);
  });

  it.each(['/login', '/super-admin-authentication'])(
    'A6 forty at once at %s do not pass the limit of ten for one account from one network',
    async (path) => {
      const email = newEmail();
      const network = newNetwork();
      const responses = await Promise.all(times(40, () => logIn(`${network}::1`, email, path)));
      expect(statusCounts(responses)).toEqual({ 401: 10, 429: 30 });
      expect(comparisons()).toBe(10);
    },
  );

  it('A6 do not count while identity compares no password', async () => {
    const email = newEmail();
    const network = newNetwork();
    bff.upstream.respond = respondWith(() => ({ error: { code: 'identity.busy', message: 'x' } }), 503);
    const responses = [];
    for (let round = 0; round < 20; round += 1) responses.push(await logIn(`${network}::1`, email));
    expect(statusCounts(responses)).toEqual({ 503: 20 });
  });

  it('A6 that fail on many accounts are limited by the hour', async () => {
    const network = newNetwork();
    await Promise.all(times(LIMIT, () => logIn(`${network}::1`, newEmail())));
    const key = `limit:login-network:${network}::/64`;
    expect(await bff.redis.get(key)).toBe(String(LIMIT));
    expect(await bff.redis.ttl(key)).toBeGreaterThan(3_000);
  });
});

describe('sign-ups', () => {
  const signUp = (from: string) =>
    send(bff.port, '/signup', {
      method: 'POST',
      headers: { 'content-type': MULTIPART, 'x-forwarded-for': from },
      body: form(field('userData', JSON.stringify({ ...ana, email: newEmail(), password: 'open sesame' }))),
    });

  it('I6 of one network are limited before their form is read, however many come at once', async () => {
    bff.upstream.respond = respondWith(() => ({ data: { id: uuidv7(), email: 'x', createdAt: 'x' } }));
    const network = newNetwork();
    const responses = await Promise.all(times(60, (index) => signUp(`${network}::${index}`)));
    expect(statusCounts(responses)).toEqual({ 201: 30, 429: 30 });
    expect((await signUp(`${newNetwork()}::1`)).status).toBe(201);
  });
});
