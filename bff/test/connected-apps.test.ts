// Requests of apps, with the API key of a user or the access token of an installed tool.
import { minutes } from '@shortlist/contracts/durations';
import { tagOfUser } from '@shortlist/kit/http/access-token';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../src/api-keys/key.ts';
import type { StoredKey } from '../src/api-keys/key-store.ts';
import { BALANCE, createOwners } from './api-key-owners.ts';
import { times } from './requests.ts';
import { type Bff, respondWith, useBff } from './support.ts';

let now: Date;
const bff = await useBff({}, { clock: () => now });
const otherReplica = await useBff({}, { clock: () => now });
let identity: ReturnType<typeof createOwners>;
beforeEach(() => {
  now = new Date();
  identity = createOwners(bff, ({ url = '' }) =>
    url.startsWith('/tools/') ? { data: { generation: 1 } } : BALANCE,
  );
  otherReplica.upstream.respond = bff.upstream.respond;
});

const call = (token?: string, query = '', { port = bff }: { port?: Bff } = {}) =>
  port.call('GET /api/v1/entitlements', { query, ...(token !== undefined && { token }) });
const refusal = async (...input: Parameters<typeof call>) => {
  const { status, code, headers } = await call(...input);
  const { 'www-authenticate': challenge } = headers;
  return challenge === undefined ? [status, code] : [status, code, challenge];
};
const INVALID = 'Bearer error="invalid_token"';
const scopes: StoredKey['scopes'] = ['credits:read'];
const creditCalls = () => bff.upstream.requests.filter(({ url }) => url.startsWith('/credits/'));

