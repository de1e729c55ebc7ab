import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { send, useBff } from './support.ts';

const named = await useBff({
  PUBLIC_URL: 'https://People.Talent.test',
  ALLOWED_HOSTS: 'people.internal, 10.0.0.7:5000',
});

const http = await useBff({ ALLOWED_HOSTS: 'people.internal' });
const OURS = 'people.talent.test';

const status = async (host: string, path = '/api/config'): Promise<number> =>
  (await send(named.port, path, { headers: { host } })).status;

describe('the host of a request', () => {
  it.each([
    'people.talent.test',
    'PEOPLE.talent.test:443',
    'people.internal',
    'people.internal:5000',
    '10.0.0.7',
  ])('B11 %s is ours', async (host) => {
    expect(await status(host, '/login')).toBe(200);
  });

  it.each([
    'evil.test',
    'people.talent.test.evil.test',
    'people.talent.test@evil.test',
    'evil.test/people.talent.test',
    'localhost',
    '127.0.0.1',
    '',
  ])('B11 %j is refused, for pages and endpoints alike', async (host) => {
    for (const path of ['/login', '/api/config', '/profile_pictures/x.jpg', '/nowhere'])
      expect(await status(host, path)).toBe(400);
    const { body } = await send(named.port, '/api/config', { headers: { host } });
    expect(body).toContain('request.wrong_host');
    expect(body).not.toContain('evil');
  });

  it.each([
    [OURS, 'evil.test'],
    ['evil.test', OURS],
    [OURS, OURS],
  ])('B11 the two Host headers %s and %s are refused, for pages and endpoints alike', async (...hosts) => {
    for (const path of ['/login', '/api/config', '/profile_pictures/x.jpg', '/nowhere']) {
      const lines = [`GET ${path} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), 'Connection: close'];
      const socket = connect(named.port, '127.0.0.1');
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [^]*request\.malformed/);
    }
  });
});

describe('the origin of a change', () => {
  const changeFrom = async (origin: string, host = 'people.talent.test', more = {}): Promise<string> => {
    return (await named.call('login', { headers: { host, origin, ...more } })).body;
  };

  it('C1 the public address is ours', async () => {
    expect(await changeFrom('https://people.talent.test')).toContain('identity.login_invalid');
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

  it('C1 over http, the name by which a page was opened is ours, and no other scheme of it', async () => {
    const statusFrom = async (origin: string): Promise<number> =>
      (await http.call('login', { headers: { host: 'people.internal', origin } })).status;
    const statuses = [
      await statusFrom('http://people.internal'),
      await statusFrom('https://people.internal'),
    ];
    expect(statuses).toEqual([400, 403]);
  });
});
