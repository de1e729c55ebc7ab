import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { hours, minutes } from '@shortlist/contracts/durations';
import { until } from '@shortlist/kit/testing/until';
import { createKey } from '../src/api-keys/key.ts';
import { createOwners } from './api-key-owners.ts';
import { send, useBff } from './support.ts';

let now: Date;
now = new Date();
const limits = { API_KEY_LIMIT: '5', API_USER_LIMIT: '8' };
const bff = await useBff(limits, { clock: () => now });

let identity: ReturnType<typeof createOwners>;
beforeEach(() => {
  now = new Date();
  identity = createOwners(bff);
});

const call = (key: string | null, path = '/api/v1/entitlements', headers = {}) =>
  send(bff.port, path, {
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
  });

const codeOf = ({ body }: { body: string }): string => (JSON.parse(body) as { code: string }).code;

const refusal = async (...args: Parameters<typeof call>): Promise<[number, string]> => {
  const reply = await call(...args);
  return [reply.status, codeOf(reply)];
};

describe('a request with an API key', () => {
  it('is answered for the user of the key, whose service learns of the tool', async () => {
    const { key, id, userId } = identity.add({ scopes: ['credits:read'] });
    const { status, body } = await call(key);
    expect([status, JSON.parse(body)]).toMatchObject([200, { plan: 'free', credits: { available: 17 } }]);
    const request = bff.upstream.requests.find(({ url }) => url.startsWith('/credits/'));
    expect(request?.url).toBe(`/credits/${userId}/balance`);
    expect(await bff.callerOf('credits', request)).toMatchObject({ role: 'user', userId, clientId: id });
  });

  it('asks identity once, whatever follows in the next minutes', async () => {
    const { key } = identity.add({ scopes: ['credits:read'] });
    for (let index = 0; index < 4; index += 1) expect((await call(key)).status).toBe(200);
    expect(identity.reads).toBe(1);
  });

  it('records the day and the network of its use, once', async () => {
    const { key, id } = identity.add({ scopes: ['credits:read'] });
    await Promise.all([call(key), call(key), call(key)]);
    await until('the use is recorded', () => identity.uses.length === 1);
    expect(identity.uses).toEqual([{ day: now.toISOString().slice(0, 10), network: '127.0.0.0/24' }]);
    expect(bff.upstream.requests.filter(({ url }) => url === `/api-keys/${id}/use`)).toHaveLength(1);
  });

  it.each([
    ['no key', () => null, 'client.key_missing'],
    ['an unknown key', () => createKey('test', uuidv7()).key, 'client.key_refused'],
    ['a mistyped key', () => `${createKey('test', uuidv7()).key.slice(0, -1)}~`, 'client.key_refused'],
    ['a key of another environment', () => createKey('live', uuidv7()).key, 'client.key_refused'],
  ])('with %s is refused', async (_kind, keyOf, code) => {
    expect(await refusal(keyOf())).toEqual([401, code]);
  });

  it('with a mistyped key asks nobody', async () => {
    await call(`${createKey('test', uuidv7()).key.slice(0, -1)}~`);
    expect(bff.upstream.requests).toEqual([]);
  });

  it('with a session token is refused, and a key opens no session', async () => {
    const { key, userId } = identity.add({ scopes: ['credits:read'] });
    const { token } = await bff.sessions.begin(userId, 'user');
    expect(await refusal(token)).toEqual([401, 'client.key_refused']);
    expect((await call(key, '/api/credits')).status).toBe(401);
    expect((await call(key, '/authentication_check')).status).toBe(401);
  });

  it('whose key may do something else is refused', async () => {
    const { key } = identity.add({ scopes: ['profile:read'] });
    expect(await refusal(key)).toEqual([403, 'client.scope_missing']);
  });

  it.each(['api_key', 'key', 'Access_Token', 'q'])(
    'with the key in the parameter %s is refused, with the reason',
    async (name) => {
      const { key } = identity.add({ scopes: ['credits:read'] });
      const path = `/api/v1/entitlements?${name}=${key}`;
      expect(await refusal(key, path)).toEqual([400, 'client.key_in_address']);
      expect(await refusal(null, path)).toEqual([400, 'client.key_in_address']);
    },
  );

  it('after the expiry of the key is refused, also when the key is stored here', async () => {
    const expiresAt = new Date(now.getTime() + minutes(1)).toISOString();
    const { key } = identity.add({ scopes: ['credits:read'], expiresAt });
    expect((await call(key)).status).toBe(200);
    now = new Date(now.getTime() + minutes(1));
    expect(await refusal(key)).toEqual([401, 'client.key_refused']);
  });

  it('while the account is about to be deleted is refused, and works again once it is kept', async () => {
    const { key, hash, userId } = identity.add({ scopes: ['credits:read'] });
    expect((await call(key)).status).toBe(200);
    const stored = identity.owners.get(hash);
    identity.owners.set(hash, { ...stored!, restriction: 'deletion' });
    await bff.keyStore.forget(userId);
    expect(await refusal(key)).toEqual([403, 'client.restricted']);
    identity.owners.set(hash, stored!);
    await bff.keyStore.forget(userId);
    expect((await call(key)).status).toBe(200);
  });
});

