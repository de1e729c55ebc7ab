import { ADMIN_ROLES, type AdminRole, may } from '@shortlist/contracts/admin-permissions';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { examplePath } from '@shortlist/contracts/testing/examples';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { MATRIX, type Access, PATHS } from './authorisation-matrix.ts';
import { type Bff, send, startBff } from './support.ts';

const REFERENCE = '{"source":"device","request":"BCDF-GHJK"}';

const BODIES: Record<string, string> = {
  login: '{"email":"a@b.co","password":"secret1"}',
  adminLogin: '{"email":"a@b.co","password":"secret1"}',
  confirmPayment: '{"xsl":"cs_test_1"}',
  confirmPack: '{"xsl":"cs_test_1"}',
  setCreditMails: '{"enabled":false}',
  chargeCredit: '{"reason":"email_found"}',
  findConnectionRequest: REFERENCE,
  approveConnection: REFERENCE,
  denyConnection: REFERENCE,
  createApiKey: '{"name":"Report","scopes":["credits:read"],"expiresInDays":90}',
};
const QUERIES: Record<string, string> = { emailAvailability: '?email=a@b.co', earnings: '?period=week' };
const MULTIPART = new Set(['signup', 'updateUser']);

const bodyOf = (name: string): { type: string; body: string } => {
  if (!MULTIPART.has(name)) return { type: 'application/json', body: BODIES[name] ?? '{}' };
  const body = '--b\r\nContent-Disposition: form-data; name="userData"\r\n\r\n{}\r\n--b--\r\n';
  return { type: 'multipart/form-data; boundary=b', body };
};

describe('D1 access to public endpoints', () => {
  let bff: Bff;
  const ownId = uuidv7();
  type Caller = 'anonymous' | 'user' | 'admin' | AdminRole;
  const adminRoleOf = (caller: 'admin' | AdminRole): AdminRole => (caller === 'admin' ? 'owner' : caller);

  // A new session for each call: one of the endpoints ends it.
  const headersOf = async (caller: Caller): Promise<Record<string, string>> => {
    if (caller === 'anonymous') return {};
    const owner =
      caller === 'user'
        ? ({ userId: ownId, role: 'user', generation: 0 } as const)
        : ({
            userId: uuidv7(),
            role: 'admin',
            generation: 0,
            access: { role: adminRoleOf(caller), version: 0 },
          } as const);
    return { authorization: `Bearer ${(await bff.sessions.begin(owner)).token}` };
  };

  beforeAll(async () => {
    bff = await startBff(inject('sessionsRedisUrl'));
  });
  afterAll(() => bff.close());

  const status = async (
    name: keyof typeof publicEndpoints,
    caller: Caller,
    userId: string,
  ): Promise<number> => {
    const { method } = publicEndpoints[name];
    const target = examplePath(publicEndpoints[name], name === 'billingPortal' ? 'cus_1' : userId);
    const content = method === 'POST' || method === 'PUT' ? bodyOf(name) : null;
    const response = await send(bff.port, `${target}${QUERIES[name] ?? ''}`, {
      method,
      headers: { ...(await headersOf(caller)), ...(content && { 'content-type': content.type }) },
      ...(content && { body: content.body }),
    });
    return response.status;
  };

  // An allowed call may still fail for another reason: the upstream server's response is not what the endpoint expects.
  const matches = (expected: Access, actual: number): boolean =>
    expected === 'allowed' ? ![401, 403].includes(actual) : actual === expected;

  const cells = Object.entries(MATRIX).flatMap(([name, row]) =>
    (['anonymous', 'user', 'admin'] as const).map(
      (caller) => [caller, name as keyof typeof publicEndpoints, row[caller]] as const,
    ),
  );

  it.each(cells)('%s calls %s: %s', async (caller, name, expected) => {
    bff.upstream.requests.length = 0;
    const responseStatus = await status(name, caller, ownId);
    expect(matches(expected, responseStatus), `responded ${responseStatus}`).toBe(true);
    if (expected !== 'allowed') expect(bff.upstream.requests).toEqual([]);
  });

  const roleCells = Object.entries(MATRIX)
    .filter(([, row]) => row.admin === 'allowed')
    .flatMap(([name, { permission }]) =>
      ADMIN_ROLES.map((role) => {
        const isAllowed = permission === undefined || may(role, permission);
        return [role, name as keyof typeof publicEndpoints, isAllowed ? 'allowed' : 403] as const;
      }),
    );

  it.each(roleCells)('D6 an admin with the role %s calls %s: %s', async (role, name, expected) => {
    bff.upstream.requests.length = 0;
    const responseStatus = await status(name, role, ownId);
    expect(matches(expected, responseStatus), `responded ${responseStatus}`).toBe(true);
    if (expected !== 'allowed') expect(bff.upstream.requests).toEqual([]);
  });

  const OWNERS = { pictures: 'profile', stripeWebhook: 'billing', sendgridWebhook: 'worker', live: '' };
  const pathCells = Object.entries(PATHS).flatMap(([name, row]) =>
    (['anonymous', 'user', 'admin'] as const).map(
      (caller) => [caller, name as keyof typeof publicPaths, row[caller]] as const,
    ),
  );

  it.each(pathCells)('%s calls the path of %s: %s', async (caller, name, expected) => {
    bff.upstream.requests.length = 0;
    const path = name === 'pictures' ? `${publicPaths.pictures}a.jpg` : publicPaths[name];
    const disconnect = new AbortController(); // the response of live updates does not end
    const response = await fetch(`${bff.url}${path}`, {
      method: name.endsWith('Webhook') ? 'POST' : 'GET',
      headers: await headersOf(caller),
      signal: disconnect.signal,
    });
    disconnect.abort();
    expect(matches(expected, response.status), `responded ${response.status}`).toBe(true);
    // These requests reach the services without a session.
    for (const request of bff.upstream.requests)
      expect((await bff.callerOf(OWNERS[name], request)).role).toBe('anonymous');
  });

  it.each(Object.entries(MATRIX).filter(([, row]) => row.other !== undefined))(
    'a user who calls %s with the id of another user gets the response for an unknown id',
    async (name, row) => {
      expect(await status(name as keyof typeof publicEndpoints, 'user', uuidv7())).toBe(row.other);
    },
  );

  it('D4 User token on admin routes and the reverse → 403', async () => {
    for (const [name, row] of Object.entries(MATRIX)) {
      const wrong = row.user === 403 ? 'user' : row.admin === 403 ? 'admin' : null;
      if (wrong !== null)
        expect(await status(name as keyof typeof publicEndpoints, wrong, ownId), name).toBe(403);
    }
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
      bff.upstream.requests.length = 0;
      const response = await send(bff.port, path, { method, headers: await headersOf('user') });
      expect([400, 403, 404, 405]).toContain(
        response.status === 200 && response.body.includes('<title>') ? 404 : response.status,
      );
      expect(bff.upstream.requests).toEqual([]);
    },
  );
});
