import { ADMIN_ROLES, type AdminRole, may } from '@shortlist/contracts/admin-permissions';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { MATRIX, type Access, PATHS } from './authorisation-matrix.ts';
import { EXAMPLE_BODIES } from './example-bodies.ts';
import { bearer, type EndpointName } from './requests.ts';
import { send, useBff } from './support.ts';

const bff = await useBff();

describe('D1 access to public endpoints', () => {
  const ownId = uuidv7();
  const QUERIES: Record<string, string> = { emailAvailability: '?email=a@b.co', earnings: '?period=week' };
  type Caller = 'anonymous' | 'user' | 'admin' | AdminRole;

  // A new session for each call: one of the endpoints ends it.
  const sessionOf = async (caller: Caller): Promise<{ token?: string }> => {
    if (caller === 'anonymous') return {};
    if (caller === 'user') return { token: await bff.begin('user', ownId) };
    const access = { role: caller === 'admin' ? 'owner' : caller, version: 0 } as const;
    const { token } = await bff.sessions.begin({ userId: uuidv7(), role: 'admin', generation: 0, access });
    return { token };
  };

  const statusOf = async (name: EndpointName, caller: Caller, userId = ownId): Promise<number> => {
    // What anonymous clients may call limits their attempts by network, which all tests share.
    const isBodyRead = publicEndpoints[name].method !== 'GET' && MATRIX[name].anonymous === 401;
    const body = isBodyRead ? { body: EXAMPLE_BODIES[name] ?? {} } : {};
    const id = name === 'billingPortal' ? 'cus_1' : userId;
    const session = await sessionOf(caller);
    return (await bff.call(name, { id, query: QUERIES[name] ?? '', ...session, ...body })).status;
  };

  // An allowed call may still fail for another reason: the upstream server's response is not what the endpoint expects.
  const expectAccess = (expected: Access, status: number): void => {
    if (expected === 'allowed') expect([401, 403]).not.toContain(status);
    else expect([status, bff.upstream.requests]).toEqual([expected, []]);
  };

  const CALLERS = ['anonymous', 'user', 'admin'] as const;
  const rows = Object.entries(MATRIX) as [EndpointName, (typeof MATRIX)[EndpointName]][];

  it.each(rows.flatMap(([name, row]) => CALLERS.map((caller) => [caller, name, row[caller]] as const)))(
    '%s calls %s: %s',
    async (caller, name, expected) => expectAccess(expected, await statusOf(name, caller)),
  );

  const roleCells = rows
    .filter(([, row]) => row.admin === 'allowed')
    .flatMap(([name, { permission }]) =>
      ADMIN_ROLES.map((role) => {
        const isAllowed = permission === undefined || may(role, permission);
        return [role, name, isAllowed ? 'allowed' : 403] as const;
      }),
    );

  it.each(roleCells)('D6 an admin with the role %s calls %s: %s', async (role, name, expected) =>
    expectAccess(expected, await statusOf(name, role)),
  );

  it.each(rows.filter(([, row]) => row.other !== undefined))(
    'a user who calls %s with the id of another user gets the response for an unknown id',
    async (name, row) => expect(await statusOf(name, 'user', uuidv7())).toBe(row.other),
  );

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

  const ID = '0198a0b0-0000-7000-8000-000000000001';
  const readPaths = [
    '/Users',
    '/users/',
    '/USERS',
    '/api/users/newest/',
    '/Admin',
    '//users',
    '/%75sers',
    '/users%2f',
    '/users%00',
    '/admin;/',
    '//admin',
    '/admin/../users',
    '/admin%2f..%2fusers',
    '/api/%2e%2e/users',
    '/users;a=b',
  ].map((path) => ['GET', path] as const);
  const changePaths = ['/Admin', '/admin;', '//admin', '/%61dmin', '/admin/.', '/ADMIN'].flatMap((prefix) => [
    ['PUT', `${prefix}/unsubscribe/${ID}`] as const,
    ['PUT', `/api${prefix}/user-payment/${ID}`] as const,
  ]);
  const deletePaths = [`/Users/${ID}`, `//users/${ID}`, `/users/${ID}/`].map(
    (path) => ['DELETE', path] as const,
  );

  it.each([...readPaths, ...changePaths, ...deletePaths])(
    'D4 admin routes not reachable by path tricks (`/Admin`, `/admin;/`, `//admin`): %s %s',
    async (method, path) => {
      const response = await send(bff.port, path, { method, headers: bearer(await bff.begin('user')) });
      expect([400, 403, 404, 405]).toContain(
        response.status === 200 && response.body.includes('<title>') ? 404 : response.status,
      );
      expect(bff.upstream.requests).toEqual([]);
    },
  );
});
