// Limits that many share: one who fills what is theirs leaves the others what is left.
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { ERRORS, type ErrorCode } from '@shortlist/contracts/errors';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createOwners } from './api-key-owners.ts';
import { type Bff, respondWith, send, startBff } from './support.ts';

/** The counts of attempts are in a database of their own, which these tests empty. */
const redisUrl = Object.assign(new URL(inject('sessionsRedisUrl')), { pathname: '/3' }).href;
const [KEY_LIMIT, USER_LIMIT, TOOL_LIMIT] = [20, 30, 100];

let bff: Bff;
beforeAll(async () => {
  bff = await startBff(redisUrl, {
    API_KEY_LIMIT: String(KEY_LIMIT),
    API_USER_LIMIT: String(USER_LIMIT),
    API_TOOL_LIMIT: String(TOOL_LIMIT),
    TRUSTED_PROXIES: '127.0.0.1',
  });
});
afterAll(() => bff.close());
let identity: ReturnType<typeof createOwners>;
beforeEach(async () => {
  await bff.redis.flushdb();
  identity = createOwners(bff);
});

const call = async (token: string, path = '/api/v1/entitlements', network = '192.0.2.1') =>
  (
    await send(bff.port, path, {
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': network },
    })
  ).status;
const many = async (count: number, request: () => Promise<number>): Promise<Map<number, number>> => {
  const statuses = await Promise.all(Array.from({ length: count }, request));
  return new Map(
    [...new Set(statuses)].map((status) => [status, statuses.filter((one) => one === status).length]),
  );
};

describe('the limit of a tool', () => {
  it('is not filled by what one account is refused', async () => {
    const toolId = uuidv7();
    const thief = identity.addToken({ toolId });
    await call(thief.token);
    const statuses = await many(10 * TOOL_LIMIT, () => call(thief.token));
    expect(statuses.get(429)).toBeGreaterThan(9 * TOOL_LIMIT);
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

  it('is not filled by requests for a scope that the token has not', async () => {
    const toolId = uuidv7();
    const token = identity.addToken({ toolId, scopes: ['profile:read'] }).token;
    await call(token);
    await many(5 * TOOL_LIMIT, () => call(token));
    expect(await call(identity.addToken({ toolId }).token)).toBe(200);
  });
});

describe('the limit of a user', () => {
  it('is not filled by the refusals of one key, for its scope or its own limit', async () => {
    const userId = uuidv7();
    const narrow = identity.add({ userId, scopes: ['profile:read'] });
    await call(narrow.key);
    const refused = await many(3 * USER_LIMIT, () => call(narrow.key));
    expect(refused.get(403)).toBeLessThanOrEqual(KEY_LIMIT);
    expect(refused.get(429)).toBeGreaterThan(USER_LIMIT);
    const busy = identity.add({ userId, scopes: ['credits:read'] });
    await call(busy.key);
    expect((await many(3 * USER_LIMIT, () => call(busy.key))).get(200)).toBe(KEY_LIMIT - 1);
    expect(await call(identity.add({ userId, scopes: ['credits:read'] }).key)).toBe(200);
  });
});

describe('keys that nobody has', () => {
  it('are limited by network before a query; a key that is in use goes on, as does another network', async () => {
    const known = identity.add({ scopes: ['credits:read'] });
    expect(await call(known.key)).toBe(200);
    const lost = identity.add({ scopes: ['credits:read'] });
    identity.remove(lost.hash);
    const statuses = await many(300, () => call(lost.key));
    expect(statuses.get(401)).toBe(60);
    expect(identity.reads).toBe(61);
    expect(await call(known.key)).toBe(200);
    const fresh = identity.add({ scopes: ['credits:read'] });
    expect(await call(fresh.key)).toBe(429);
    expect(await call(fresh.key, undefined, '192.0.2.2')).toBe(200);
  });

  it('do not count what has an owner', async () => {
    for (let index = 0; index < 100; index += 1)
      expect(await call(identity.add({ scopes: ['credits:read'] }).key)).toBe(200);
  });

  it('are not counted while identity is away', async () => {
    const { respond } = bff.upstream;
    const known = identity.addToken();
    bff.upstream.respond = (_request, response) => void response.writeHead(503).end();
    for (let index = 0; index < 70; index += 1) expect(await call(identity.addToken().token)).toBe(503);
    bff.upstream.respond = respond;
    expect(await call(known.token)).toBe(200);
  });
});

describe('wrong codes of devices', () => {
  const refuse = (code: ErrorCode): void => {
    const [status, message] = ERRORS[code];
    bff.upstream.respond = respondWith(() => ({ error: { code, message, requestId: 'r' } }), status);
  };
  const ask = async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'user');
    return async (): Promise<number> =>
      (
        await send(bff.port, publicEndpoints.findConnectionRequest.path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ source: 'device', request: 'BCDF-GHJK' }),
        })
      ).status;
  };

  it('of six accounts leave the codes of a seventh, and requests of browsers, alone', async () => {
    refuse('identity.request_unknown');
    for (let account = 0; account < 6; account += 1) await many(100, await ask());
    const seventh = await ask();
    bff.upstream.respond = respondWith(() => ({ data: {} }));
    expect(await seventh()).toBe(200);
  });
});
