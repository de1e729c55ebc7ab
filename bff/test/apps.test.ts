import type { CreditsBalance } from '@shortlist/contracts/api/credits';
import { v1Endpoints } from '@shortlist/contracts/api/v1';
import { SCOPES } from '@shortlist/contracts/api/connected-apps';
import { type ErrorCode, ERRORS } from '@shortlist/contracts/errors';
import { examplePath } from '@shortlist/contracts/testing/examples';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { minutes } from '@shortlist/contracts/durations';
import { tagOfUser } from '@shortlist/kit/http/access-token';
import { until } from '@shortlist/kit/testing/until';
import { createKey } from '../src/api-keys/key.ts';
import type { StoredKey } from '../src/api-keys/key-store.ts';
import { BALANCE, createOwners } from './api-key-owners.ts';
import { bearer, send, times } from './requests.ts';
import { type Bff, refuseWith, respondWith, useBff } from './support.ts';

type Name = keyof typeof v1Endpoints;
type Problem = { type: string; title: string; status: number; code: string; errors?: { field: string }[] };

const NAMES = Object.keys(v1Endpoints) as Name[];
const PROFILE = { data: { id: 'u', email: 'ada@engines.test', firstName: 'Ada', lastName: 'Byron' } };
const PREMIUM: CreditsBalance = { ...BALANCE, plan: 'premium', limit: 500, available: 497 };
const BODIES: Partial<Record<Name, object>> = {
  charge: { reason: 'email_found' },
  reserve: { reason: 'email_found' },
};

let now: Date;
let reply: object;
const limits = { API_KEY_LIMIT: '1000000', API_USER_LIMIT: '1000000' };
const bff = await useBff(limits, { clock: () => now });
const otherReplica = await useBff({}, { clock: () => now });
let identity: ReturnType<typeof createOwners>;
beforeEach(() => {
  [now, reply] = [new Date(), PREMIUM];
  identity = createOwners(bff, ({ url = '' }) => {
    if (url.startsWith('/tools/')) return { data: { generation: 1 } };
    return url.startsWith('/profiles/') ? PROFILE : reply;
  });
  otherReplica.upstream.respond = bff.upstream.respond;
});

type Sent = { key?: string; body?: object; headers?: Record<string, string>; query?: string };

const call = (name: Name, { key, body = BODIES[name], headers, query }: Sent = {}) =>
  bff.call(v1Endpoints[name], {
    ...(key !== undefined && { token: key }),
    ...(query !== undefined && { query }),
    ...(v1Endpoints[name].method === 'POST' && { body: body ?? {} }),
    headers: { 'idempotency-key': uuidv7(), ...headers },
  });

const problemOf = ({ json }: { json: unknown }): Problem => json as Problem;
const fieldRefusedBy = ({ status, json }: { status: number; json: unknown }) => [
  status,
  (json as Problem).errors?.[0]?.field,
];

const creditCalls = () => bff.upstream.requests.filter(({ url }) => url.startsWith('/credits/'));

const allScopes = (): string => identity.addKey({ scopes: [...SCOPES] }).token;

describe.each(NAMES)('%s', (name) => {
  const { scope } = v1Endpoints[name];

  it('D1 is for an app with its scope, which a refusal names, and for no session of a user or an admin', async () => {
    for (const session of [{}, { key: await bff.begin('user') }, { key: await bff.begin('admin') }])
      expect((await call(name, session)).status).toBe(401);
    expect((await call(name, { key: identity.addKey({ scopes: [scope] }).token })).status).toBeLessThan(300);
    const others = SCOPES.filter((other) => other !== scope);
    for (const add of [identity.addKey, identity.addToken]) {
      const { status, code, headers } = await call(name, { key: add({ scopes: others }).token });
      expect([status, code]).toEqual([403, 'client.scope_missing']);
      expect(headers['www-authenticate']).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
    }
  });

  it('refuses a field that it does not have, by a problem that names it', async () => {
    const body = { ...BODIES[name], unknown: 1 };
    const refused = await call(name, { key: allScopes(), query: '?unknown=1', body });
    expect(refused.headers['content-type']).toBe('application/problem+json');
    expect(fieldRefusedBy(refused)).toEqual([400, 'unknown']);
  });
});

