import type { CreditsBalance } from '@shortlist/contracts/api/credits';
import { v1Endpoints } from '@shortlist/contracts/api/v1';
import { SCOPES } from '@shortlist/contracts/api/connected-apps';
import { type ErrorCode, ERRORS } from '@shortlist/contracts/errors';
import { examplePath } from '@shortlist/contracts/testing/examples';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { BALANCE, createOwners } from './api-key-owners.ts';
import { bearer, send } from './requests.ts';
import { refuseWith, useBff } from './support.ts';

type Name = keyof typeof v1Endpoints;
type Problem = { type: string; title: string; status: number; code: string; errors?: { field: string }[] };

const NAMES = Object.keys(v1Endpoints) as Name[];
const PROFILE = { data: { id: 'u', email: 'ada@engines.test', firstName: 'Ada', lastName: 'Byron' } };
const PREMIUM: CreditsBalance = { ...BALANCE, plan: 'premium', limit: 500, available: 497 };
const BODIES: Partial<Record<Name, object>> = {
  charge: { reason: 'email_found' },
  reserve: { reason: 'email_found' },
};

let reply: object;
let identity: ReturnType<typeof createOwners>;
const bff = await useBff({ API_KEY_LIMIT: '1000000', API_USER_LIMIT: '1000000' });
beforeEach(() => {
  reply = PREMIUM;
  identity = createOwners(bff, ({ url }) => (url?.startsWith('/profiles/') ? PROFILE : reply));
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

const creditCalls = (): unknown[] => bff.upstream.requests.filter(({ url }) => url?.startsWith('/credits/'));

const allScopes = (): string => identity.addKey({ scopes: [...SCOPES] }).token;

describe.each(NAMES)('%s', (name) => {
  const { scope } = v1Endpoints[name];

  it('D1 is for a key with its scope alone', async () => {
    expect((await call(name)).status).toBe(401);
    expect((await call(name, { key: identity.addKey({ scopes: [scope] }).token })).status).toBeLessThan(300);
    const others = SCOPES.filter((other) => other !== scope);
    const refused = await call(name, { key: identity.addKey({ scopes: others }).token });
    expect([refused.status, problemOf(refused).code]).toEqual([403, 'client.scope_missing']);
  });

  it('D1 is not for the session of a user or an admin', async () => {
    for (const role of ['user', 'admin'] as const) {
      expect((await call(name, { key: await bff.begin(role) })).status).toBe(401);
    }
  });

  it('refuses a field that it does not have, by a problem that names it', async () => {
    const refused = await call(name, {
      key: allScopes(),
      query: '?unknown=1',
      body: { ...BODIES[name], unknown: 1 },
    });
    expect(refused.headers['content-type']).toBe('application/problem+json');
    expect([refused.status, problemOf(refused).errors?.[0]?.field]).toEqual([400, 'unknown']);
  });
});

describe('a charge', () => {
  it.each([0, -1, 101, 1.5, '1', null, [], {}])(
    'of %j credits is refused before any service is asked',
    async (amount) => {
      const key = allScopes();
      await call('entitlements', { key });
      const before = bff.upstream.requests.length;
      for (const name of ['charge', 'reserve', 'commit'] as const) {
        const refused = await call(name, { key, body: { ...BODIES[name], amount } });
        expect([refused.status, problemOf(refused).errors?.[0]?.field]).toEqual([400, 'amount']);
      }
      expect(bff.upstream.requests.slice(before).filter(({ url }) => url.startsWith('/credits'))).toEqual([]);
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
    expect(JSON.parse(String(request?.body))).toEqual(body);
    expect(await bff.callerOf('credits', request)).toMatchObject({ userId, clientId: id, role: 'user' });
  });
});

describe('entitlements', () => {
  it('name the features of the plan', async () => {
    const { body } = await call('entitlements', { key: allScopes() });
    expect(JSON.parse(body)).toMatchObject({
      plan: 'premium',
      features: expect.arrayContaining(['crm']) as string[],
    });
    reply = { ...PREMIUM, plan: 'free' };
    const free = await call('entitlements', { key: allScopes() });
    expect(JSON.parse(free.body)).toMatchObject({ plan: 'free', features: [] });
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
      const refused = await call('charge', { key });
      expect(problemOf(refused)).toMatchObject({
        type: `/api/v1/reference#${code}`,
        status: ERRORS[code][0],
        code,
      });
    },
  );

  it.each(['1e1', '5.0', '+5', '%205'])('names a limit that is not written in digits: %s', async (limit) => {
    const refused = await call('listCharges', { key: allScopes(), query: `?limit=${limit}` });
    expect([refused.status, problemOf(refused).errors?.[0]?.field]).toEqual([400, 'limit']);
  });

  it('of an unknown address is a problem, too', async () => {
    const refused = await send(bff.port, '/api/v1/nothing', {});
    expect(problemOf(refused)).toMatchObject({ status: 404, code: 'request.not_found' });
  });

  it('of a large body is a problem before anything is asked', async () => {
    const refused = await call('charge', { key: allScopes(), body: { reason: 'x'.repeat(5_000) } });
    expect(problemOf(refused)).toMatchObject({ status: 413, code: 'request.too_large' });
    expect(bff.upstream.requests).toEqual([]);
  });

  it('of a broken body is a problem that charges nothing', async () => {
    const refused = await bff.call(v1Endpoints.charge, { token: allScopes(), body: '{"reason"' });
    expect([refused.status, refused.code]).toEqual([400, 'request.malformed']);
    expect(creditCalls()).toEqual([]);
  });

  // Read as none, it would commit everything instead of a part.
  it.each(['application/x-www-form-urlencoded', 'text/plain', null])(
    'of a body of the type %s is a problem that commits nothing',
    async (type) => {
      const headers = { ...bearer(allScopes()), ...(type !== null && { 'content-type': type }) };
      const target = examplePath(v1Endpoints.commit, uuidv7());
      const refused = await send(bff.port, target, { method: 'POST', headers, body: '{"amount":1}' });
      expect(problemOf(refused)).toMatchObject({ status: 415, code: 'request.unsupported_type' });
      expect(creditCalls()).toEqual([]);
    },
  );

  it('is absent for a commit without a body, which is of everything', async () => {
    const target = examplePath(v1Endpoints.commit, uuidv7());
    const headers = { ...bearer(allScopes()), 'content-length': '0' };
    expect((await send(bff.port, target, { method: 'POST', headers })).status).toBe(200);
  });
});
