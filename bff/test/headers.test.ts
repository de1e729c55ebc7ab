import { fillPath } from '@shortlist/contracts/api/endpoint';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { MATRIX } from './authorisation-matrix.ts';
import { answering, type Bff, send, startBff } from './support.ts';

type EndpointName = keyof typeof publicEndpoints;

let bff: Bff;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'));
});
afterAll(() => bff.close());

describe('what goes with a page', () => {
  it.each([
    '/',
    '/login',
    '/register',
    '/profile',
    '/payments/success?xsl=cs_1',
    '/admin/',
    '/admin/user-list',
  ])(
    'C3 %s may load and do nothing but our own, be framed by nobody, and tells no one where it was',
    async (path) => {
      const { status, headers } = await send(bff.port, path);
      expect(status).toBe(200);
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
    },
  );

  it.each(['/', '/login?signUp=success&email=ana@talent.test&picture=x.jpg', '/api/config'])(
    'S10 %s sends no referrer on, so that what its address says stays here',
    async (path) => {
      expect((await send(bff.port, path)).headers['referrer-policy']).toBe('no-referrer');
    },
  );
});

describe('what goes with an answer', () => {
  const behindSession = (Object.keys(publicEndpoints) as EndpointName[]).filter(
    (name) => MATRIX[name].anonymous === 401,
  );

  it.each(behindSession)('C3 what a session is told at %s is never stored', async (name) => {
    const { method, path } = publicEndpoints[name];
    const role = MATRIX[name].user === 'opens' ? 'user' : 'admin';
    const userId = uuidv7();
    const { token } = await bff.sessions.begin(userId, role);
    const target = fillPath(path, { id: userId, userId, reservationId: userId }).path;
    const reply = await send(bff.port, target, { method, headers: { authorization: `Bearer ${token}` } });
    expect(reply.status).not.toBe(401);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });

  it('E1 a picture goes out as its service gave it: one type, and nothing in it runs', async () => {
    const pictureHeaders = {
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    };
    bff.upstream.reply = (_request, response) => void response.writeHead(200, pictureHeaders).end('pixels');
    const reply = await send(bff.port, `/profile_pictures/${'0'.repeat(32)}.jpg?x=.html`);
    expect([reply.status, reply.body]).toEqual([200, 'pixels']);
    expect(reply.headers).toMatchObject(pictureHeaders);
    expect(bff.upstream.seen.at(-1)?.url).toBe(`/profile_pictures/${'0'.repeat(32)}.jpg`);
  });

  it('S10 a token in an address opens nothing', async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'admin');
    for (const key of ['token', 'access_token', 'authorization', 'endUserToken'])
      for (const path of ['/check_authentication', '/users', '/api/live'])
        expect((await send(bff.port, `${path}?${key}=${token}`)).status).toBe(401);
  });

  it('S10 no answer leads anywhere with a token in the address', async () => {
    bff.upstream.reply = answering(() => ({ data: { id: uuidv7() }, planState: { version: 1 } }));
    const reply = await send(bff.port, '/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"ana@talent.test","password":"secret1"}',
    });
    const { data } = JSON.parse(reply.body) as { data: { token: string } };
    expect(data.token).toHaveLength(43);
    expect(JSON.stringify(reply.headers)).not.toContain(data.token);
    expect(reply.headers.location).toBeUndefined();
  });
});

describe('what operators ask of a process', () => {
  const operatorPaths = ['/health/live', '/health/ready', '/metrics'];

  it.each(operatorPaths)('%s is answered to whoever asks the process itself', async (path) => {
    expect((await send(bff.port, path)).status).toBe(200);
  });

  it.each([...operatorPaths, '/Metrics', '/metrics/'])(
    '%s is not there for who comes through a proxy',
    async (path) => {
      for (const mark of ['X-Forwarded-For', 'Forwarded']) {
        const { status, body } = await send(bff.port, path, { headers: { [mark]: 'for=203.0.113.9' } });
        expect([status, body]).toEqual([404, expect.stringContaining('request.not_found')]);
      }
    },
  );
});
