import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { bearer } from './requests.ts';
import { send, useBff } from './support.ts';

const bff = await useBff();
const { authorization } = bearer(await bff.begin('admin'));

describe('a bad request', () => {
  const json = { 'content-type': 'application/json' };

  it.each([
    ['/login', '{"email":', 400, 'request.malformed'],
    ['/login', '[1,2]', 400, 'request.invalid'],
    ['/login', 'null', 400, 'request.malformed'],
    ['/login', '{"email":{"$gt":""},"password":["x"]}', 400, 'identity.login_invalid'],
    ['/login', `{"email":"${'a'.repeat(70_000)}"}`, 413, 'request.too_large'],
    ['/nowhere', '{}', 404, 'request.not_found'],
  ])('POST %s with %s returns %i', async (...[path, body, status, code]) => {
    const response = await send(bff.port, path, { method: 'POST', headers: json, body });
    expect(response.status).toBe(status);
    expect(response.code).toBe(code);
  });

  it('B13 an address with more than fifty parameters is refused in words, for pages and endpoints alike', async () => {
    const query = (count: number): string =>
      Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');
    for (const path of ['/login', '/api/config', '/nowhere.txt', '/profile_pictures/x.jpg']) {
      const { status, body, code } = await send(bff.port, `${path}?${query(51)}`);
      expect([status, code]).toEqual([400, 'request.too_many_parameters']);
      expect(body).toContain('The address has more than 50 parameters. Send fewer.');
      expect((await send(bff.port, `${path}?${query(50)}`)).body).not.toContain('too_many_parameters');
    }
  });

  it('B13 a compressed body is refused, also one that says so of an empty one', async () => {
    const bomb = gzipSync(Buffer.alloc(1 << 20, ' '));
    for (const body of [bomb, gzipSync('{}'), Buffer.from('{}')]) {
      const headers = { ...json, 'content-encoding': 'gzip' };
      const response = await send(bff.port, '/login', { method: 'POST', headers, body });
      expect([response.status, response.code]).toEqual([415, 'request.unsupported_type']);
    }
  });

  it('a body that is not JSON is refused, since what it asks for would be ignored', async () => {
    for (const type of [{ 'content-type': 'application/problem+json' }, {}]) {
      const headers = { authorization, ...type };
      const body = '{"when":"period_end"}'; // without it the plan would end at once
      const path = `/admin/unsubscribe/${uuidv7()}`;
      const response = await send(bff.port, path, { method: 'PUT', headers, body });
      expect([response.status, response.code]).toEqual([415, 'request.unsupported_type']);
    }
  });

  it('JSON is UTF-8, whichever of its labels the request has; another charset is refused in words', async () => {
    const post = (path: string, type: string, body = '{}') =>
      send(bff.port, path, { method: 'POST', headers: { ...json, 'content-type': type }, body });
    for (const label of ['utf8', '"UTF-8"', 'Unicode-1-1-UTF-8', 'x-unicode20utf8']) {
      const { status } = await post('/login', `application/json;charset=${label}`);
      expect(status, label).toBe(400);
    }
    for (const label of ['latin1', 'utf-16le', 'utf-7', 'ascii', '""']) {
      const { status, body, code } = await post('/login', `Application/Json; Charset = ${label}`);
      expect([label, status, code]).toEqual([label, 415, 'request.unsupported_charset']);
      expect(body).toContain('Send text as UTF-8.');
    }
  });

  it('the live updates accept no query', async () => {
    const response = await send(bff.port, '/api/live?since=1', { headers: { authorization } });
    expect(response.status).toBe(400);
    expect(response.json).toMatchObject({
      error: { fields: { since: 'There is no field with this name' } },
    });
  });

  it('an invalid login returns the messages of the login form for its fields', async () => {
    expect((await bff.call('login', { body: { email: 'no', password: '' } })).json).toMatchObject({
      error: {
        message: 'Please provide valid email and password',
        fields: {
          email: 'Email must contain at least four characters',
          password: 'Please provide your login Password',
        },
      },
    });
  });

  it('a known path with another method returns 405 and the allowed methods', async () => {
    const response = await send(bff.port, '/login', { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.allow).toBe('POST');
  });

  it.each([
    '/api//users',
    '/api/../users',
    '/users/%2e%2e/x',
    '/users/..',
    '/api\\users',
    '/users;x=1',
    'http://evil.test/users',
    '/%00',
  ])('B11 the target %s is refused and reaches no service', async (target) => {
    const response = await send(bff.port, target, { headers: { authorization } });
    expect(response.status).toBe(400);
    expect(bff.upstream.requests).toEqual([]);
  });

  it.each([
    [
      'two lengths',
      'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    ['an endless length', `POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: ${'9'.repeat(30)}\r\n\r\n`],
    ['an invalid chunk', 'POST /login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['no host', 'GET /api/config HTTP/1.1\r\n\r\n'],
    ['an unknown method', 'G\x00T /api/config HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an unknown version', 'GET /api/config HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['a byte beyond ASCII in the target', 'GET /api/conf\xffg HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a null in a header', 'GET /api/config HTTP/1.1\r\nHost: a\r\nCookie: a=\x00\r\n\r\n'],
    ['a header without a name', 'GET /api/config HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n'],
    ['bytes of another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc'],
  ])('B11 a request with %s is refused, and the next one is served', async (_what, bytes) => {
    const socket = connect(bff.port, '127.0.0.1').end(Buffer.from(bytes, 'latin1'));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400/);
    expect((await send(bff.port, '/api/config')).status).toBe(200);
  });

  it('B9 malformed and repeated cookies are ignored or refused, never a 500', async () => {
    for (const cookie of ['a=1; a=2', '=;;=', `big=${'x'.repeat(12_000)}`, 'browser=%%%; XSRF-TOKEN=']) {
      const { status } = await send(bff.port, '/api/config', { headers: { cookie } });
      expect(status).toBe(200);
    }
    expect(
      (await send(bff.port, '/api/config', { headers: { cookie: `x=${'y'.repeat(20_000)}` } })).status,
    ).toBe(431);
  });
});
