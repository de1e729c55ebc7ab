import { fillPath } from '@shortlist/contracts/api/endpoint';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Browser, createBrowser } from './browser.ts';
import { MULTIPART } from './multipart.ts';
import { answering, type Bff, type RawReply, send, startBff } from './support.ts';

type EndpointName = keyof typeof publicEndpoints;
const MULTIPARTS = new Set<EndpointName>(['signup', 'updateUser']);
/** Changes something although it is a GET: it opens a checkout. */
const CHANGING_READS = new Set<EndpointName>(['subscribe']);
const ADMINS = new Set<EndpointName>(['deleteUser', 'grantPlan', 'revokePlan']);

/** Every door that changes something, found by its method. A new one is held to this without a word here. */
const changing = (Object.keys(publicEndpoints) as EndpointName[]).filter(
  (name) => publicEndpoints[name].method !== 'GET' || CHANGING_READS.has(name),
);

let bff: Bff;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'));
});
afterAll(() => bff.close());
beforeEach(() => {
  bff.upstream.seen.length = 0;
  bff.upstream.reply = answering(() => ({ data: { id: uuidv7() }, planState: { version: 1 } }));
});

const ask = (name: EndpointName, headers: Record<string, string>): Promise<RawReply> => {
  const { method, path } = publicEndpoints[name];
  const target = fillPath(path, { id: uuidv7(), userId: uuidv7(), reservationId: uuidv7() }).path;
  const type = MULTIPARTS.has(name) ? MULTIPART : 'application/json';
  const body = MULTIPARTS.has(name) ? '--b--\r\n' : '{}';
  const all = { ...(method === 'GET' ? {} : { 'content-type': type }), ...headers };
  return send(bff.port, target, { method, headers: all, ...(method === 'GET' ? {} : { body }) });
};
const begin = (name: EndpointName): Promise<Browser> =>
  createBrowser(bff, ADMINS.has(name) ? 'admin' : 'user');
const end = (browser: Browser) =>
  send(bff.port, '/api/logout', { method: 'POST', headers: browser.headers() }).then(browser.take);

type Headers = Record<string, string>;
/** What each attack sends; `own` is the browser of the session, `other` another browser with another session. */
const ATTACKS: Record<string, (browser: Browser, otherBrowser: Browser) => Headers | Promise<Headers>> = {
  'no token': (browser) => browser.headers({ xsrf: null }),
  'a made-up token': (browser) => browser.headers({ xsrf: 'A'.repeat(43) }),
  'another session’s token': (browser, otherBrowser) => browser.headers({ xsrf: otherBrowser.xsrf() }),
  'another session’s token and cookies': (browser, otherBrowser) => ({
    ...browser.headers(),
    cookie: otherBrowser.cookie(),
    'x-xsrf-token': otherBrowser.xsrf(),
  }),
  'the token of an ended session': async (browser) => {
    const before = browser.xsrf();
    await end(browser);
    await browser.logIn();
    return browser.headers({ xsrf: before });
  },
  'the token and cookies of an ended session': async (browser) => {
    const before = browser.headers();
    await end(browser);
    await browser.logIn();
    return { ...before, authorization: browser.headers()['authorization'] ?? '' };
  },
  'a cross-site fetch': (browser) => ({ ...browser.headers(), 'sec-fetch-site': 'cross-site' }),
  'a foreign Origin': (browser) => ({ ...browser.headers(), origin: 'https://evil.test' }),
  'the Origin null': (browser) => ({ ...browser.headers(), origin: 'null' }),
  'a body of text/plain': (browser) => ({ ...browser.headers(), 'content-type': 'text/plain' }),
  'a body that any form could send': (browser) => ({
    ...browser.headers(),
    'content-type': 'application/x-www-form-urlencoded',
  }),
  'a foreign Origin and no cookies': (browser) => ({
    authorization: browser.headers()['authorization'] ?? '',
    origin: 'https://evil.test',
  }),
};

