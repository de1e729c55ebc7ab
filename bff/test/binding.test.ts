import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { cookieOf, fromPage, type Jar, store, tokenIn } from './cookie-jar.ts';
import { respondAsAccount, useBff } from './support.ts';

const bff = await useBff();
const https = await useBff({ PUBLIC_URL: 'https://shortlist.test' });
let userId: string;
beforeEach(() => {
  userId = uuidv7();
  bff.upstream.respond = respondAsAccount(userId);
});

type Role = 'user' | 'admin';
const CREDENTIALS = { email: 'ana@talent.test', password: 'open sesame' };
/** Logs in from a page of ours and returns the token; the jar gets the cookies. */
const logIn = async (jar: Jar, role: Role): Promise<string> => {
  const name = role === 'user' ? 'login' : 'adminLogin';
  const response = await bff.call(name, { headers: fromPage(jar), body: CREDENTIALS });
  store(jar, response);
  return tokenIn(response);
};
const statusWith = async (token: string, headers: Record<string, string>, role: Role): Promise<number> =>
  (await bff.call(role === 'user' ? 'listDevices' : 'checkAdmin', { token, headers })).status;

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
    await bff.call('logout', { token });
    expect(await bff.redis.pttl(key)).toBeLessThanOrEqual(60_000);
    expect(await statusWith(token, { cookie: cookieOf(jar) }, 'user')).toBe(200);
  });

  it('S2 the cookie is for this host alone, unreadable for scripts, and stored as a hash', async () => {
    https.upstream.respond = bff.upstream.respond;
    const headers = { host: 'shortlist.test', origin: 'https://shortlist.test' };
    const response = await https.call('adminLogin', { headers, body: CREDENTIALS });
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
    store(jar, await bff.call('logout', { token, headers: fromPage(jar) }));
    expect(jar.has('user-session')).toBe(false);
    expect(await bff.sessions.list(userId)).toEqual([]);
  });
});

it('a client that is not a browser gets no cookie, and its token needs none', async () => {
  const response = await bff.call('login', { body: CREDENTIALS });
  expect(response.headers['set-cookie']?.some((line) => line.includes('-session='))).toBe(false);
  expect(await statusWith(tokenIn(response), {}, 'user')).toBe(200);
});