describe('a charge', () => {
  it.each([0, -1, 101, 1.5, '1', null, [], {}])(
    'of %j credits is refused before any service is asked',
    async (amount) => {
      const key = allScopes();
      for (const name of ['charge', 'reserve', 'commit'] as const) {
        const refused = await call(name, { key, body: { ...BODIES[name], amount } });
        expect(fieldRefusedBy(refused)).toEqual([400, 'amount']);
      }
      expect(creditCalls()).toEqual([]);
    },
  );

  it.each([
    [201, ['ada@engines.test', ' ada', 'Ada  Byron', '\u3000é', '😀']],
    [400, ['', ' ', '\u00a0\u3000', 'ada\u0000', 'ada\n', '\u0085', 'ada\ud800', 'a'.repeat(201)]],
  ])('gets %i with each of these references', async (status, references) => {
    const key = allScopes();
    reply = { used: 1, available: 499, limit: 500, charged: 1 };
    for (const reference of references) {
      const { status: actual } = await call('charge', { key, body: { reason: 'email_found', reference } });
      expect([actual, reference]).toEqual([status, reference]);
    }
  });

  it('passes on its Idempotency-Key, its amount and the tool', async () => {
    const { token: key, id, userId } = identity.addKey({ scopes: ['credits:charge'] });
    reply = { used: 5, available: 495, limit: 500, charged: 5 };
    const body = { amount: 5, reason: 'email_found', reference: 'ada@engines.test' };
    const { status } = await call('charge', { key, body, headers: { 'idempotency-key': 'op-1' } });
    expect(status).toBe(201);
    const request = bff.upstream.requests.at(-1);
    expect(request?.headers['idempotency-key']).toBe('op-1');
    expect(request?.json).toEqual(body);
    expect(await bff.callerOf('credits', request)).toMatchObject({ userId, clientId: id, role: 'user' });
  });
});

