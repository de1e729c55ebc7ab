import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { examplePath } from '@shortlist/contracts/testing/examples';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { keysOfToken, nameOfSession, type SessionRole } from '../src/session/session.ts';
import { type Browser, cookieOf, createBrowser, fromPage, type Jar, store, tokenIn } from './browser.ts';
import { type EndpointName, endpointNames, send } from './requests.ts';
import { respondAsAccount, useBff } from './support.ts';
import { roleFor } from './authorisation-matrix.ts';

/** Every endpoint that changes something, so that new endpoints are tested too: `subscribe`, a GET, opens a checkout. */
const changingEndpoints = endpointNames.filter(
  (name) => publicEndpoints[name].method !== 'GET' || name === 'subscribe',
);

const bff = await useBff({ ALLOWED_HOSTS: 'people.internal' });
const https = await useBff({
  PUBLIC_URL: 'https://People.Talent.test',
  ALLOWED_HOSTS: 'people.internal, 10.0.0.7:5000',
});
let userId: string;
beforeEach(() => {
  userId = uuidv7();
  for (const { upstream } of [bff, https]) upstream.respond = respondAsAccount(userId);
});

/** Two browsers of each role, which all attacks use: an attack that has an effect ends their sessions or fails. */
const browsers = new Map<SessionRole, Promise<Browser[]>>();
const browsersFor = (name: EndpointName): Promise<Browser[]> => {
  const role = roleFor(name);
  const opened = browsers.get(role) ?? Promise.all([createBrowser(bff, role), createBrowser(bff, role)]);
  browsers.set(role, opened);
  return opened;
};
const logOut = (browser: Browser) =>
  bff.call('logout', { headers: browser.headers() }).then(browser.storeCookies);

const authorizationOf = (browser: Browser): string => browser.headers()['authorization'] ?? '';
/** Ends the session and begins another. Returns the headers of the first. */
const restart = async (browser: Browser): Promise<Headers> => {
  const before = browser.headers();
  await logOut(browser);
  await browser.logIn();
  return before;
};

type Headers = Record<string, string>;
/** The headers of each attack: `browser` has the session, `otherBrowser` another session. */
const ATTACKS: Record<string, (browser: Browser, otherBrowser: Browser) => Headers | Promise<Headers>> = {
  'no token': (browser) => browser.headers({ xsrf: null }),
  'a made-up token': (browser) => browser.headers({ xsrf: 'A'.repeat(43) }),
  'another session’s token': (browser, otherBrowser) => browser.headers({ xsrf: otherBrowser.xsrf() }),
  'another session’s token and cookies': (browser, otherBrowser) => ({
    ...otherBrowser.headers(),
    authorization: authorizationOf(browser),
  }),
  'the token of an ended session': async (browser) => {
    const { 'x-xsrf-token': xsrf = '' } = await restart(browser);
    return browser.headers({ xsrf });
  },
  'the token and cookies of an ended session': async (browser) => ({
    ...(await restart(browser)),
    authorization: authorizationOf(browser),
  }),
  'a cross-site fetch': (browser) => ({ ...browser.headers(), 'sec-fetch-site': 'cross-site' }),
  'a foreign Origin': (browser) => ({ ...browser.headers(), origin: 'https://evil.test' }),
  'the Origin null': (browser) => ({ ...browser.headers(), origin: 'null' }),
  'a body of text/plain': (browser) => ({ ...browser.headers(), 'content-type': 'text/plain' }),
  'a body of a plain HTML form': (browser) => ({
    ...browser.headers(),
    'content-type': 'application/x-www-form-urlencoded',
  }),
  'a foreign Origin and no cookies': (browser) => ({
    authorization: authorizationOf(browser),
    origin: 'https://evil.test',
  }),
};

