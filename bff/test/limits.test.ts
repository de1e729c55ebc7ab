import { hours, inSeconds, minutes } from '@shortlist/contracts/durations';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { CHANGES_AN_HOUR } from '../src/http/change-limit.ts';
import { createAttemptLimit, networkOf, storedNetworkOf } from '../src/limits/attempt-limit.ts';
import type { SessionRole } from '../src/session/session.ts';
import {
  ana,
  countStatuses,
  type EndpointName,
  type Input,
  newEmail,
  newNetwork,
  type Operation,
  times,
} from './requests.ts';
import { refuseWith, respondAsAccount, respondWith, startBff, useBff } from './support.ts';

const LIMIT = 60;
const SIGN_UPS = 30;
const bff = await useBff({
  LOGIN_LIMIT: String(LIMIT),
  SIGNUP_LIMIT: String(SIGN_UPS),
  TRUSTED_PROXIES: '127.0.0.1',
});
beforeEach(() => {
  bff.upstream.respond = refuseWith('identity.credentials_wrong');
});

const newAddress = (): string => `${newNetwork()}::1`;
/** Calls from this address. */
const callFrom = (address: string, operation: Operation, input: Input & { as?: SessionRole } = {}) =>
  bff.call(operation, { ...input, headers: { 'x-forwarded-for': address, ...input.headers } });
const logIn = (address: string, email = newEmail(), name: 'login' | 'adminLogin' = 'login') =>
  callFrom(address, name, { body: { email, password: 'wrong one' } });
/** How many passwords identity has compared. */
const comparisons = (): number => bff.upstream.requestsTo('/credentials/verify').length;

describe('log-ins', () => {
  it('A6 of one network are limited over all accounts, however many come at once, and others pass meanwhile', async () => {
    const network = newNetwork();
    const flood = Promise.all(times(200, (index) => logIn(`${network}::${index}`)));
    const others = await Promise.all(times(20, () => logIn(newAddress())));
    expect(countStatuses(others)).toEqual({ 401: 20 });
    const responses = await flood;
    expect(countStatuses(responses)).toEqual({ 401: LIMIT, 429: 200 - LIMIT });
    expect(comparisons()).toBe(LIMIT + 20);
    const refused = responses.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused?.body).toMatch(/Please try again in \d+ seconds?\./);
  });

  it.each(['login', 'adminLogin'] as const)(
    'A6 forty at once at %s do not pass the limit of ten for one account from one network',
    async (name) => {
      const [email, address] = [newEmail(), newAddress()];
      const startedAt = performance.now();
      const responses = await Promise.all(times(40, () => logIn(address, email, name)));
      // After ten failures the next attempt waits one second, the one after it two, and so on.
      const waited = Math.floor(Math.log2(1 + (performance.now() - startedAt) / 1_000));
      const { 401: compared = 0, 429: refused } = countStatuses(responses);
      expect(compared).toBeGreaterThanOrEqual(10);
      expect(compared).toBeLessThanOrEqual(10 + waited);
      expect(refused).toBe(40 - compared);
      expect(comparisons()).toBe(compared);
    },
  );

  it('A6 do not count while identity compares no password', async () => {
    const [email, address] = [newEmail(), newAddress()];
    bff.upstream.respond = refuseWith('identity.busy');
    for (let round = 0; round < 20; round += 1) expect((await logIn(address, email)).status).toBe(503);
  });

  it('A6 that fail on many accounts are limited by the hour', async () => {
    const network = newNetwork();
    await Promise.all(times(LIMIT, () => logIn(`${network}::1`)));
    const key = `limit:login-network:${network}::/64`;
    expect(await bff.redis.get(key)).toBe(String(LIMIT));
    expect(await bff.redis.ttl(key)).toBeGreaterThan(3_000);
  });
});

// All at once: each response that refuses is held for a second.
describe.concurrent('requests of one network', () => {
  const TOKEN = 'A'.repeat(43);
  const account = () => ({ email: newEmail(), password: 'open sesame' });

  it.each<[EndpointName, () => object, { as?: 'user' }]>([
    ['signup', () => ({ ...ana, ...account() }), {}],
    ['forgotPassword', () => ({ email: newEmail() }), {}],
    ['checkReset', () => ({ token: TOKEN }), {}],
    ['checkEmailUndo', () => ({ token: TOKEN }), {}],
    ['requestEmailChange', () => ({ email: newEmail() }), { as: 'user' }],
  ])('I6 A10 A13 of %s are limited, however many come at once', async (name, bodyOf, session) => {
    bff.upstream.respond = respondAsAccount();
    const callAt = async (address: string) =>
      (await callFrom(address, name, { ...session, body: bodyOf() })).status === 429 ? 'refused' : 'passed';
    const network = newNetwork();
    const results = await Promise.all(times(40, (index) => callAt(`${network}::${index}`)));
    expect(results.filter((result) => result === 'passed')).toHaveLength(SIGN_UPS);
    expect(await callAt(newAddress())).toBe('passed');
  });
});

