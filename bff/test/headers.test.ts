import { describe, expect, it } from 'vitest';
import { respondAsAccount, useBff } from './support.ts';
import { send } from './requests.ts';

const bff = await useBff();
const OPENAPI = 'GET /api/v1/openapi.json';

describe('the headers of a page', () => {
  const PAGES = [
    ...['/', '/login', '/register', '/profile', '/payments/success?xsl=cs_1', '/admin/', '/admin/user-list'],
    ...['/credits', '/login?signUp=success&email=ana@talent.test'],
  ];

  it.each(PAGES)('C3 %s loads only our own files and requires HTTPS', async (path) => {
    const { status, headers, body } = await send(bff.port, path);
    expect([status, body]).toEqual([200, expect.stringContaining('<title>')]);
    const directives = String(headers['content-security-policy']).split(/; */);
    for (const name of ['default-src', 'script-src', 'form-action'])
      expect(directives).toContain(`${name} 'self'`);
    for (const name of ['object-src', 'base-uri']) expect(directives).toContain(`${name} 'none'`);
    expect(headers['strict-transport-security']).toMatch(/max-age=\d{7,}/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([...PAGES, '/api/config', '/api/credits'])(
    'C3 S10 %s can neither be framed nor use the camera, the microphone or the location, and sends no referrer',
    async (path) => {
      const { headers } = await send(bff.port, path);
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      const policy = String(headers['permissions-policy']).split(', ');
      expect(policy).toEqual(expect.arrayContaining(['camera=()', 'geolocation=()', 'microphone=()']));
      expect(headers['referrer-policy']).toBe('no-referrer');
    },
  );
});

describe('the headers of a response', () => {
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

  it.each(operatorPaths)('%s responds on the port of the operators, for any host', async (path) => {
    expect((await send(bff.operatorPort, path, { headers: { host: '10.0.0.7:9090' } })).status).toBe(200);
  });

  it.each([...operatorPaths, '/Metrics', '/metrics/'])('%s is not there on the public port', async (path) => {
    expect((await send(bff.port, path)).body).not.toMatch(/"status"|http_request/);
  });
});

describe('the description of the API for tools', () => {
  it('is for everybody, and for pages of every origin', async () => {
    const { status, headers, json } = await bff.call(OPENAPI, {
      headers: { origin: 'https://editor.example' },
    });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
    expect(headers['content-type']).toContain('application/json');
    expect(json).toMatchObject({ openapi: '3.1.0' });
  });

  it('has the address of this installation in its examples', async () => {
    const { body } = await bff.call(OPENAPI);
    expect(body).toContain('SHORTLIST_URL=http://localhost:5000 ');
    expect(body).not.toContain('shortlist.example');
  });

  it('that has not changed costs no body', async () => {
    const { headers } = await bff.call(OPENAPI);
    expect(headers['cache-control']).toBe('no-cache');
    const again = { headers: { 'if-none-match': String(headers.etag) } };
    expect(await bff.call(OPENAPI, again)).toMatchObject({ status: 304, body: '' });
  });

  it('explains every error code that it names', async () => {
    const { body } = await bff.call(OPENAPI);
    const codes = new Set(Array.from(body.matchAll(/\]\(#([a-z_]+\.[a-z_]+)\)/g), ([, code]) => code));
    expect(codes.size).toBeGreaterThan(20);
    for (const code of codes) expect(body).toContain(`<a id=\\"${code}\\"></a>`);
  });
});

describe('the reference', () => {
  it('is a page that may load our own files and nothing else', async () => {
    const { status, headers, body } = await send(bff.port, '/api/v1/reference');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('<title>reference</title>');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect(headers['x-frame-options']).toBe('DENY');
  });

  it.each(['/api/v1/reference', '/api/v1/openapi.json'])('is only read: POST %s', async (path) => {
    const refused = await send(bff.port, path, { method: 'POST' });
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET']);
  });
});

it('a password manager is led to the page where the password is changed', async () => {
  const { status, headers } = await send(bff.port, '/.well-known/change-password');
  expect([status, headers.location]).toEqual([302, '/security']);
});

it.each([
  '/.well-known/',
  '/.well-known/security.txt',
  '/.well-known/assetlinks',
  '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
])('there is nothing at %s', async (path) => {
  expect((await send(bff.port, path)).status).toBe(404);
});