describe('a request from another site', () => {
  it.each(changingEndpoints)('C1 %s accepts our own pages, and clients without cookies', async (name) => {
    const browser = await createBrowser(bff, roleFor(name));
    for (const headers of [browser.headers(), { authorization: authorizationOf(browser) }])
      expect((await bff.call(name, { headers })).body).not.toContain('request.cross_site');
  });

  it.each(changingEndpoints.flatMap((name) => Object.keys(ATTACKS).map((attack) => [name, attack] as const)))(
    'C1 %s refuses %s with 403 and without effect',
    async (name, attack) => {
      const [browser, otherBrowser] = (await browsersFor(name)) as [Browser, Browser];
      const headers = (await ATTACKS[attack]?.(browser, otherBrowser)) ?? {};
      bff.upstream.requests.length = 0; // those of the browsers' own log-ins
      const response = await bff.call(name, { headers });
      expect(response.status).toBe(403);
      expect(response.body).toContain('request.cross_site');
      expect(response.headers['set-cookie']).toBeUndefined();
      expect(bff.upstream.requests).toEqual([]);
      expect(await browser.isLoggedIn()).toBe(true);
    },
  );

  const statusOf = async (name: EndpointName, headers: Headers): Promise<number> =>
    (await bff.call(name, { headers })).status;

  it('C1 S2 a browser can have a user session and an admin session, and one continues when the other ends', async () => {
    const browser = await createBrowser(bff, 'user');
    const user = authorizationOf(browser);
    await browser.logIn('admin');
    const charge = () => statusOf('chargeCredit', { ...browser.headers(), authorization: user });
    expect([await charge(), await statusOf('grantPlan', browser.headers())]).toEqual([200, 200]);
    await logOut(browser); // ends the admin session, which is the last one
    expect(await charge()).toBe(200);
  });

  it('C1 a browser that lost its cookies gets new ones for its session', async () => {
    const browser = await createBrowser(bff, 'user');
    const authorization = authorizationOf(browser);
    browser.clearCookies();
    browser.storeCookies(await bff.call('config'));
    expect(await statusOf('chargeCredit', browser.headers())).toBe(403);
    browser.storeCookies(await bff.call('config', { headers: { authorization, cookie: browser.cookie() } }));
    expect(await statusOf('chargeCredit', browser.headers())).toBe(200);
  });

  it('C1 a request with an ended session gets 401 and no cookies', async () => {
    const browser = await createBrowser(bff, 'user');
    const authorization = authorizationOf(browser);
    await logOut(browser);
    const response = await bff.call('config', { headers: { authorization, cookie: browser.cookie() } });
    expect([response.status, response.headers['set-cookie']]).toEqual([401, undefined]);
  });

  it.each(['sl_test_x', 'anything', 'A'.repeat(42)])(
    'C1 the bearer %s, which is no session, counts for nothing where the configuration is read',
    async (token) => {
      const { status, headers } = await bff.call('config', { token });
      expect([status, headers['set-cookie']?.length]).toEqual([200, 2]);
      // The cookie names no session.
      expect(headers['set-cookie']?.join()).toMatch(/browser=[\w-]{22};/);
    },
  );

  const paths = [
    ...Object.values(publicEndpoints).map((endpoint) => examplePath(endpoint, uuidv7())),
    ...Object.values(publicPaths),
    '/',
    '/nowhere',
  ];

  it.each([...new Set(paths)])(
    'C2 %s allows no foreign origin, neither for a preflight nor for a request',
    async (path) => {
      for (const origin of ['https://evil.test', 'null', 'http://localhost:5000.evil.test'])
        for (const method of ['OPTIONS', 'HEAD', 'POST']) {
          const headers = {
            ...{ origin, 'content-type': 'application/json' },
            'access-control-request-method': 'PUT',
            'access-control-request-headers': 'authorization',
          };
          const response = await send(bff.port, path, { method, headers });
          expect(Object.keys(response.headers).join()).not.toContain('access-control-');
        }
    },
  );
});

describe('the origin of a change', () => {
  const changeFrom = async (origin: string, host: string, more: Headers = {}): Promise<string> =>
    (await https.call('login', { headers: { host, origin, ...more } })).body;

  it('C1 the public address is ours', async () => {
    const body = await changeFrom('https://people.talent.test', 'people.talent.test');
    expect(body).toContain('identity.login_invalid');
  });

  it.each([
    ['http://people.talent.test', 'people.talent.test'],
    ['http://people.talent.test:443', 'people.talent.test:443'],
    ['http://people.internal:5000', 'people.internal:5000'],
    ['http://10.0.0.7', '10.0.0.7'],
    ['https://people.talent.test.evil.test', 'people.talent.test'],
  ])('C1 over https, %s is foreign to the host %s', async (origin, host) => {
    for (const more of [{}, { 'sec-fetch-site': 'same-site' }, { 'x-forwarded-proto': 'http' }])
      expect(await changeFrom(origin, host, more)).toContain('request.cross_site');
  });

  it.each([
    ['http', 400],
    ['https', 403],
  ])('C1 over http, with %s the name by which a page was opened returns %i', async (scheme, status) => {
    const headers = { host: 'people.internal', origin: `${scheme}://people.internal` };
    expect((await bff.call('login', { headers })).status).toBe(status);
  });
});