describe('sign-ups', () => {
  beforeEach(() => {
    bff.upstream.respond = respondAsAccount();
  });
  const signUp = (email = newEmail(), address = newAddress(), session: { as?: 'admin' } = {}) =>
    callFrom(address, 'signup', { body: { ...ana, email, password: 'open sesame' }, ...session });
  const statusesOf = async (emails: string[]): Promise<object> =>
    countStatuses(await Promise.all(emails.map((email) => signUp(email))));
  const aliasesOf = (name: string, count: number): string[] =>
    times(count, (index) => `${name}+${index}@people.test`);

  it('I6 with aliases of one mailbox are limited by day; its owner, other addresses and admins are not', async () => {
    const name = uuidv7();
    expect(await statusesOf(aliasesOf(name, 20))).toEqual({ 201: 20 });
    bff.upstream.requests.length = 0;
    const refused = await signUp(`${name}+again@people.test`);
    expect([refused.status, refused.code]).toEqual([429, 'request.rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(inSeconds(hours(23)));
    expect(bff.upstream.requests).toEqual([]);
    for (const domain of ['people.test', 'elsewhere.test'])
      expect((await signUp(`${name}@${domain}`)).status).toBe(201);
    // No address is stored.
    expect((await bff.redis.keys('limit:*')).filter((key) => key.includes(name))).toEqual([]);
    const byAdmin = await signUp(`${name}+admin@people.test`, newAddress(), { as: 'admin' });
    expect(byAdmin.status).toBe(201);
  });

  it('I6 with one email address are limited by day', async () => {
    const email = newEmail();
    expect(await statusesOf(times(21, () => email))).toEqual({ 201: 20, 429: 1 });
  });

  it('I6 that are refused do not count', async () => {
    const email = newEmail();
    bff.upstream.respond = refuseWith('identity.email_taken');
    for (let round = 0; round < 30; round += 1) expect((await signUp(email)).status).toBe(409);
  });
});

describe('the changes of a user', () => {
  it('are refused beyond the limit of an hour, concurrent ones too; others’, charges, reads and ends are not', async () => {
    bff.upstream.respond = respondWith(() => ({}));
    const userId = uuidv7();
    const token = await bff.begin('user', userId);
    await bff.redis.set(`limit:changes:${userId}`, String(CHANGES_AN_HOUR - 3), 'EX', 600);
    const replies = await Promise.all(times(8, () => bff.call('rotateWebhookSecret', { token })));
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(5);
    const refused = await bff.call('updateUser', { token, id: userId });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500);
    const open = ['webhooks', 'deleteWebhook', 'chargeCredit', 'endOtherSessions', 'changePassword'] as const;
    for (const name of [...open, 'logout'] as const)
      expect((await bff.call(name, { token })).status, name).not.toBe(429);
    expect((await bff.call('rotateWebhookSecret', { as: 'user' })).status).not.toBe(429);
  });
});

describe('a refusal', () => {
  const settings = () =>
    ({ name: uuidv7(), attempts: 1, windowMs: minutes(1), withoutRedis: 'refuse' }) as const;
  const RATE_LIMITED = { code: 'request.rate_limited' };

  it('A6 is held back for its time, and an attempt that passes is not', async () => {
    const same = settings();
    const limit = createAttemptLimit(bff.redis, { ...same, holdMs: 30_000 });
    await limit.consume('one');
    let isRefused = false;
    limit.consume('one').catch(() => (isRefused = true));
    // The same attempt without a hold has been refused by then.
    const withoutHold = createAttemptLimit(bff.redis, same);
    await expect(withoutHold.consume('one')).rejects.toMatchObject(RATE_LIMITED);
    await expect(withoutHold.consume('one')).rejects.toMatchObject(RATE_LIMITED);
    expect(isRefused).toBe(false);
  });

  it('A6 that was held back is a refusal', async () => {
    const limit = createAttemptLimit(bff.redis, { ...settings(), holdMs: 20 });
    await limit.consume('one');
    await expect(limit.consume('one')).rejects.toMatchObject(RATE_LIMITED);
  });
});

describe('broken requests of a network without a session', () => {
  /** Twice as many as log-ins. */
  const REFUSALS = 2 * LIMIT;
  beforeEach(() => {
    bff.upstream.respond = respondAsAccount();
  });
  const breakOff = (address: string) => callFrom(address, 'login', { body: '{' });
  const RIGHT = { email: 'ana@talent.test', password: 'open sesame' };
  /** A network with as many refusals as it may have. */
  const exhausted = async (): Promise<string> => {
    const address = newAddress();
    const responses = await Promise.all(times(REFUSALS, () => breakOff(address)));
    expect(countStatuses(responses)).toEqual({ 400: REFUSALS });
    return address;
  };

  it('B13 are refused in words beyond the limit, held back, and counted for their network alone', async () => {
    const address = await exhausted();
    const began = performance.now();
    const { status, body, headers } = await breakOff(address);
    expect([status, body]).toEqual([429, expect.stringContaining('Too many attempts')]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(performance.now() - began).toBeGreaterThan(900);
    expect((await breakOff(newAddress())).status).toBe(400);
  });

  it('B13 do not keep the other clients of their network from logging in, nor a user from working', async () => {
    const address = await exhausted();
    expect((await breakOff(address)).status).toBe(429);
    expect((await callFrom(address, 'login', { body: RIGHT })).status).toBe(200);
    // A user's own mistakes are explained, and count against no network.
    const token = await bff.begin('user');
    const mistake = await callFrom(address, 'verifyEmailCode', { token, body: { code: '1' } });
    expect(mistake.status).not.toBe(429);
  });

  const CHUNKED = { 'transfer-encoding': 'chunked' };
  it.concurrent.each<[string, Operation, Input]>([
    ['an invalid body', 'login', { body: { email: 1 } }],
    ['unknown fields', 'forgotPassword', { body: { a: 1 } }],
    ['a body that is too large', 'login', { body: ' '.repeat(5_000) }],
    ['a compressed body', 'login', { headers: { 'content-encoding': 'gzip' } }],
    ['another type', 'POST /signup', {}],
    ['a foreign host', 'login', { body: RIGHT, headers: { host: 'evil.test' } }],
    ['a foreign origin', 'login', { body: RIGHT, headers: { origin: 'https://evil.test' } }],
    ['a path that two programs read differently', 'POST /api//login', { body: RIGHT }],
    ['a query that is too long', 'login', { query: `?${'a&'.repeat(60)}`, body: RIGHT }],
    ['a body without a size', 'POST /api/webhooks/stripe', { body: '{', headers: CHUNKED }],
  ])('B13 count %s', async (_, operation, input) => {
    expect((await callFrom(await exhausted(), operation, input)).status).toBe(429);
  });
});

describe('the client address of a rate limit', async () => {
  // The counts are in a database of their own: other tests share the address of the connection.
  const redisUrl = Object.assign(new URL(inject('sessionsRedisUrl')), { pathname: '/1' }).href;
  const direct = await startBff(redisUrl, { LOGIN_LIMIT: '10', TRUSTED_PROXIES: '' });
  afterAll(direct.close);
  const proxied = await startBff(redisUrl, { LOGIN_LIMIT: '10', TRUSTED_PROXIES: '127.0.0.1' });
  afterAll(proxied.close);
  const SPOOFED = (round: number): string => `198.51.100.${round}`;
  /** Logs in twelve times, all at once: each response that refuses is held for a second. Returns how often each status occurs. */
  const logInWith = async (to: typeof direct, header: string, valueOf: (round: number) => string) => {
    await to.redis.flushdb();
    to.upstream.respond = refuseWith('identity.credentials_wrong');
    const bodyOf = () => ({ email: newEmail(), password: 'wrong one' });
    const attempt = (round: number) =>
      to.call('login', { body: bodyOf(), headers: { [header]: valueOf(round) } });
    return countStatuses(await Promise.all(times(12, attempt)));
  };

  it.each(['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'CF-Connecting-IP'])(
    'B7 is that of the connection, whatever a client sends in %s',
    async (header) => expect(await logInWith(direct, header, SPOOFED)).toEqual({ 401: 10, 429: 2 }),
  );

  it.each<[is: string, valueOf: (round: number) => string, counts: Record<number, number>]>([
    ['the one that the trusted load balancer reports, of each', SPOOFED, { 401: 12 }],
    ['the one that the trusted load balancer reports, of one', () => '198.51.100.200', { 401: 10, 429: 2 }],
    ['not one that a client added', (round) => `${SPOOFED(round)}, 203.0.113.7`, { 401: 10, 429: 2 }],
  ])('B7 is %s', async (_is, valueOf, counts) =>
    expect(await logInWith(proxied, 'x-forwarded-for', valueOf)).toEqual(counts),
  );
});

it.each([
  ['198.51.100.7', '198.51.100.7', '198.51.100.0/24'],
  ['::ffff:198.51.100.7', '198.51.100.7', '198.51.100.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8::/64', '2001:db8::/48'],
  ['2001:db8:1:2:3::6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['fe80::1%eth0', 'fe80::/64', 'fe80::/48'],
  ['::1', '::/64', '::/48'],
])('%s is counted as %s and stored as %s', (address, counted, stored) => {
  expect([networkOf(address), storedNetworkOf(address)]).toEqual([counted, stored]);
});

it('of an unknown address no network is stored', () => {
  expect(storedNetworkOf('unknown')).toBe('');
});
