import { type Backing, startBacking } from '@shortlist/local/backing';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineScript, type Redis } from '@shortlist/kit/data/redis';
import { openTestRedis } from '@shortlist/kit/testing/databases';
import { startNativeServer } from '@shortlist/local/backing/server';
import { checkRedis } from '@shortlist/local/backing/redis';
import { findFreePorts } from '@shortlist/local/host/ports';
import { createKey } from '../src/api-keys/key.ts';
import { createSessions } from '../src/session/sessions.ts';
import { behindSession, roleFor } from './authorisation-matrix.ts';
import { ana, send } from './requests.ts';
import { accountOf, type Bff, respondWith, startBff } from './support.ts';

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
    await until('sessions', () => succeeds(bff.redis.ping()));
  });

  const succeeds = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      () => false,
    );
  /** Stops the session store, and forgets the requests until then. */
  const stopStore = async (): Promise<void> => {
    await backing.redisSessions.stop();
    bff.upstream.requests.length = 0;
  };
  const status = async (path: string, token?: string): Promise<number> =>
    (await send(bff.port, path, { headers: token === undefined ? {} : { authorization: token } })).status;

  it('B5 every endpoint that needs a session returns 503 in the agreed form in under a second, and calls no service', async () => {
    const tokens = { user: await bff.begin('user'), admin: await bff.begin('admin') };
    await stopStore();
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
    await stopStore();
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
    const pages = ['/', '/login', '/register', '/profile', '/payments/success', '/admin/'];
    for (const path of [...pages, '/api/config']) expect(await status(path), path).toBe(200);
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
    await until('the store', () => succeeds(bff.redis.flushall()));
    for (const token of tokens) expect(await status('/api/credits/history', token)).toBe(401);
    const userId = uuidv7();
    const { token } = await bff.sessions.begin(accountOf(userId, 'user'));
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

/**
 * Starts Redis in cluster mode, with all slots on one node, and returns a client whose scripts run under the cluster's rules: a
 * command with keys of several slots is refused, and so is a script that uses a key of another slot than its declared ones.
 */
const startRedisCluster = async (): Promise<{ redis: Redis; stop: () => Promise<void> }> => {
  const directory = await mkdtemp(join(tmpdir(), 'redis-cluster-'));
  const [port = 0, busPort = 0] = await findFreePorts(2);
  const url = `redis://127.0.0.1:${port}`;
  const cluster = { 'cluster-enabled': 'yes', 'cluster-port': busPort };
  const settings = { port, bind: '127.0.0.1', dir: directory, save: '', ...cluster };
  const server = await startNativeServer({
    name: 'Redis (cluster)',
    command: 'redis-server',
    url,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    logFile: join(directory, 'redis.log'),
    check: () => checkRedis(port),
    print: () => undefined,
  });
  const redis = await openTestRedis(url);
  await redis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await until('the cluster', async () => String(await redis.call('CLUSTER', 'INFO')).includes('state:ok'));
  const define = redis.defineCommand.bind(redis);
  // Redis applies the rule about undeclared keys to scripts that begin with this line.
  redis.defineCommand = (name, script) => define(name, { ...script, lua: `#!lua\n${script.lua}` });
  return {
    redis,
    stop: async () => {
      redis.disconnect();
      await server.stop();
      await rm(directory, { recursive: true });
    },
  };
};

describe('sessions in a Redis Cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster.stop());

  const runScript = (redis: Redis, name: string, lua: string) =>
    defineScript<number>(redis, name, { keys: 1, lua })(['{a}:1'], []);

  /** How often the work runs each command. */
  const commandsOf = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
    await cluster.redis.config('RESETSTAT');
    await work();
    const stats = await cluster.redis.info('commandstats');
    const counts = [...stats.matchAll(/cmdstat_(\w+):calls=(\d+)/g)].map(
      ([, name = '', calls]) => [name, Number(calls)] as const,
    );
    return Object.fromEntries(counts.filter(([name]) => name !== 'info' && name !== 'config'));
  };

  it('the cluster refuses a script that uses a key of another slot than its declared ones', async () => {
    expect(await runScript(cluster.redis, 'near', "return redis.call('EXISTS', '{a}:2')")).toBe(0);
    await expect(runScript(cluster.redis, 'far', "return redis.call('EXISTS', '{b}:2')")).rejects.toThrow(
      /do not hash to the same slot/,
    );
  });

  it('begin, are checked, renewed and ended', async () => {
    const sessions = createSessions(cluster.redis, () => new Date());
    const userId = uuidv7();
    const first = await sessions.begin(accountOf(userId, 'user'));
    const second = await sessions.begin(accountOf(userId, 'user'));
    await sessions.reauthenticated(first.token);
    expect(await sessions.check(first.token)).toMatchObject({ id: first.id, userId, role: 'user' });
    await sessions.end(first.token);
    expect(await sessions.check(first.token)).toBeNull();
    await sessions.endAllBefore(userId, 1, second.id);
    expect(await sessions.check(second.token)).not.toBeNull();
    await sessions.endAllBefore(userId, 2);
    expect(await sessions.check(second.token)).toBeNull();
  });

  it('a check is one script of three reads, and writes at most once a minute', async () => {
    let now = Date.now();
    const sessions = createSessions(cluster.redis, () => new Date(now));
    const { token } = await sessions.begin(accountOf(uuidv7(), 'user'));
    await sessions.check(token);
    expect(await commandsOf(() => sessions.check(token))).toEqual({ evalsha: 1, get: 1, hmget: 1, pttl: 1 });
    now += 61_000;
    expect(await commandsOf(() => sessions.check(token))).toMatchObject({ hset: 1, pexpire: 1 });
    expect(await commandsOf(() => sessions.check(token))).not.toHaveProperty('hset');
  });

  it('beyond the limit end the oldest', async () => {
    // A clock of its own: sessions that begin in the same millisecond have no order.
    let now = Date.now();
    const sessions = createSessions(cluster.redis, () => new Date((now += 1)));
    const userId = uuidv7();
    const tokens: string[] = [];
    for (let count = 0; count < 101; count += 1)
      tokens.push((await sessions.begin(accountOf(userId, 'user'))).token);
    const [first = '', second = ''] = tokens;
    expect(await sessions.check(first)).toBeNull();
    expect(await sessions.check(second)).not.toBeNull();
  });
});
