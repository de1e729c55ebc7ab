import { fillPath } from '@shortlist/contracts/api/endpoint';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { MATRIX, type Access, PATHS } from './authorisation-matrix.ts';
import { type Bff, send, startBff } from './support.ts';

const BODIES: Record<string, string> = {
  login: '{"email":"a@b.co","password":"secret1"}',
  adminLogin: '{"email":"a@b.co","password":"secret1"}',
  confirmPayment: '{"xsl":"cs_test_1"}',
  chargeCredit: '{"reason":"email_found"}',
};
const QUERIES: Record<string, string> = { emailAvailability: '?email=a@b.co', earnings: '?period=week' };
const MULTIPART = new Set(['signup', 'updateUser']);

const bodyOf = (name: string): { type: string; body: string } => {
  if (!MULTIPART.has(name)) return { type: 'application/json', body: BODIES[name] ?? '{}' };
  const body = '--b\r\nContent-Disposition: form-data; name="userData"\r\n\r\n{}\r\n--b--\r\n';
  return { type: 'multipart/form-data; boundary=b', body };
};

describe('D1 who may open which door', () => {
  let bff: Bff;
  const ownId = uuidv7();
  type Caller = 'anonymous' | 'user' | 'admin';

  // A new session each time: one of the doors is the way out.
  const headersOf = async (caller: Caller): Promise<Record<string, string>> => {
    if (caller === 'anonymous') return {};
    const { token } = await bff.sessions.begin(caller === 'user' ? ownId : uuidv7(), caller);
    return { authorization: `Bearer ${token}` };
  };

  beforeAll(async () => {
    bff = await startBff(inject('sessionsRedisUrl'));
  });
  afterAll(() => bff.close());

  const status = async (
    name: keyof typeof publicEndpoints,
    caller: Caller,
    about: string,
  ): Promise<number> => {
    const { method, path } = publicEndpoints[name];
    const target = fillPath(path, {
      id: name === 'billingPortal' ? 'cus_1' : about,
      userId: about,
      reservationId: about,
    }).path;
    const sent = method === 'POST' || method === 'PUT' ? bodyOf(name) : null;
    const reply = await send(bff.port, `${target}${QUERIES[name] ?? ''}`, {
      method,
      headers: { ...(await headersOf(caller)), ...(sent && { 'content-type': sent.type }) },
      ...(sent && { body: sent.body }),
    });
    return reply.status;
  };

  // What is behind an open door is another matter: here a stand-in answers, which may not be what the door wants.
  const meets = (expected: Access, found: number): boolean =>
    expected === 'opens' ? ![401, 403].includes(found) : found === expected;

  const cells = Object.entries(MATRIX).flatMap(([name, row]) =>
    (['anonymous', 'user', 'admin'] as const).map(
      (caller) => [caller, name as keyof typeof publicEndpoints, row[caller]] as const,
    ),
  );

  it.each(cells)('%s at %s: %s', async (caller, name, expected) => {
    bff.upstream.seen.length = 0;
    const found = await status(name, caller, ownId);
    expect(meets(expected, found), `answered ${found}`).toBe(true);
    if (expected !== 'opens') expect(bff.upstream.seen).toEqual([]);
  });

  const pathCells = Object.entries(PATHS).flatMap(([name, row]) =>
    (['anonymous', 'user', 'admin'] as const).map(
      (caller) => [caller, name as keyof typeof publicPaths, row[caller]] as const,
    ),
  );

  it.each(pathCells)('%s at the path of %s: %s', async (caller, name, expected) => {
    bff.upstream.seen.length = 0;
    const path = name === 'pictures' ? `${publicPaths.pictures}a.jpg` : publicPaths[name];
    const hangUp = new AbortController(); // what is live has no end of its own
    const found = await fetch(`${bff.url}${path}`, {
      method: name === 'stripeWebhook' ? 'POST' : 'GET',
      headers: await headersOf(caller),
      signal: hangUp.signal,
    });
    hangUp.abort();
    expect(meets(expected, found.status), `answered ${found.status}`).toBe(true);
    // A service hears of nobody's session there, so that none is taken for a right.
    for (const seen of bff.upstream.seen)
      expect((await bff.callerSeen(name === 'pictures' ? 'profile' : 'billing', seen)).role).toBe(
        'anonymous',
      );
  });

  it.each(Object.entries(MATRIX).filter(([, row]) => row.other !== undefined))(
    'a user who asks %s about somebody else is told that there is no such thing',
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
  const looks = [
    ...['/Users', '/users/', '/USERS', '/api/users/newest/', '/Admin', '//users', '/%75sers', '/users%2f'],
    ...[
      '/users%00',
      '/admin;/',
      '//admin',
      '/admin/../users',
      '/admin%2f..%2fusers',
      '/api/%2e%2e/users',
      '/users;a=b',
    ],
  ].map((path) => ['GET', path] as const);
  const changes = ['/Admin', '/admin;', '//admin', '/%61dmin', '/admin/.', '/ADMIN'].flatMap((prefix) => [
    ['PUT', `${prefix}/unsubscribe/${ID}`] as const,
    ['PUT', `/api${prefix}/user-payment/${ID}`] as const,
  ]);
  const removals = [`/Users/${ID}`, `//users/${ID}`, `/users/${ID}/`].map(
    (path) => ['DELETE', path] as const,
  );

  it.each([...looks, ...changes, ...removals])(
    'D4 admin routes not reachable by path tricks (`/Admin`, `/admin;/`, `//admin`): %s %s',
    async (method, path) => {
      bff.upstream.seen.length = 0;
      const reply = await send(bff.port, path, { method, headers: await headersOf('user') });
      expect([400, 403, 404, 405]).toContain(
        reply.status === 200 && reply.body.includes('<title>') ? 404 : reply.status,
      );
      expect(bff.upstream.seen).toEqual([]);
    },
  );
});
