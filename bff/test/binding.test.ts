import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { cookieOf, fromPage, type Jar, store } from './cookie-jar.ts';
import { NO_FACTORS, OWNER } from './factors-reply.ts';
import { respondWith, send, startBff, useBff } from './support.ts';

const LOG_INS = { user: '/login', admin: '/super-admin-authentication' } as const;
type Role = keyof typeof LOG_INS;

let userId: string;
const bff = await useBff();
beforeEach(() => {
  userId = uuidv7();
  bff.upstream.respond = respondWith(() => ({
    data: { id: userId, admin: OWNER },
    planState: { version: 1 },
    factors: NO_FACTORS,
  }));
});

/** Logs in from a page of ours and returns the token; the jar gets the cookies. */
const logIn = async (jar: Jar, role: Role): Promise<string> => {
  const body = '{"email":"ana@talent.test","password":"open sesame"}';
  const response = await send(bff.port, LOG_INS[role], { method: 'POST', headers: fromPage(jar), body });
  store(jar, response);
  const reply = JSON.parse(response.body) as { data?: { token: string }; credentials?: { token: string } };
  return reply.data?.token ?? reply.credentials?.token ?? '';
};

const statusWith = async (token: string, headers: Record<string, string>, role: Role): Promise<number> => {
  const path = role === 'user' ? '/api/sessions' : '/check_authentication';
  return (await send(bff.port, path, { headers: { authorization: `Bearer ${token}`, ...headers } })).status;
};

describe('a session that begins in a browser', () => {
  it.each(['user', 'admin'] as const)(
    'S2 of a %s: its token is refused without the cookie, with a wrong one, and with that of another session',
    async (role) => {
      const [jar, otherJar]: [Jar, Jar] = [new Map(), new Map()];
      const token = await logIn(jar, role);
      await logIn(otherJar, role);
      expect(await statusWith(token, { cookie: cookieOf(jar) }, role)).toBe(200);
      const name = `${role}-session`;
      const stolen: Record<string, string>[] = [
        {},
        { cookie: '' },
        { cookie: `${name}=` },
        { cookie: `${name}=${'a'.repeat(43)}` },
        { cookie: `${name}=${jar.get(name)?.slice(1)}` },
        { cookie: cookieOf(otherJar) },
      ];
      for (const headers of stolen) {
        expect(await statusWith(token, headers, role), headers['cookie']).toBe(401);
        const fromBrowser = { ...headers, 'sec-fetch-site': 'same-origin' };
        expect(await statusWith(token, fromBrowser, role), headers['cookie']).toBe(401);
      }
      expect(await statusWith(token, { cookie: cookieOf(jar) }, role)).toBe(200);
    },
  );

  it('S2 a stolen token extends no session and ends none', async () => {
    const jar: Jar = new Map();
    const token = await logIn(jar, 'user');
    const [key = ''] = (await bff.redis.keys('session:*')).filter((name) =>
      name.includes(token.slice(0, 16)),
    );
    await bff.redis.pexpire(key, 60_000);
    await statusWith(token, {}, 'user');
    await send(bff.port, '/api/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    expect(await bff.redis.pttl(key)).toBeLessThanOrEqual(60_000);
    expect(await statusWith(token, { cookie: cookieOf(jar) }, 'user')).toBe(200);
  });

  it('S2 the cookie is for this host alone, unreadable for scripts, and stored as a hash', async () => {
    const https = await startBff(inject('sessionsRedisUrl'), { PUBLIC_URL: 'https://shortlist.test' });
    https.upstream.respond = respondWith(() => ({ data: { id: userId, admin: OWNER }, factors: NO_FACTORS }));
    const response = await send(https.port, LOG_INS.admin, {
      method: 'POST',
      headers: {
        host: 'shortlist.test',
        origin: 'https://shortlist.test',
        'content-type': 'application/json',
      },
      body: '{"email":"ana@talent.test","password":"open sesame"}',
    });
    await https.close();
    const line = response.headers['set-cookie']?.find((cookie) => cookie.includes('admin-session')) ?? '';
    const [pair = '', ...attributes] = line.split('; ');
    expect(pair).toMatch(/^__Host-admin-session=[\w-]{43}$/);
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']));
    const value = pair.split('=')[1] ?? '';
    const stored = await Promise.all((await bff.redis.keys('session:*')).map((key) => bff.redis.hvals(key)));
    expect(stored.flat()).not.toContain(value);
  });

  it('S2 one browser can have a session of a user and one of an admin', async () => {
    const jar: Jar = new Map();
    const user = await logIn(jar, 'user');
    const admin = await logIn(jar, 'admin');
    expect(await statusWith(user, { cookie: cookieOf(jar) }, 'user')).toBe(200);
    expect(await statusWith(admin, { cookie: cookieOf(jar) }, 'admin')).toBe(200);
  });

  it('S2 each log-in has a new cookie and ends the session that the account had in this browser', async () => {
    const jar: Jar = new Map();
    await logIn(jar, 'user');
    const before = jar.get('user-session');
    const token = await logIn(jar, 'user');
    expect(jar.get('user-session')).not.toBe(before);
    expect(await statusWith(token, { cookie: cookieOf(jar) }, 'user')).toBe(200);
    expect(await bff.sessions.list(userId)).toHaveLength(1);
  });

  it('S2 a log-out removes the cookie', async () => {
    const jar: Jar = new Map();
    const token = await logIn(jar, 'user');
    const headers = fromPage(jar, { authorization: `Bearer ${token}` });
    store(jar, await send(bff.port, '/api/logout', { method: 'POST', headers }));
    expect(jar.has('user-session')).toBe(false);
    expect(await bff.sessions.list(userId)).toEqual([]);
  });
});

it('a client that is not a browser gets no cookie, and its token needs none', async () => {
  const headers = { 'content-type': 'application/json' };
  const body = '{"email":"ana@talent.test","password":"open sesame"}';
  const response = await send(bff.port, '/login', { method: 'POST', headers, body });
  expect(response.headers['set-cookie']?.some((line) => line.includes('-session='))).toBe(false);
  const { token } = (JSON.parse(response.body) as { data: { token: string } }).data;
  expect(await statusWith(token, {}, 'user')).toBe(200);
});