const CREDENTIALS = { email: 'ana@talent.test', password: 'open sesame' };
/** Logs in from a page of ours and returns the token; the jar gets the cookies. */
const logIn = async (jar: Jar, role: SessionRole = 'user'): Promise<string> => {
  const name = role === 'user' ? 'login' : 'adminLogin';
  const response = await bff.call(name, { headers: fromPage(jar), body: CREDENTIALS });
  store(jar, response);
  return tokenIn(response);
};
const statusWith = async (token: string, headers: Headers, role: SessionRole = 'user'): Promise<number> =>
  (await bff.call(role === 'user' ? 'listDevices' : 'checkAdmin', { token, headers })).status;

describe('a session that begins in a browser', () => {
  let jar: Jar;
  beforeEach(() => {
    jar = new Map();
  });

  it.each(['user', 'admin'] as const)(
    'S2 of a %s: its token is refused without the cookie, with a wrong one, and with that of another session',
    async (role) => {
      const otherJar: Jar = new Map();
      const token = await logIn(jar, role);
      await logIn(otherJar, role);
      expect(await statusWith(token, { cookie: cookieOf(jar) }, role)).toBe(200);
      const name = `${role}-session`;
      const wrong = ['', `${name}=`, `${name}=${'a'.repeat(43)}`, `${name}=${jar.get(name)?.slice(1)}`];
      const stolen = [{}, ...[...wrong, cookieOf(otherJar)].map((cookie) => ({ cookie }))];
      for (const headers of stolen)
        for (const site of [{}, { 'sec-fetch-site': 'same-origin' }])
          expect(await statusWith(token, { ...headers, ...site }, role), JSON.stringify(headers)).toBe(401);
      expect(await statusWith(token, { cookie: cookieOf(jar) }, role)).toBe(200);
    },
  );

  it('S2 a stolen token extends no session and ends none', async () => {
    const token = await logIn(jar);
    const key = keysOfToken(token).session(nameOfSession(token));
    expect(await bff.redis.pexpire(key, 60_000)).toBe(1);
    await statusWith(token, {});
    await bff.call('logout', { token });
    expect(await bff.redis.pttl(key)).toBeLessThanOrEqual(60_000);
    expect(await statusWith(token, { cookie: cookieOf(jar) })).toBe(200);
  });

  it('S2 the cookie is for this host alone, unreadable for scripts, and stored as a hash', async () => {
    const headers = { host: 'people.talent.test', origin: 'https://people.talent.test' };
    const response = await https.call('adminLogin', { headers, body: CREDENTIALS });
    const line = response.headers['set-cookie']?.find((cookie) => cookie.includes('admin-session')) ?? '';
    const [pair = '', ...attributes] = line.split('; ');
    expect(pair).toMatch(/^__Host-admin-session=[\w-]{43}$/);
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']));
    const value = pair.split('=')[1] ?? '';
    const stored = await Promise.all((await bff.redis.keys('session:*')).map((key) => bff.redis.hvals(key)));
    expect(stored.flat()).not.toContain(value);
  });

  it('S2 each log-in has a new cookie and ends the session that the account had in this browser', async () => {
    await logIn(jar);
    const before = jar.get('user-session');
    const token = await logIn(jar);
    expect(jar.get('user-session')).not.toBe(before);
    expect(await statusWith(token, { cookie: cookieOf(jar) })).toBe(200);
    expect(await bff.sessions.list(userId)).toHaveLength(1);
  });

  it('S2 a log-out removes the cookie', async () => {
    const token = await logIn(jar);
    store(jar, await bff.call('logout', { token, headers: fromPage(jar) }));
    expect(jar.has('user-session')).toBe(false);
    expect(await bff.sessions.list(userId)).toEqual([]);
  });
});

it('a client that is not a browser gets no cookie, and its token needs none', async () => {
  const response = await bff.call('login', { body: CREDENTIALS });
  expect(response.headers['set-cookie']?.some((line) => line.includes('-session='))).toBe(false);
  expect(await statusWith(tokenIn(response), {})).toBe(200);
});
