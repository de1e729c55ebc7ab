import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { NO_FACTORS } from './factors-reply.ts';
import { type RawResponse, respondWith, send, useBff } from './support.ts';

/** Half as many log-ins as refusals. */
const LOGIN_LIMIT = 5;
const LIMIT = 2 * LOGIN_LIMIT;

const strict = { LOGIN_LIMIT: String(LOGIN_LIMIT), TRUSTED_PROXIES: '127.0.0.1' };
const bff = await useBff(strict);
beforeEach(() => {
  bff.upstream.respond = respondWith(() => ({
    data: { id: uuidv7() },
    planState: { version: 1 },
    factors: NO_FACTORS,
  }));
});

let networks = 0;
const newNetwork = (): string => `10.7.0.${(networks += 1)}`;

type Change = { path?: string; body?: string; headers?: Record<string, string> };
const post = (
  address: string,
  { path = '/login', body = '{', headers = {} }: Change = {},
): Promise<RawResponse> =>
  send(bff.port, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
    body,
  });
const RIGHT = { body: '{"email":"ana@talent.test","password":"open sesame"}' };

const exhaust = async (address: string): Promise<void> => {
  await Promise.all(Array.from({ length: LIMIT }, () => post(address)));
};

describe('broken requests of a network without a session', () => {
  it('B13 are refused in words beyond the limit, held back, and counted for their network alone', async () => {
    const address = newNetwork();
    const replies = await Promise.all(Array.from({ length: LIMIT }, () => post(address)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([400]));
    const began = performance.now();
    const { status, body, headers } = await post(address);
    expect([status, body]).toEqual([429, expect.stringContaining('You have tried too often')]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(performance.now() - began).toBeGreaterThan(900);
    expect((await post(newNetwork())).status).toBe(400);
  });

  it('B13 do not keep the other clients of their network from logging in, nor a user from working', async () => {
    const address = newNetwork();
    await exhaust(address);
    expect((await post(address)).status).toBe(429);
    expect((await post(address, RIGHT)).status).toBe(200);
    const { token } = await bff.sessions.begin(uuidv7(), 'user');
    const headers = { authorization: `Bearer ${token}` };
    // A user's own mistakes are explained, and count against no network.
    const mistake = await post(address, { path: '/api/email/verify-code', body: '{"code":"1"}', headers });
    expect(mistake.status).not.toBe(429);
  });

  it.each<[string, Change]>([
    ['an invalid body', { body: '{"email":1}' }],
    ['unknown fields', { path: '/api/password/forgot', body: '{"a":1}' }],
    ['a body that is too large', { body: ' '.repeat(5_000) }],
    ['a compressed body', { body: '{}', headers: { 'content-encoding': 'gzip' } }],
    ['another type', { path: '/signup', body: '{}' }],
    ['a foreign host', { ...RIGHT, headers: { host: 'evil.test' } }],
    ['a foreign origin', { ...RIGHT, headers: { origin: 'https://evil.test' } }],
    ['a path that two programs read differently', { ...RIGHT, path: '/api//login' }],
    ['a query that is too long', { ...RIGHT, path: `/login?${'a&'.repeat(60)}` }],
    ['a body without a size', { path: '/api/webhooks/stripe', headers: { 'transfer-encoding': 'chunked' } }],
  ])('B13 count %s', async (_, change) => {
    const address = newNetwork();
    await exhaust(address);
    expect((await post(address, change)).status).toBe(429);
  });
});
