import { connect } from 'node:net';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Bff, send, startBff } from './support.ts';

describe('bad requests', () => {
  let bff: Bff;
  let authorization: string;
  beforeAll(async () => {
    bff = await startBff(inject('sessionsRedisUrl'));
    authorization = `Bearer ${(await bff.sessions.begin(uuidv7(), 'admin')).token}`;
  });
  afterAll(() => bff.close());

  const codeOf = (body: string): string => (JSON.parse(body) as { error: { code: string } }).error.code;
  const json = { 'content-type': 'application/json' };

  it.each([
    ['/login', '{"email":', 400, 'request.malformed'],
    ['/login', '[1,2]', 400, 'request.invalid'],
    ['/login', 'null', 400, 'request.malformed'],
    ['/login', '{"email":{"$gt":""},"password":["x"]}', 400, 'identity.login_invalid'],
    ['/login', `{"email":"${'a'.repeat(70_000)}"}`, 413, 'request.too_large'],
    ['/nowhere', '{}', 404, 'request.not_found'],
  ])('POST %s with %s is answered %i', async (...[path, body, status, code]) => {
    const reply = await send(bff.port, path, { method: 'POST', headers: json, body });
    expect(reply.status).toBe(status);
    expect(codeOf(reply.body)).toBe(code);
  });

  it('an invalid login says which fields, in the form’s words', async () => {
    const reply = await send(bff.port, '/login', {
      method: 'POST',
      headers: json,
      body: '{"email":"no","password":""}',
    });
    expect(JSON.parse(reply.body)).toMatchObject({
      error: {
        message: 'Please provide valid email and password',
        fields: {
          email: 'Email must contain at least four characters',
          password: 'Please provide your login Password',
        },
      },
    });
  });

  it.each(['/login', '/', '/admin/user-list', '/credits', '/profile'])(
    '%s is a page to look at',
    async (path) => {
      const reply = await send(bff.port, path);
      expect(reply.status).toBe(200);
      expect(reply.body).toContain('<title>');
      expect(reply.headers['content-security-policy']).toContain("script-src 'self'");
    },
  );

  it('a known path with another method is refused with what it takes', async () => {
    const reply = await send(bff.port, '/login', { method: 'DELETE' });
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe('POST');
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
  ])('B11 the target %s is refused and reaches nobody', async (target) => {
    bff.upstream.seen.length = 0;
    const reply = await send(bff.port, target, { headers: { authorization } });
    expect(reply.status).toBe(400);
    expect(bff.upstream.seen).toEqual([]);
  });

  it('B11 a request that names two lengths is refused', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(bff.port, '127.0.0.1');
      socket.write(
        'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      );
      socket.on('data', (data) => resolve(data.toString()));
      socket.on('close', () => resolve('closed'));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
  });

  it('B9 broken and doubled cookies are refused or passed over, never a 500', async () => {
    for (const cookie of ['a=1; a=2', '=;;=', `big=${'x'.repeat(12_000)}`, 'browser=%%%; XSRF-TOKEN=']) {
      const { status } = await send(bff.port, '/api/config', { headers: { cookie } });
      expect(status).toBe(200);
    }
    expect(
      (await send(bff.port, '/api/config', { headers: { cookie: `x=${'y'.repeat(20_000)}` } })).status,
    ).toBe(431);
  });
});