describe('a revoked key', () => {
  it('is refused by the next request', async () => {
    const { key, hash, userId, id } = identity.add({ scopes: ['credits:read'] });
    expect((await call(key)).status).toBe(200);
    const { token } = await bff.sessions.begin(userId, 'user');
    identity.owners.delete(hash);
    const revoked = await send(bff.port, `/api/api-keys/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(revoked.status).toBe(200);
    expect(await refusal(key)).toEqual([401, 'client.key_refused']);
  });

  it('is not stored by a request that read it before the revocation', async () => {
    const { key, hash, userId } = identity.add({ scopes: ['credits:read'] });
    const { respond } = bff.upstream;
    let isFirst = true;
    bff.upstream.respond = (request, response, body) => {
      if (!isFirst || !request.url?.startsWith('/api-keys/')) return respond(request, response, body);
      isFirst = false;
      // identity has read the key; it is revoked before its reply arrives.
      const data = identity.owners.get(hash);
      identity.owners.delete(hash);
      void bff.keyStore
        .forget(userId)
        .then(() =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data })),
        );
    };
    expect(await refusal(key)).toEqual([401, 'client.key_refused']);
    expect(await refusal(key)).toEqual([401, 'client.key_refused']);
  });
});

describe('the limits of the API', () => {
  it('count the requests of a key and of all keys of its user, and say what is left', async () => {
    const userId = uuidv7();
    const [one, other] = [0, 1].map(() => identity.add({ userId, scopes: ['credits:read'] }));
    const first = await call(one!.key);
    expect(first.headers['ratelimit-policy']).toBe('"key";q=5;w=60, "user";q=8;w=60');
    expect(first.headers.ratelimit).toMatch(/^"key";r=4;t=\d+, "user";r=7;t=\d+$/);
    for (let index = 0; index < 4; index += 1) await call(one!.key);
    const refused = await call(one!.key);
    expect([refused.status, codeOf(refused)]).toEqual([429, 'request.rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // What the one was refused is left to the other.
    for (let index = 0; index < 3; index += 1) expect((await call(other!.key)).status).toBe(200);
    expect(await refusal(other!.key)).toEqual([429, 'request.rate_limited']);
  });
});

describe('pages of other sites', () => {
  const origin = 'https://crm.example.test';

  it('may read with a key', async () => {
    const { key } = identity.add({ scopes: ['credits:read'] });
    const { status, headers } = await call(key, undefined, { origin });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, origin]);
  });

  it.each([
    ['a page', origin, 403],
    ['an extension', 'chrome-extension://abcdefghijklmnop', 204],
    ['our own page', 'http://localhost:5000', 204],
  ])('ask ahead whether %s may charge', async (_who, from, status) => {
    const allowed = status === 204 ? from : undefined;
    const headers = { origin: from, 'access-control-request-method': 'POST' };
    const reply = await send(bff.port, '/api/v1/charges', { method: 'OPTIONS', headers });
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([status, allowed]);
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('a new key', () => {
  const input = { name: 'Weekly report', scopes: ['credits:read'], expiresInDays: 90 };
  const create = (token: string) =>
    send(bff.port, '/api/api-keys', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });

  it('is shown once; identity receives its hash and never the key', async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'user');
    const { status, body } = await create(token);
    const { key } = JSON.parse(body) as { key: string };
    expect([status, key]).toEqual([201, expect.stringMatching(/^sl_test_/) as string]);
    const sent = bff.upstream.requests.map((request) => `${request.url} ${String(request.body)}`).join();
    expect(sent).not.toContain(key);
    expect(sent).toContain(`"hint":"sl_test_…${key.slice(-4)}"`);
  });

  it('is one of fifty a day: each causes a mail', async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'user');
    for (let made = 0; made < 50; made += 1) expect((await create(token)).status).toBe(201);
    expect((await create(token)).status).toBe(429);
  });

  it('has a name that is no email address, which its mails and the audit log would show', async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'user');
    for (const name of ['ana@people.test', 'Report for ana@people.test']) {
      const { status, body } = await send(bff.port, '/api/api-keys', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...input, name }),
      });
      expect([status, body]).toEqual([400, expect.stringContaining('a name that is not an email address')]);
    }
  });

  it('requires a recent proof of who the user is', async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'user');
    now = new Date(now.getTime() + hours(1));
    expect((await create(token)).body).toContain('"session.reauthentication_required"');
  });
});