describe('requests from other sites', () => {
  it('C1 the doors that change something are found', () => {
    expect(changing).toEqual(
      expect.arrayContaining(['login', 'logout', 'signup', 'chargeCredit', 'subscribe']),
    );
  });

  it.each(changing)(
    'C1 a page of ours passes at %s; so does a plain client without cookies',
    async (name) => {
      const browser = await begin(name);
      const { authorization = '' } = browser.headers();
      expect((await ask(name, browser.headers())).body).not.toContain('request.cross_site');
      expect((await ask(name, { authorization })).body).not.toContain('request.cross_site');
    },
  );

  it.each(changing.flatMap((name) => Object.keys(ATTACKS).map((attack) => [name, attack] as const)))(
    'C1 %s refuses %s with 403, and it has no effect',
    async (name, attack) => {
      const [browser, otherBrowser] = [await begin(name), await begin(name)];
      const headers = (await ATTACKS[attack]?.(browser, otherBrowser)) ?? {};
      bff.upstream.seen.length = 0;
      const reply = await ask(name, headers);
      expect(reply.status).toBe(403);
      expect(reply.body).toContain('request.cross_site');
      expect(reply.headers['set-cookie']).toBeUndefined();
      expect(bff.upstream.seen).toEqual([]);
      expect(await browser.isIn()).toBe(true);
    },
  );

  it('C1 a browser may hold a session of each kind, and both go on when one ends', async () => {
    const browser = await createBrowser(bff, 'user');
    const user = browser.headers()['authorization'] ?? '';
    await browser.logIn('admin');
    const admin = browser.headers()['authorization'] ?? '';
    const passes = async (name: EndpointName, authorization: string): Promise<boolean> =>
      (await ask(name, { ...browser.headers(), authorization })).status === 200;
    expect([await passes('chargeCredit', user), await passes('grantPlan', admin)]).not.toContain(false);
    await end(browser); // the admin's, which came last
    expect(await passes('chargeCredit', user)).toBe(true);
  });

  it('C1 a browser that lost its cookies gets them back for the session that it holds', async () => {
    const browser = await createBrowser(bff, 'user');
    const { authorization = '' } = browser.headers();
    browser.forget();
    browser.take(await send(bff.port, '/api/config'));
    expect((await ask('chargeCredit', browser.headers())).status).toBe(403);
    browser.take(
      await send(bff.port, '/api/config', { headers: { authorization, cookie: browser.cookie() } }),
    );
    expect((await ask('chargeCredit', browser.headers())).status).toBe(200);
  });

  it('C1 for a session that has ended there are no cookies, and that is said', async () => {
    const browser = await createBrowser(bff, 'user');
    const { authorization = '' } = browser.headers();
    await end(browser);
    const headers = { authorization, cookie: browser.cookie() };
    const reply = await send(bff.port, '/api/config', { headers });
    expect(reply.status).toBe(401);
    expect(reply.headers['set-cookie']).toBeUndefined();
  });

  it('C5 the provider’s webhook asks for none of this', async () => {
    const headers = { 'content-type': 'text/plain', 'stripe-signature': 'v1=x', cookie: 'browser=x' };
    await send(bff.port, publicPaths.stripeWebhook, { method: 'POST', headers, body: '{"id": 1}' });
    expect(bff.upstream.seen.map(({ body }) => body.toString())).toEqual(['{"id": 1}']);
  });

  const paths = [
    ...(Object.keys(publicEndpoints) as EndpointName[]).map(
      (name) =>
        fillPath(publicEndpoints[name].path, { id: uuidv7(), userId: uuidv7(), reservationId: uuidv7() })
          .path,
    ),
    ...Object.values(publicPaths),
    '/',
    '/nowhere',
  ];

  it.each([...new Set(paths)])(
    'C2 nothing at %s is allowed to a foreign origin, neither in advance nor with the answer',
    async (path) => {
      for (const origin of ['https://evil.test', 'null', 'http://localhost:5000.evil.test'])
        for (const method of ['OPTIONS', 'HEAD', 'POST']) {
          const headers = {
            origin,
            'access-control-request-method': 'PUT',
            'access-control-request-headers': 'authorization',
            'content-type': 'application/json',
          };
          const reply = await send(bff.port, path, { method, headers });
          const allowed = Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'));
          expect(allowed).toEqual([]);
        }
    },
  );
});
