import { describe, expect, it } from 'vitest';
import { behindSession, roleFor } from './authorisation-matrix.ts';
import { respondAsAccount, send, useBff } from './support.ts';

const bff = await useBff();

describe('the headers of a page', () => {
  it.each([
    '/',
    '/login',
    '/register',
    '/profile',
    '/payments/success?xsl=cs_1',
    '/admin/',
    '/admin/user-list',
    '/credits',
  ])('C3 %s loads only our own files, cannot be framed and requires HTTPS', async (path) => {
    const { status, headers, body } = await send(bff.port, path);
    expect([status, body]).toEqual([200, expect.stringContaining('<title>')]);
    const policy = new Map(
      String(headers['content-security-policy'])
        .split(';')
        .map((part) => part.trim().split(' '))
        .map(([name = '', ...sources]) => [name, sources.join(' ')]),
    );
    expect(Object.fromEntries(policy)).toMatchObject({
      'default-src': "'self'",
      'script-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
      'form-action': "'self'",
    });
    expect(headers['strict-transport-security']).toMatch(/max-age=\d{7,}/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-frame-options']).toBe('DENY'); // as frame-ancestors
  });

  it.each(['/', '/admin/', '/api/config', '/api/credits', '/metrics'])(
    'C3 %s can neither be framed nor use the camera, the microphone or the location',
    async (path) => {
      const { headers } = await send(bff.port, path);
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      const policy = String(headers['permissions-policy']).split(', ');
      expect(policy).toEqual(expect.arrayContaining(['camera=()', 'geolocation=()', 'microphone=()']));
    },
  );

  it.each(['/', '/login?signUp=success&email=ana@talent.test&picture=x.jpg', '/api/config'])(
    'S10 %s sends no referrer',
    async (path) => {
      expect((await send(bff.port, path)).headers['referrer-policy']).toBe('no-referrer');
    },
  );
});

describe('the headers of a response', () => {
  it.each(behindSession)('C3 the response of %s is not cached', async (name) => {
    const { status, headers } = await bff.call(name, { as: roleFor(name) });
    expect(status).not.toBe(401);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  it('E1 a picture keeps the headers of its service: a fixed type and a sandbox policy', async () => {
    const pictureHeaders = {
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=3600',
    };
    bff.upstream.respond = (_request, pictureResponse) =>
      void pictureResponse.writeHead(200, pictureHeaders).end('pixels');
    const response = await send(bff.port, `/profile_pictures/${'0'.repeat(32)}.jpg?x=.html`);
    expect([response.status, response.body]).toEqual([200, 'pixels']);
    expect(response.headers).toMatchObject(pictureHeaders);
    expect(bff.upstream.requests.at(-1)?.url).toBe(`/profile_pictures/${'0'.repeat(32)}.jpg`);
  });

  it('S10 a token in the URL does not authenticate', async () => {
    const token = await bff.begin('admin');
    for (const key of ['token', 'access_token', 'authorization', 'endUserToken'])
      for (const path of ['/check_authentication', '/users', '/api/live'])
        expect((await send(bff.port, `${path}?${key}=${token}`)).status).toBe(401);
  });

  it('S10 no response redirects to a URL with a token', async () => {
    bff.upstream.respond = respondAsAccount();
    const body = { email: 'ana@talent.test', password: 'secret1' };
    const response = await bff.call('login', { body });
    const { data } = response.json as { data: { token: string } };
    expect(data.token).toHaveLength(60);
    expect(JSON.stringify(response.headers)).not.toContain(data.token);
    expect(response.headers.location).toBeUndefined();
  });
});

describe('operator endpoints', () => {
  const operatorPaths = ['/health/live', '/health/ready', '/metrics'];

  it.each(operatorPaths)(
    '%s responds on the port of the operators, to a request for any host',
    async (path) => {
      expect((await send(bff.operatorPort, path, { headers: { host: '10.0.0.7:9090' } })).status).toBe(200);
    },
  );

  it.each([...operatorPaths, '/Metrics', '/metrics/'])('%s is not there on the public port', async (path) => {
    const { body } = await send(bff.port, path);
    expect(body).not.toMatch(/"status"|http_request/);
  });
});
