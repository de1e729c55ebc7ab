import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Bff, send, startBff } from './support.ts';

const cookiesFrom = (header: string[] | undefined): string =>
  (header ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
const tokenIn = (cookies: string): string => /XSRF-TOKEN=([^;]+)/.exec(cookies)?.[1] ?? '';

describe('requests from other sites', () => {
  let bff: Bff;
  let authorization: string;
  let cookie: string;
  beforeAll(async () => {
    bff = await startBff(inject('sessionsRedisUrl'));
    authorization = `Bearer ${(await bff.sessions.begin(uuidv7(), 'user')).token}`;
    cookie = cookiesFrom((await send(bff.port, '/api/config')).headers['set-cookie']);
  });
  afterAll(() => bff.close());

  const spend = (headers: Record<string, string>) =>
    send(bff.port, '/api/credits/spend', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: '{}',
    });

  it('a page of ours, which repeats its token, passes; so does a plain client without cookies', async () => {
    expect((await spend({ cookie, 'x-xsrf-token': tokenIn(cookie) })).status).toBe(200);
    expect((await spend({})).status).toBe(200);
  });

  it.each([
    ['no token', () => ({ cookie })],
    ['a made-up token', () => ({ cookie, 'x-xsrf-token': 'A'.repeat(43) })],
    ['a foreign Origin', () => ({ cookie, 'x-xsrf-token': tokenIn(cookie), origin: 'https://evil.test' })],
    ['the Origin null', () => ({ cookie, 'x-xsrf-token': tokenIn(cookie), origin: 'null' })],
    [
      'a cross-site fetch',
      () => ({ cookie, 'x-xsrf-token': tokenIn(cookie), 'sec-fetch-site': 'cross-site' }),
    ],
    ['a foreign Origin and no cookies', () => ({ origin: 'https://evil.test' })],
  ])('C1 %s is refused with 403 and has no effect', async (_name, headers) => {
    bff.upstream.seen.length = 0;
    const reply = await spend(headers());
    expect(reply.status).toBe(403);
    expect(reply.body).toContain('request.cross_site');
    expect(bff.upstream.seen).toEqual([]);
  });

  it('C1 another browser’s token is no good here', async () => {
    const other = cookiesFrom((await send(bff.port, '/api/config')).headers['set-cookie']);
    expect((await spend({ cookie, 'x-xsrf-token': tokenIn(other) })).status).toBe(403);
  });

  it('C1 log in and log out ask for the token too', async () => {
    for (const path of ['/login', '/super-admin-authentication', '/api/logout']) {
      const reply = await send(bff.port, path, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: '{}',
      });
      expect(reply.status).toBe(403);
    }
  });

  it('C2 nothing is allowed to a foreign origin in advance', async () => {
    const reply = await send(bff.port, '/users', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.test', 'access-control-request-method': 'GET' },
    });
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('C3 what a session answers is never stored', async () => {
    const history = await send(bff.port, '/api/credits/history', { headers: { authorization } });
    expect(history.headers['cache-control']).toBe('no-store');
    const check = await send(bff.port, '/check_authentication', { headers: { authorization } });
    expect(check.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });
});
