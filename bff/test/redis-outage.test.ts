import { startBacking, type Backing } from '@shortlist/local/backing';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../src/api-keys/key.ts';
import { behindSession, roleFor } from './authorisation-matrix.ts';
import { ana } from './multipart.ts';
import { respondWith, type Bff, send, startBff } from './support.ts';

describe('without the session store', () => {
  let backing: Backing;
  let bff: Bff;
  beforeAll(async () => {
    backing = await startBacking({ parts: ['redis'] });
    bff = await startBff(backing.sessionsRedisUrl);
    bff.upstream.respond = respondWith(() => ({ data: { id: uuidv7(), email: 'a@b.co' } }), 201);
  });
  afterAll(async () => {
    await bff.close();
    await backing.stop();
  });
  afterEach(async () => {
    await backing.redisSessions.start();
    await until('sessions', () =>
      bff.redis.ping().then(
        () => true,
        () => false,
      ),
    );
  });

  const status = async (path: string, token?: string): Promise<number> =>
    (await send(bff.port, path, { headers: token === undefined ? {} : { authorization: token } })).status;

  it('B5 every endpoint that needs a session returns 503 in the agreed form in under a second, and calls no service', async () => {
    const tokens = { user: await bff.begin('user'), admin: await bff.begin('admin') };
    await backing.redisSessions.stop();
    bff.upstream.requests.length = 0;
    for (const name of behindSession) {
      const startedAt = performance.now();
      const response = await bff.call(name, { token: tokens[roleFor(name)] });
      expect(performance.now() - startedAt).toBeLessThan(1_000);
      expect(response.status, name).toBe(503);
      const { error } = response.json as { error: { code: string } };
      expect(Object.keys(error).toSorted()).toEqual(['code', 'message', 'requestId']);
      expect(error.code).toBe('session.unavailable');
    }
    expect(bff.upstream.requests).toEqual([]);
  });

  it('B5 a tool gets 503 as a problem, and calls no service', async () => {
    const { key } = createKey('test', uuidv7());
    await backing.redisSessions.stop();
    bff.upstream.requests.length = 0;
    const response = await bff.call('GET /api/v1/entitlements', { token: key });
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(response.json).toMatchObject({ status: 503, code: 'session.unavailable' });
    expect(bff.upstream.requests).toEqual([]);
  });

  it('B5 log-in fails, and everything without a session works: pages, pictures, sign-up', async () => {
    await backing.redisSessions.stop();
    const account = { email: 'ana@talent.test', password: 'secret1' };
    for (const name of ['login', 'adminLogin'] as const)
      expect((await bff.call(name, { body: account })).status).toBe(503);
    for (const path of [
      '/',
      '/login',
      '/register',
      '/profile',
      '/payments/success',
      '/admin/',
      '/api/config',
    ])
      expect(await status(path), path).toBe(200);
    expect(await status(`/profile_pictures/${'0'.repeat(32)}.jpg`)).toBe(201); // the status of the upstream server
    expect((await bff.call('signup', { body: { ...ana, ...account } })).status).toBe(201);
  });

  it('B5 bff recovers by itself, and existing sessions remain valid', async () => {
    const token = await bff.begin('admin');
    await bff.redis.save(); // stands for the persistence of a production server
    await backing.redisSessions.stop();
    expect(await status('/check_authentication', token)).toBe(503);
    await backing.redisSessions.start();
    await until('sessions', async () => (await status('/check_authentication', token)) !== 503);
    expect(await status('/check_authentication', token)).toBe(200);
  });

  it('B5 after the store has lost its data all sessions are invalid, and no token belongs to another user', async () => {
    const tokens = await Promise.all([bff.begin('user'), bff.begin('user'), bff.begin('admin')]);
    await backing.redisSessions.stop();
    await backing.redisSessions.start();
    await until('the store', () =>
      bff.redis.flushall().then(
        () => true,
        () => false,
      ),
    );
    for (const token of tokens) expect(await status('/api/credits/history', token)).toBe(401);
    const userId = uuidv7();
    const { token } = await bff.sessions.begin(userId, 'user');
    bff.upstream.requests.length = 0;
    for (const sessionToken of [...tokens, token]) await status('/api/credits/history', sessionToken);
    const callers = await Promise.all(
      bff.upstream.requests.map((request) => bff.callerOf('credits', request)),
    );
    expect(callers).toMatchObject([{ role: 'user', userId, address: '127.0.0.1' }]);
  });

  it('K1 bff is live and not ready', async () => {
    const health = async (what: string): Promise<number> =>
      (await send(bff.operatorPort, `/health/${what}`)).status;
    await until('readiness', async () => (await health('ready')) === 200);
    await backing.redisSessions.stop();
    await until('a failed readiness check', async () => (await health('ready')) === 503);
    expect(await health('live')).toBe(200);
    await backing.redisSessions.start();
    await until('readiness', async () => (await health('ready')) === 200);
  });
});