describe('entitlements', () => {
  it('name the features of the plan', async () => {
    const features = expect.arrayContaining(['crm']) as string[];
    const { json } = await call('entitlements', { key: allScopes() });
    expect(json).toMatchObject({ plan: 'premium', features });
    reply = { ...PREMIUM, plan: 'free' };
    const free = await call('entitlements', { key: allScopes() });
    expect(free.json).toMatchObject({ plan: 'free', features: [] });
  });

  it('that have not changed cost no body', async () => {
    const key = allScopes();
    const { headers } = await call('entitlements', { key });
    expect(headers['cache-control']).toContain('stale-if-error=86400');
    const again = { key, headers: { 'if-none-match': String(headers.etag) } };
    expect(await call('entitlements', again)).toMatchObject({ status: 304, body: '' });
    reply = { ...PREMIUM, used: 4 };
    expect((await call('entitlements', again)).status).toBe(200);
  });

  it('cost a fetch no body either, which adds Cache-Control: no-cache to a tag of its caller', async () => {
    const authorization = `Bearer ${allScopes()}`;
    const url = `http://127.0.0.1:${bff.port}${v1Endpoints.entitlements.path}`;
    const tag = (await fetch(url, { headers: { authorization } })).headers.get('etag') ?? '';
    for (const known of [tag, `W/${tag}`, `"another", ${tag}`, '*']) {
      const again = await fetch(url, { headers: { authorization, 'if-none-match': known } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    const other = await fetch(url, { headers: { authorization, 'if-none-match': '"another"' } });
    expect(other.status).toBe(200);
  });
});

describe('an error', () => {
  it.each<ErrorCode>(['credits.balance_too_low', 'credits.key_reused', 'service.unavailable'])(
    '%s of a service is a problem of the same status',
    async (code) => {
      const key = allScopes();
      const { respond } = bff.upstream;
      bff.upstream.respond = (request, response, body) => {
        if (!request.url?.startsWith('/credits')) return respond(request, response, body);
        refuseWith(code)(request, response, body);
      };
      const problem = { type: `/api/v1/reference#${code}`, status: ERRORS[code][0], code };
      expect(problemOf(await call('charge', { key }))).toMatchObject(problem);
    },
  );

  it.each(['1e1', '5.0', '+5', '%205'])('names a limit that is not written in digits: %s', async (limit) => {
    const refused = await call('listCharges', { key: allScopes(), query: `?limit=${limit}` });
    expect(fieldRefusedBy(refused)).toEqual([400, 'limit']);
  });

  it('of an unknown address is a problem, too', async () => {
    const refused = await send(bff.port, '/api/v1/nothing', {});
    expect(problemOf(refused)).toMatchObject({ status: 404, code: 'request.not_found' });
  });

  const json = { 'content-type': 'application/json' };
  const PART = '{"amount":1}';
  const UNSUPPORTED = [415, 'request.unsupported_type'] as const;

  it.each<[string, Name, Record<string, string>, string, number, string]>([
    ['a large body', 'charge', json, `{"reason":"${'x'.repeat(5_000)}"}`, 413, 'request.too_large'],
    ['a broken body', 'charge', json, '{"reason"', 400, 'request.malformed'],
    // Read as none, these would commit everything instead of a part.
    ['a form', 'commit', { 'content-type': 'application/x-www-form-urlencoded' }, PART, ...UNSUPPORTED],
    ['a text', 'commit', { 'content-type': 'text/plain' }, PART, ...UNSUPPORTED],
    ['no type', 'commit', {}, PART, ...UNSUPPORTED],
  ])('of %s is a problem that charges nothing', async (_what, name, type, body, status, code) => {
    const headers = { ...bearer(allScopes()), ...type };
    const target = examplePath(v1Endpoints[name], uuidv7());
    const refused = await send(bff.port, target, { method: 'POST', headers, body });
    expect(problemOf(refused)).toMatchObject({ status, code });
    expect(creditCalls()).toEqual([]);
  });

  it('is absent for a commit without a body, which is of everything', async () => {
    const target = examplePath(v1Endpoints.commit, uuidv7());
    const headers = { ...bearer(allScopes()), 'content-length': '0' };
    expect((await send(bff.port, target, { method: 'POST', headers })).status).toBe(200);
  });
});

// Requests of apps, with the API key of a user or the access token of an installed tool.
const read = (token?: string, query = '', { port = bff }: { port?: Bff } = {}) =>
  port.call('GET /api/v1/entitlements', { query, ...(token !== undefined && { token }) });
const refusal = async (...input: Parameters<typeof read>) => {
  const { status, code, headers } = await read(...input);
  const { 'www-authenticate': challenge } = headers;
  return challenge === undefined ? [status, code] : [status, code, challenge];
};
const INVALID = 'Bearer error="invalid_token"';
const scopes: StoredKey['scopes'] = ['credits:read'];

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
    const json = { plan: 'premium', credits: { available: 497 } };
    for (let index = 0; index < 4; index += 1) expect(await read(token)).toMatchObject({ status: 200, json });
    expect(identity.reads).toBe(1);
    const [request] = creditCalls();
    expect(request?.url).toBe(`/credits/${userId}/balance`);
    expect(await bff.callerOf('credits', request)).toMatchObject({ role: 'user', userId, clientId: id });
  });

  it('records the day and the network of the use, once', async () => {
    const { token, id } = add();
    await Promise.all([read(token), read(token), read(token)]);
    await until('the use is recorded', () => identity.uses.length === 1);
    expect(identity.uses).toEqual([{ day: now.toISOString().slice(0, 10), network: '127.0.0.0/24' }]);
    expect(bff.upstream.requestsTo(`/${usePath}/${id}/use`)).toHaveLength(1);
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
    expect((await read(token)).status).toBe(200);
    now = new Date(now.getTime() + minutes(1));
    expect(await refusal(token)).toEqual([401, code, INVALID]);
    expect(creditCalls()).toHaveLength(1);
  });

  it('is refused while the account is about to be deleted, and works again once it is kept', async () => {
    const { token, hash, userId } = add();
    expect((await read(token)).status).toBe(200);
    const stored = identity.owners.get(hash) as StoredKey;
    identity.owners.set(hash, { ...stored, restriction: 'deletion' });
    await bff.keyStore.forget(userId);
    expect(await refusal(token)).toEqual([403, 'client.restricted']);
    identity.owners.set(hash, stored);
    await bff.keyStore.forget(userId);
    expect((await read(token)).status).toBe(200);
  });

  it('D9 is refused as soon as its user has ended it, by this replica and the others', async () => {
    const { token, hash, userId, id } = add();
    for (const port of [bff, otherReplica]) expect((await read(token, '', { port })).status).toBe(200);
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
    const { status, code: refused } = await read(keyOf());
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
  it('D9 is refused with one that is unknown, changed, or has the tag of another user, and no service learns of it', async () => {
    const { token } = identity.addToken();
    // Under the tag of another user, the end of its connection would not be noticed.
    const tagEnd = 'slt_'.length + 16;
    const moved = identity.addToken().token.slice(0, tagEnd) + token.slice(tagEnd);
    for (const changed of [moved, `${token.slice(0, -4)}0000`])
      expect(await refusal(changed)).toEqual([401, 'client.token_refused', INVALID]);
    expect(await refusal(token.slice(0, -1))).toEqual([401, 'client.key_refused', INVALID]);
    expect(creditCalls()).toEqual([]);
    expect((await read(token)).status).toBe(200);
  });

  it('D9 of a tool that was enabled again works when it is of a connection since then, also after a late event', async () => {
    const toolId = uuidv7();
    await bff.keyStore.disableTool(toolId, 2);
    await bff.keyStore.disableTool(toolId, 1);
    const { token } = identity.addToken({ toolId, toolGeneration: 2 });
    for (let index = 0; index < 2; index += 1) expect((await read(token)).status).toBe(200);
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
    expect((await read(token)).status).toBe(200);
    expect(identity.reads).toBe(1);
  });

  it('goes on when a newer version of bff has stored it with what is unknown here', async () => {
    const { token, hash, userId, ...owner } = identity.addToken();
    const newer = { ...owner, userId, scopes: [...owner.scopes, 'novel:read'], novel: { a: 1 } };
    await bff.keyStore.forget(userId);
    await bff.keyStore.store({ kind: 'token', tag: tagOfUser(userId), hash }, '1', newer as StoredKey);
    expect((await read(token)).status).toBe(200);
    expect(identity.reads).toBe(0);
  });
});

it('D9 an owner who disables a tool ends the tokens of all its users at every replica, though both have stored them', async () => {
  const toolId = uuidv7();
  const tokens = times(3, () => identity.addToken({ toolId }));
  const kept = identity.addToken().token;
  const change = async (name: 'disableTool' | 'enableTool') =>
    (await bff.call(name, { as: 'admin', id: toolId })).status;
  const replicas = [bff, otherReplica];
  for (const port of replicas)
    for (const { token } of [...tokens, { token: kept }])
      expect((await read(token, '', { port })).status).toBe(200);
  for (const { hash } of tokens) identity.owners.delete(hash);
  expect(await change('disableTool')).toBe(200);
  const { reads } = identity;
  for (const port of replicas) expect((await read(kept, '', { port })).status).toBe(200);
  expect(identity.reads).toBe(reads);
  for (const port of replicas)
    for (const { token } of tokens)
      expect(await refusal(token, '', { port })).toEqual([401, 'client.token_refused', INVALID]);
  expect(await change('enableTool')).toBe(200);
  for (const { token } of tokens) expect((await read(token, '', { port: otherReplica })).status).toBe(401);
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
