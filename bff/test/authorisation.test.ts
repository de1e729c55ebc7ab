import { ADMIN_ROLES, type AdminRole, may } from '@shortlist/contracts/admin-permissions';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import { accessTokenOf } from '@shortlist/kit/http/access-token';
import { STEP_UP_SECONDS } from '@shortlist/contracts/limits';
import { createKey } from '../src/api-keys/key.ts';
import {
  type Access,
  AFTER_PROOF,
  behindSession,
  MATRIX,
  PATHS,
  PERMISSIONS,
  roleFor,
  VIEWABLE,
} from './authorisation-matrix.ts';
import { EXAMPLE_BODIES } from './example-bodies.ts';
import { bearer, type EndpointName, endpointNames, type RawResponse } from './requests.ts';
import { useBff } from './support.ts';

let aheadMs = 0;
const bff = await useBff({}, { clock: () => new Date(Date.now() + aheadMs) });
beforeEach(() => {
  aheadMs = 0;
});

describe('D1 access to public endpoints', () => {
  const ownId = uuidv7();
  const range = '?from=2026-03-01&to=2026-03-31';
  const QUERIES: Record<string, string> = {
    emailAvailability: '?email=a@b.co',
    earnings: '?period=week',
    userActivity: `?ids=${uuidv7()}`,
    revenue: `${range}&compare=none`,
    revenuePeriods: `${range}&step=day`,
    exportRevenue: `${range}&step=day`,
    revenueEntries: `${range}&kind=new`,
  };
  type Caller = 'anonymous' | 'user' | 'admin' | 'viewer' | AdminRole;

  // A new session for each call: one of the endpoints ends it.
  const sessionOf = async (caller: Caller): Promise<{ token?: string }> => {
    if (caller === 'anonymous') return {};
    if (caller === 'user') return { token: await bff.begin('user', ownId) };
    if (caller === 'viewer') {
      const viewer = { id: uuidv7(), binding: '' };
      const token = await bff.begin('admin', viewer.id);
      return { token: (await bff.sessions.beginViewing(uuidv7(), { ...viewer, token })).token };
    }
    const access = { role: caller === 'admin' ? 'owner' : caller, version: 0 } as const;
    const { token } = await bff.sessions.begin({ userId: uuidv7(), role: 'admin', generation: 0, access });
    return { token };
  };

  const callAs = async (name: EndpointName, caller: Caller, userId = ownId): Promise<RawResponse> => {
    // What anonymous clients may call limits their attempts by network, which all tests share.
    const isBodyRead = publicEndpoints[name].method !== 'GET' && MATRIX[name].anonymous === 401;
    const body = isBodyRead ? { body: EXAMPLE_BODIES[name] ?? {} } : {};
    const id = name === 'billingPortal' ? 'cus_1' : userId;
    const session = await sessionOf(caller);
    return bff.call(name, { id, query: QUERIES[name] ?? '', ...session, ...body });
  };

  // An allowed call may still fail for another reason: the upstream server's response is not what the endpoint expects.
  const expectAccess = (expected: Access, status: number): void => {
    if (expected === 'allowed') expect([401, 403]).not.toContain(status);
    else expect([status, bff.upstream.requests]).toEqual([expected, []]);
  };

  const CALLERS = ['anonymous', 'user', 'admin'] as const;

  it.each(
    endpointNames.flatMap((name) => CALLERS.map((caller) => [caller, name, MATRIX[name][caller]] as const)),
  )('%s calls %s: %s', async (caller, name, expected) => {
    const { status, headers } = await callAs(name, caller);
    expectAccess(expected, status);
    // C3 what a session opens is not cached.
    if (caller !== 'anonymous' && MATRIX[name].anonymous === 401)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  it.each(endpointNames)('D7 an admin who views the product as a user may only read: %s', async (name) => {
    const { status, code = '' } = await callAs(name, 'viewer');
    expectAccess(VIEWABLE.has(name) ? 'allowed' : 403, status);
    if (!VIEWABLE.has(name)) expect(['session.viewing', 'session.forbidden']).toContain(code);
  });

  it.each([...behindSession, 'GET /api/live'] as const)('D1 an app does not reach %s', async (name) => {
    const secret = randomBytes(32).toString('base64url');
    for (const token of [createKey('test', ownId).key, accessTokenOf(ownId, secret), secret])
      expect((await bff.call(name, { token, id: ownId })).status).toBe(401);
    expect(bff.upstream.requests).toEqual([]);
  });

  const REFUSAL = 'session.reauthentication_required';

  it.each(AFTER_PROOF)('%s needs a proof of who the user is, ten minutes after the log-in', async (name) => {
    const [fresh, token] = [await bff.begin(roleFor(name)), await bff.begin(roleFor(name))];
    const body = EXAMPLE_BODIES[name] ?? {};
    expect((await bff.call(name, { token: fresh, body })).code).not.toBe(REFUSAL);
    aheadMs = (STEP_UP_SECONDS + 1) * 1_000;
    bff.upstream.requests.length = 0;
    expect(await bff.call(name, { token, body })).toMatchObject({ status: 403, code: REFUSAL });
    expect(bff.upstream.requests).toEqual([]);
  });

  it.each(behindSession.filter((name) => !AFTER_PROOF.includes(name)))(
    '%s needs no such proof',
    async (name) => {
      const token = await bff.begin(roleFor(name));
      aheadMs = (STEP_UP_SECONDS + 1) * 1_000;
      expect((await bff.call(name, { token, body: EXAMPLE_BODIES[name] ?? {} })).code).not.toBe(REFUSAL);
    },
  );

  const roleCells = endpointNames
    .filter((name) => MATRIX[name].admin === 'allowed')
    .flatMap((name) =>
      ADMIN_ROLES.map((role) => {
        const permission = PERMISSIONS[name];
        const isAllowed = permission === undefined || may(role, permission);
        return [role, name, isAllowed ? 'allowed' : 403] as const;
      }),
    );

  it.each(roleCells)('D6 an admin with the role %s calls %s: %s', async (role, name, expected) =>
    expectAccess(expected, (await callAs(name, role)).status),
  );

  it('a user who edits another user gets the response for an unknown id', async () =>
    expect((await callAs('updateUser', 'user', uuidv7())).status).toBe(404));

  const OWNERS = { pictures: 'profile', stripeWebhook: 'billing', sendgridWebhook: 'worker', live: '' };
  const pathCells = Object.entries(PATHS).flatMap(([name, row]) =>
    CALLERS.map((caller) => [caller, name as keyof typeof PATHS, row[caller]] as const),
  );

  it.each(pathCells)('%s calls the path of %s: %s', async (caller, name, expected) => {
    const { token } = await sessionOf(caller);
    const path = name === 'pictures' ? `${publicPaths.pictures}a.jpg` : publicPaths[name];
    const disconnect = new AbortController(); // the response of live updates does not end
    const { status } = await fetch(`${bff.url}${path}`, {
      method: name.endsWith('Webhook') ? 'POST' : 'GET',
      headers: token === undefined ? {} : bearer(token),
      signal: disconnect.signal,
    });
    disconnect.abort();
    expectAccess(expected, status);
    // These requests reach the services without a session.
    for (const request of bff.upstream.requests)
      expect((await bff.callerOf(OWNERS[name], request)).role).toBe('anonymous');
  });
});
