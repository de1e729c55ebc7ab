import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Bff, send, startBff } from './support.ts';

let bff: Bff;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'), {
    PUBLIC_URL: 'https://People.Talent.test',
    ALLOWED_HOSTS: 'people.internal, 10.0.0.7:5000',
  });
});
afterAll(() => bff.close());

const status = async (host: string, path = '/api/config'): Promise<number> =>
  (await send(bff.port, path, { headers: { host } })).status;

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
    const { body } = await send(bff.port, '/api/config', { headers: { host } });
    expect(body).toContain('request.wrong_host');
    expect(body).not.toContain('evil');
  });
});
