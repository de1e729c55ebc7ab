import { CLIENT_ORIGIN_HEADER } from '@shortlist/contracts/api/connected-apps';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createBrowser } from './browser.ts';
import { countStatuses, times } from './requests.ts';
import { refuseWith, respondWith, startBff } from './support.ts';

/** The counts of attempts are in a database of their own, which these tests empty. */
const redisUrl = Object.assign(new URL(inject('sessionsRedisUrl')), { pathname: '/2' }).href;

const bff = await startBff(redisUrl);
const second = await startBff(redisUrl, { IDENTITY_URL: bff.upstream.url });
afterAll(() => Promise.all([bff.close(), second.close()]));
beforeEach(async () => {
  await bff.redis.flushdb();
  bff.upstream.requests.length = 0;
  bff.upstream.respond = respondWith(() => ({ error: 'invalid_grant' }), 400);
});

const FORM = 'application/x-www-form-urlencoded';
const post = (path: string, body = 'grant_type=refresh_token', headers: Record<string, string> = {}) =>
  bff.call(`POST ${path}`, { headers: { 'content-type': FORM, ...headers }, body });

describe('an address of the authorization server', () => {
  it('takes a form in any case and with any label of UTF-8, and none in another charset', async () => {
    bff.upstream.respond = respondWith(() => ({}));
    const typeSent = async (type: string) => {
      bff.upstream.requests.length = 0;
      const { status } = await post('/oauth/token', undefined, { 'content-type': type });
      return [status, bff.upstream.requests.map(({ headers }) => headers['content-type'])];
    };
    for (const type of [FORM, FORM.toUpperCase(), `${FORM};charset=UTF8`, `${FORM}; charset="utf-8"`])
      expect(await typeSent(type), type).toEqual([200, [FORM]]);
    expect(await typeSent(`${FORM}2`)).toEqual([200, ['']]);
    expect(await typeSent(`${FORM}; charset=latin1`)).toEqual([415, []]);
  });

  it('passes on the form and the device, and nothing else that the client sends', async () => {
    const { status, json } = await post('/oauth/token', 'grant_type=refresh_token&refresh_token=x', {
      authorization: 'Basic c2VjcmV0',
      cookie: 'user-session=secret; oauth_resume=abc; oauth_request=def; tool-requests=abc.def',
      'user-agent': 'Mozilla/5.0 (Macintosh) Firefox/140.0',
      'x-forwarded-for': '192.0.2.1',
    });
    expect([status, json]).toEqual([400, { error: 'invalid_grant' }]);
    const [request] = bff.upstream.requests;
    expect(request).toMatchObject({ method: 'POST', url: '/oauth/token' });
    expect(String(request?.body)).toBe('grant_type=refresh_token&refresh_token=x');
    expect(request?.headers.cookie).toBeUndefined();
    expect(await bff.callerOf('identity', request)).toMatchObject({ role: 'anonymous', userId: null });
    const origin = JSON.parse(decodeURIComponent(String(request?.headers[CLIENT_ORIGIN_HEADER]))) as object;
    expect(origin).toEqual({ browser: 'Firefox', system: 'macOS', network: '127.0.0.0/24', place: '' });
  });

  it('returns a redirect without its cookies, and no page of another origin may read it', async () => {
    bff.upstream.respond = (_request, response) =>
      void response.writeHead(303, { location: '/connect?request=x', 'set-cookie': ['a=1', 'b=2'] }).end();
    const { status, headers } = await bff.call('GET /oauth/authorize?client_id=x&state=y');
    expect([status, headers['location']]).toEqual([303, '/connect?request=x']);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
    expect(bff.upstream.requests[0]?.url).toBe('/oauth/authorize?client_id=x&state=y');
  });

  it('is readable for tools of every origin where it answers scripts', async () => {
    for (const reply of [
      await post('/oauth/token'),
      await post('/oauth/device'),
      await post('/oauth/revoke'),
      await bff.call('GET /.well-known/oauth-authorization-server'),
    ]) {
      expect(reply.headers['access-control-allow-origin']).toBe('*');
      expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  it('refuses in the form of OAuth: a body that is too large or of unknown size, a service that is away, an unknown tool', async () => {
    const large = await post('/oauth/token', `token=${'x'.repeat(5_000)}`);
    expect([large.status, large.json]).toMatchObject([413, { error: 'invalid_request' }]);
    const chunked = await post('/oauth/token', 'a=b', { 'transfer-encoding': 'chunked' });
    expect([chunked.status, chunked.json]).toMatchObject([411, { error: 'invalid_request' }]);
    // A token of ours that identity refuses says nothing about the client.
    bff.upstream.respond = refuseWith('service.token_refused');
    const away = await post('/oauth/token');
    expect([away.status, away.json]).toMatchObject([503, { error: 'temporarily_unavailable' }]);
    // No repetition helps a tool that is unknown or disabled.
    bff.upstream.respond = respondWith(() => ({ error: 'invalid_client' }), 401);
    const refused = await post('/oauth/token');
    expect([refused.status, refused.json]).toEqual([401, { error: 'invalid_client' }]);
  });

  it('starts thirty device requests a minute of one network', async () => {
    bff.upstream.respond = respondWith(() => ({}));
    const responses = await Promise.all(times(31, () => post('/oauth/device', 'a=b')));
    expect(countStatuses(responses)).toEqual({ 200: 30, 429: 1 });
  });
});

describe('a refresh', () => {
  const CLIENT = 'client_id=tool&grant_type=refresh_token';
  let issued = 0;
  const refresh = (token: string) => post('/oauth/token', `${CLIENT}&refresh_token=${token}`);
  /** identity, which issues other tokens each time. */
  const issue = () => {
    issued += 1;
    return { access_token: `slt_${issued}`, refresh_token: `raw-${issued}` };
  };
  const tokenIn = ({ json }: { json: unknown }) => (json as { refresh_token: string }).refresh_token;
  beforeEach(() => {
    bff.upstream.respond = respondWith(issue);
  });

  it('passes on the token that identity knows, and a forged signature is no token of ours', async () => {
    const token = tokenIn(await refresh('raw-0'));
    expect(token).toMatch(/^raw-\d+\.[A-Za-z0-9_-]{22}$/);
    await refresh(token);
    await refresh(`${token.slice(0, -1)}!`);
    const sent = bff.upstream.requests.map(({ body }) =>
      new URLSearchParams(String(body)).get('refresh_token'),
    );
    expect(sent).toEqual(['raw-0', token.split('.')[0], `${token.slice(0, -1)}!`]);
  });

  it('with a token of ours goes on in a network that has filled its limit, which a forged one does not', async () => {
    const token = tokenIn(await refresh('raw-0'));
    const flood = times(650, (index) => refresh(`guess-${index}`));
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(40);
    expect((await refresh(token)).status).toBe(200);
    expect((await refresh(`raw-1.${'A'.repeat(22)}`)).status).toBe(429);
  });

  it('of one token twenty-one times a minute is refused, and those of others go on', async () => {
    const [token, other] = [tokenIn(await refresh('raw-a')), tokenIn(await refresh('raw-b'))];
    bff.upstream.respond = respondWith(() => ({ error: 'invalid_grant' }), 400);
    const statuses = [];
    for (let index = 0; index < 21; index += 1) statuses.push((await refresh(token)).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await refresh(other)).status).toBe(400);
  });

  it('six times at once, over two processes, is sent once: all get the same reply', async () => {
    const token = tokenIn(await refresh('raw-0'));
    bff.upstream.requests.length = 0;
    bff.upstream.respond = (...args) => void setTimeout(() => respondWith(issue)(...args), 100);
    const input = { headers: { 'content-type': FORM }, body: `${CLIENT}&refresh_token=${token}` };
    const replies = await Promise.all(
      [bff, second, bff, second, bff, second].map(({ call }) => call('POST /oauth/token', input)),
    );
    expect(new Set(replies.map(({ status, body: reply }) => `${status} ${reply}`)).size).toBe(1);
    expect(bff.upstream.requests).toHaveLength(1);
    // A little later, too, until identity decides what a second use means.
    expect((await refresh(token)).body).toBe(replies[0]?.body);
    const [key = '', ...others] = await bff.redis.keys('refresh-reply:*');
    expect([others, await bff.redis.get(key)]).toEqual([[], expect.not.stringContaining('slt_')]);
    expect(await bff.redis.pttl(key)).toBeLessThanOrEqual(10_000);
    await bff.redis.del(key);
    await refresh(token);
    expect(bff.upstream.requests).toHaveLength(2);
  });

  it('that fails is sent again by the next one, and one with another client is not shared', async () => {
    const token = tokenIn(await refresh('raw-0'));
    bff.upstream.requests.length = 0;
    bff.upstream.respond = respondWith(() => ({ error: 'temporarily_unavailable' }), 400);
    expect((await refresh(token)).status).toBe(400);
    bff.upstream.respond = respondWith(issue);
    expect((await refresh(token)).status).toBe(200);
    await post('/oauth/token', `client_id=other&grant_type=refresh_token&refresh_token=${token}`);
    expect(bff.upstream.requests).toHaveLength(3);
  });
});

type Decision = 'findConnectionRequest' | 'approveConnection' | 'denyConnection';

/** Begins a request of a tool as identity would. Returns the cookie that the browser gets. */
const beginRequest = async (uid: string): Promise<string> => {
  const { respond } = bff.upstream;
  bff.upstream.respond = (_request, response) => {
    const cookies = [
      `oauth_request=${uid}; path=/api/connections`,
      `oauth_resume=${uid}; path=/oauth/authorize/${uid}`,
    ];
    response.writeHead(303, { location: `/connect?request=${uid}`, 'set-cookie': cookies }).end();
  };
  const { headers } = await bff.call('GET /oauth/authorize?client_id=x');
  bff.upstream.respond = respond;
  bff.upstream.requests.length = 0;
  const [line = '', ...others] = headers['set-cookie'] ?? [];
  expect([others, line]).toEqual([
    [],
    expect.stringMatching(/^tool-requests=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax/),
  ]);
  return line.split(';')[0] ?? '';
};

describe('a decision of a user', () => {
  it('D8 about a request of a browser is taken in the browser in which it began, alone', async () => {
    const browser = await createBrowser(bff, 'user');
    const body = { source: 'browser', request: 'uid-1' };
    const ask = (name: Decision, cookie = '') => {
      const headers = browser.headers();
      return bff.call(name, { body, headers: { ...headers, cookie: `${headers['cookie']}; ${cookie}` } });
    };
    bff.upstream.respond = respondWith(() => ({ returnTo: null, data: {} }));
    bff.upstream.requests.length = 0;
    const forged = ['tool-requests=uid-1', `tool-requests=uid-1.${'A'.repeat(43)}`];
    for (const name of ['findConnectionRequest', 'approveConnection', 'denyConnection'] as const) {
      for (const cookie of ['', 'oauth_request=uid-1', ...forged])
        expect((await ask(name, cookie)).code).toBe('identity.request_elsewhere');
      expect(bff.upstream.requests).toEqual([]);
      expect((await ask(name, await beginRequest('uid-1'))).status).toBe(200);
      bff.upstream.requests.length = 0;
    }
  });

  it('D8 is resumed in the browser in which the request began, alone', async () => {
    const cookie = await beginRequest('uid-3');
    bff.upstream.respond = respondWith(() => ({}));
    for (const [sent, passedOn] of [
      [cookie, 'oauth_resume=uid-3'],
      ['oauth_resume=uid-3', undefined],
    ] as const) {
      bff.upstream.requests.length = 0;
      await bff.call('GET /oauth/authorize/uid-3', { headers: { cookie: sent } });
      expect(bff.upstream.requests[0]?.headers.cookie).toBe(passedOn);
    }
  });

  it('about a wrong code is counted: twenty an hour, while right ones are free', async () => {
    const body = { source: 'device', request: 'BCDF-GHJK' };
    const ask = (token: string, name: Decision = 'findConnectionRequest') => bff.call(name, { token, body });
    const [token, other] = [await bff.begin('user'), await bff.begin('user')];
    bff.upstream.respond = respondWith(() => ({ data: {} }));
    for (let index = 0; index < 30; index += 1) expect((await ask(token)).status).toBe(200);
    bff.upstream.respond = refuseWith('identity.request_unknown');
    for (let index = 0; index < 20; index += 1)
      expect((await ask(token)).code).toBe('identity.request_unknown');
    expect((await ask(token)).code).toBe('request.rate_limited');
    // Another decision of the user counts with them, and those of six users leave the codes of a seventh alone.
    expect((await ask(token, 'denyConnection')).code).toBe('request.rate_limited');
    for (const each of await Promise.all(times(5, () => bff.begin('user'))))
      await Promise.all(times(100, () => ask(each)));
    expect((await ask(other)).code).toBe('identity.request_unknown');
  });
});
