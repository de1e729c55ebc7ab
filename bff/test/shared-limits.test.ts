// Limits that many share: one who fills what is theirs leaves the others what is left.
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { StoredKey } from '../src/api-keys/key-store.ts';
import { createOwners } from './api-key-owners.ts';
import { countStatuses, times } from './requests.ts';
import { startBff } from './support.ts';

/** The counts of attempts are in a database of their own, which these tests empty. */
const redisUrl = Object.assign(new URL(inject('sessionsRedisUrl')), { pathname: '/3' }).href;
const [KEY_LIMIT, USER_LIMIT, TOOL_LIMIT] = [20, 30, 100];

const bff = await startBff(redisUrl, {
  API_KEY_LIMIT: String(KEY_LIMIT),
  API_USER_LIMIT: String(USER_LIMIT),
  API_TOOL_LIMIT: String(TOOL_LIMIT),
  TRUSTED_PROXIES: '127.0.0.1',
});
afterAll(bff.close);
let identity: ReturnType<typeof createOwners>;
beforeEach(async () => {
  await bff.redis.flushdb();
  identity = createOwners(bff);
});

const request = (token: string, network = '192.0.2.1') =>
  bff.call('GET /api/v1/entitlements', { token, headers: { 'x-forwarded-for': network } });
const call = async (...input: Parameters<typeof request>): Promise<number> =>
  (await request(...input)).status;
const many = async (count: number, attempt: () => Promise<number>): Promise<Record<number, number>> =>
  countStatuses((await Promise.all(times(count, attempt))).map((status) => ({ status })));
const scopes: StoredKey['scopes'] = ['credits:read'];

describe('the limit of a tool', () => {
  it(`is of ${TOOL_LIMIT} requests a minute, whoever its users are`, async () => {
    const toolId = uuidv7();
    for (const index of times(TOOL_LIMIT, (each) => each)) {
      const { status, headers } = await request(identity.addToken({ toolId }).token);
      expect([status, headers['ratelimit']]).toEqual([
        200,
        expect.stringContaining(`"client";r=${TOOL_LIMIT - index - 1};`),
      ]);
      expect(headers['ratelimit-policy']).toContain(`"client";q=${TOOL_LIMIT};w=60`);
    }
    const over = await request(identity.addToken({ toolId }).token);
    expect([over.status, Number(over.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(await call(identity.addToken().token)).toBe(200);
    expect((await request(identity.addKey({ scopes }).token)).headers['ratelimit']).not.toContain('client');
  });

  it.each<[string, Partial<StoredKey>, number, number]>([
    ['what one account is refused for its share', {}, 429, 9 * TOOL_LIMIT],
    ['requests for a scope that the token has not', { scopes: ['profile:read'] }, 403, 0],
  ])('is not filled by %s', async (_what, change, status, least) => {
    const toolId = uuidv7();
    const { token } = identity.addToken({ toolId, ...change });
    await call(token);
    const statuses = await many(10 * TOOL_LIMIT, () => call(token));
    expect(statuses[status]).toBeGreaterThan(least);
    expect(await call(identity.addToken({ toolId }).token)).toBe(200);
  });

  it('is filled by one account to a tenth, however many installations it has connected', async () => {
    const toolId = uuidv7();
    const userId = uuidv7();
    const installations = Array.from({ length: 5 }, () => identity.addToken({ toolId, userId }).token);
    let passed = 0;
    for (const token of installations)
      for (let index = 0; index < 5; index += 1) if ((await call(token)) === 200) passed += 1;
    expect(passed).toBe(TOOL_LIMIT / 10);
    // The account's other tools are not affected.
    expect(await call(identity.addToken({ userId }).token)).toBe(200);
  });
});

describe('the limit of a user', () => {
  it('counts the requests of a key and of all keys of its user, and says what is left', async () => {
    const userId = uuidv7();
    const [one, other] = [identity.addKey({ userId, scopes }), identity.addKey({ userId, scopes })];
    const { headers } = await request(one.token);
    expect(headers['ratelimit-policy']).toBe(`"key";q=${KEY_LIMIT};w=60, "user";q=${USER_LIMIT};w=60`);
    const left = `"key";r=${KEY_LIMIT - 1};t=\\d+, "user";r=${USER_LIMIT - 1};t=\\d+`;
    expect(headers['ratelimit']).toMatch(new RegExp(`^${left}$`));
    for (let index = 1; index < KEY_LIMIT; index += 1) await call(one.token);
    const refused = await request(one.token);
    expect([refused.status, refused.code]).toEqual([429, 'request.rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // What the one was refused is left to the other.
    for (let index = KEY_LIMIT; index < USER_LIMIT; index += 1) expect(await call(other.token)).toBe(200);
    expect((await request(other.token)).code).toBe('request.rate_limited');
  });

  it('is not filled by the refusals of one key, for its scope or its own limit', async () => {
    const userId = uuidv7();
    const narrow = identity.addKey({ userId, scopes: ['profile:read'] });
    await call(narrow.token);
    const refused = await many(3 * USER_LIMIT, () => call(narrow.token));
    expect(refused[403]).toBeLessThanOrEqual(KEY_LIMIT);
    expect(refused[429]).toBeGreaterThan(USER_LIMIT);
    const busy = identity.addKey({ userId, scopes });
    await call(busy.token);
    expect((await many(3 * USER_LIMIT, () => call(busy.token)))[200]).toBe(KEY_LIMIT - 1);
    expect(await call(identity.addKey({ userId, scopes }).token)).toBe(200);
  });
});

describe('keys that nobody has', () => {
  it('are limited by network before a query; a key that is in use goes on, as does another network', async () => {
    const known = identity.addKey({ scopes });
    expect(await call(known.token)).toBe(200);
    const lost = identity.addKey({ scopes });
    identity.owners.delete(lost.hash);
    const statuses = await many(300, () => call(lost.token));
    expect(statuses[401]).toBe(60);
    expect(identity.reads).toBe(61);
    expect(await call(known.token)).toBe(200);
    const fresh = identity.addKey({ scopes });
    expect(await call(fresh.token)).toBe(429);
    expect(await call(fresh.token, '192.0.2.2')).toBe(200);
  });

  it('do not count what has an owner', async () => {
    // A few at a time: an attempt counts until identity's response is known.
    for (const _ of times(10, String))
      expect(await many(10, () => call(identity.addKey({ scopes }).token))).toEqual({ 200: 10 });
  });

  it('are not counted while identity is away', async () => {
    const { respond } = bff.upstream;
    const known = identity.addToken();
    bff.upstream.respond = (_request, response) => void response.writeHead(503).end();
    // One after the other: an attempt counts until identity's response is known.
    for (const _ of times(70, String)) expect(await call(identity.addToken().token)).toBe(503);
    bff.upstream.respond = respond;
    expect(await call(known.token)).toBe(200);
  });
});