describe.each([
  {
    name: 'an API key',
    add: (change: Partial<StoredKey> = {}) => identity.addKey({ scopes, ...change }),
    usePath: 'api-keys',
    code: 'client.key_refused',
    revoke: 'revokeApiKey',
  },
  {
    name: 'an access token',
    add: (change: Partial<StoredKey> = {}) => identity.addToken(change),
    usePath: 'connections',
    code: 'client.token_refused',
    revoke: 'endConnection',
  },
] as const)('a request with $name', ({ add, usePath, code, revoke }) => {
  it('is for its user, whose service gets the id of the app; identity is asked once', async () => {
    const { token, id, userId } = add();
    for (let index = 0; index < 4; index += 1)
      expect(await call(token)).toMatchObject({
        status: 200,
        json: { plan: 'free', credits: { available: 17 } },
      });
    expect(identity.reads).toBe(1);
    const [request] = creditCalls();
    expect(request?.url).toBe(`/credits/${userId}/balance`);
    expect(await bff.callerOf('credits', request)).toMatchObject({ role: 'user', userId, clientId: id });
  });

  it('records the day and the network of the use, once', async () => {
    const { token, id } = add();
    await Promise.all([call(token), call(token), call(token)]);
    await until('the use is recorded', () => identity.uses.length === 1);
    expect(identity.uses).toEqual([{ day: now.toISOString().slice(0, 10), network: '127.0.0.0/24' }]);
    expect(bff.upstream.requestsTo(`/${usePath}/${id}/use`)).toHaveLength(1);
  });

  it('needs the scope of the endpoint, which the refusal names', async () => {
    const { token } = add({ scopes: ['profile:read'] });
    const { status, code: refused, headers } = await call(token);
    expect([status, refused]).toEqual([403, 'client.scope_missing']);
    expect(headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="credits:read"');
  });

  it.each(['api_key', 'key', 'Access_Token', 'q'])(
    'in the parameter %s is refused, with the reason',
    async (name) => {
      const { token } = add();
      for (const header of [token, undefined])
        expect(await refusal(header, `?${name}=${token}`)).toEqual([400, 'client.key_in_address']);
    },
  );

  it('after its expiry is refused, also when it is stored here', async () => {
    const { token } = add({ expiresAt: new Date(now.getTime() + minutes(1)).toISOString() });
    expect((await call(token)).status).toBe(200);
    now = new Date(now.getTime() + minutes(1));
    expect(await refusal(token)).toEqual([401, code, INVALID]);
    expect(creditCalls()).toHaveLength(1);
  });

  it('is refused while the account is about to be deleted, and works again once it is kept', async () => {
    const { token, hash, userId } = add();
    expect((await call(token)).status).toBe(200);
    const stored = identity.owners.get(hash) as StoredKey;
    identity.owners.set(hash, { ...stored, restriction: 'deletion' });
    await bff.keyStore.forget(userId);
    expect(await refusal(token)).toEqual([403, 'client.restricted']);
    identity.owners.set(hash, stored);
    await bff.keyStore.forget(userId);
    expect((await call(token)).status).toBe(200);
  });

  it('D9 is refused as soon as its user has ended it, by this replica and the others', async () => {
    const { token, hash, userId, id } = add();
    for (const port of [bff, otherReplica]) expect((await call(token, '', { port })).status).toBe(200);
    identity.owners.delete(hash);
    expect((await bff.call(revoke, { as: 'user', userId, id })).status).toBe(200);
    for (const port of [bff, otherReplica])
      expect(await refusal(token, '', { port })).toEqual([401, code, INVALID]);
  });
});

describe('a request with an API key', () => {
  it.each([
    ['no key', () => undefined, 'client.key_missing'],
    ['an unknown key', () => createKey('test', uuidv7()).key, 'client.key_refused'],
    ['a mistyped key', () => `${createKey('test', uuidv7()).key.slice(0, -1)}~`, 'client.key_refused'],
    ['a key of another environment', () => createKey('live', uuidv7()).key, 'client.key_refused'],
  ])('with %s is refused, and identity asked about an unknown one alone', async (kind, keyOf, code) => {
    const { status, code: refused } = await call(keyOf());
    expect([status, refused]).toEqual([401, code]);
    expect(bff.upstream.requests).toHaveLength(kind === 'an unknown key' ? 1 : 0);
  });

  it('is not stored by a request that read the key before its revocation', async () => {
    const { token, hash, userId } = identity.addKey({ scopes });
    const { respond } = bff.upstream;
    let isFirst = true;
    bff.upstream.respond = (request, response, body) => {
      if (!isFirst || !request.url?.startsWith('/api-keys/')) return respond(request, response, body);
      isFirst = false;
      // identity has read the key; it is revoked before its reply arrives.
      const data = identity.owners.get(hash);
      identity.owners.delete(hash);
      void bff.keyStore.forget(userId).then(() => respondWith(() => ({ data }))(request, response, body));
    };
    for (let round = 0; round < 2; round += 1) expect((await refusal(token))[1]).toBe('client.key_refused');
  });
});

describe('a request with an access token', () => {
  it('D9 is refused with the tag of another user, under which the end of its connection would not be noticed', async () => {
    const { token } = identity.addToken();
    const other = identity.addToken().token;
    const moved = other.slice(0, 'slt_'.length + 16) + token.slice('slt_'.length + 16);
    expect(await refusal(moved)).toEqual([401, 'client.token_refused', INVALID]);
    expect((await call(token)).status).toBe(200);
  });

  it('is refused for one that is unknown or changed, and no service learns of it', async () => {
    const { token } = identity.addToken();
    expect(await refusal(`${token.slice(0, -4)}0000`)).toEqual([401, 'client.token_refused', INVALID]);
    expect(await refusal(token.slice(0, -1))).toEqual([401, 'client.key_refused', INVALID]);
    expect(creditCalls()).toEqual([]);
  });

  it('D9 of a tool that was enabled again works when it is of a connection since then, also after a late event', async () => {
    const toolId = uuidv7();
    await bff.keyStore.disableTool(toolId, 2);
    await bff.keyStore.disableTool(toolId, 1);
    const { token } = identity.addToken({ toolId, toolGeneration: 2 });
    for (let index = 0; index < 2; index += 1) expect((await call(token)).status).toBe(200);
    expect(identity.reads).toBe(1);
    const { token: old, hash, ...owner } = identity.addToken({ toolId, toolGeneration: 1 });
    await bff.keyStore.store({ kind: 'token', tag: tagOfUser(owner.userId), hash }, '', owner);
    identity.owners.delete(hash);
    expect((await refusal(old))[1]).toBe('client.token_refused');
  });

  it('is read anew when an earlier version of bff has stored it without the generation of its tool', async () => {
    const toolId = uuidv7();
    const { token, hash, userId, ...owner } = identity.addToken({ toolId, toolGeneration: 1 });
    const { toolGeneration: _, ...before } = { ...owner, userId };
    const name = { kind: 'token', tag: tagOfUser(userId), hash } as const;
    await bff.keyStore.forget(userId);
    await bff.keyStore.store(name, '1', before as StoredKey);
    await bff.keyStore.disableTool(toolId, 1);
    expect((await call(token)).status).toBe(200);
    expect(identity.reads).toBe(1);
  });
});

describe('D9 an owner who disables a tool', () => {
  const change = async (name: 'disableTool' | 'enableTool', toolId: string) =>
    (await bff.call(name, { as: 'admin', id: toolId })).status;
  const statusAt = async (port: Bff, token: string) => (await call(token, '', { port })).status;

  it('ends the tokens of all its users at every replica with the response, though both have stored them', async () => {
    const toolId = uuidv7();
    const tokens = times(3, () => identity.addToken({ toolId }));
    const kept = identity.addToken().token;
    for (const replica of [bff, otherReplica])
      for (const { token } of [...tokens, { token: kept }]) expect(await statusAt(replica, token)).toBe(200);
    for (const { hash } of tokens) identity.owners.delete(hash);
    expect(await change('disableTool', toolId)).toBe(200);
    const { reads } = identity;
    for (const replica of [bff, otherReplica]) expect(await statusAt(replica, kept)).toBe(200);
    expect(identity.reads).toBe(reads);
    for (const port of [bff, otherReplica])
      for (const { token } of tokens)
        expect(await refusal(token, '', { port })).toEqual([401, 'client.token_refused', INVALID]);
    expect(await change('enableTool', toolId)).toBe(200);
    for (const { token } of tokens) expect(await statusAt(otherReplica, token)).toBe(401);
  });
});

describe('pages of other sites', () => {
  const origin = 'https://crm.example.test';

  it('may read with a key', async () => {
    const { token } = identity.addKey({ scopes });
    const { status, headers } = await bff.call('GET /api/v1/entitlements', { token, headers: { origin } });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, origin]);
  });

  it.each([
    ['a page', origin, 403],
    ['an extension', 'chrome-extension://abcdefghijklmnop', 204],
    ['our own page', 'http://localhost:5000', 204],
  ])('ask ahead whether %s may charge', async (_who, from, status) => {
    const headers = { origin: from, 'access-control-request-method': 'POST' };
    const reply = await bff.call('OPTIONS /api/v1/charges', { headers });
    const allowed = status === 204 ? from : undefined;
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([status, allowed]);
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('a new key', () => {
  const body = { name: 'Weekly report', scopes, expiresInDays: 90 };

  it('is shown once; identity receives its hash and never the key', async () => {
    const { status, json } = await bff.call('createApiKey', { as: 'user', body });
    const { key } = json as { key: string };
    expect([status, key]).toEqual([201, expect.stringMatching(/^sl_test_/) as string]);
    const sent = bff.upstream.requests.map((request) => `${request.url} ${String(request.body)}`).join();
    expect(sent).not.toContain(key);
    expect(sent).toContain(`"hint":"sl_test_…${key.slice(-4)}"`);
  });

  it('is one of fifty a day: each causes a mail', async () => {
    const token = await bff.begin('user');
    for (let made = 0; made < 50; made += 1)
      expect((await bff.call('createApiKey', { token, body })).status).toBe(201);
    expect((await bff.call('createApiKey', { token, body })).status).toBe(429);
  });

  it.each(['ana@people.test', 'Report for ana@people.test'])(
    'is not named %s, an email address that its mails and the audit log would show',
    async (name) => {
      const { status, body: error } = await bff.call('createApiKey', { as: 'user', body: { ...body, name } });
      expect([status, error]).toEqual([400, expect.stringContaining('a name that is not an email address')]);
    },
  );
});
