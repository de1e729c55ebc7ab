import { describe, expect, it } from 'vitest';
import { send, useBff } from './support.ts';

const OPENAPI = 'GET /api/v1/openapi.json';
const bff = await useBff();

describe('the description of the API for tools', () => {
  it('is for everybody, and for pages of every origin', async () => {
    const origin = 'https://editor.example';
    const { status, headers, body } = await bff.call(OPENAPI, { headers: { origin } });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
    expect(headers['content-type']).toContain('application/json');
    expect(JSON.parse(body)).toMatchObject({ openapi: '3.1.0' });
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
