import { defineScript, type Redis } from '@shortlist/kit/data/redis';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSessions } from '../src/session/sessions.ts';
import { createTestSessions } from './test-sessions.ts';
import { startRedisCluster } from './redis-cluster.ts';

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
    const sessions = createTestSessions(createSessions(cluster.redis, () => new Date()));
    const userId = uuidv7();
    const first = await sessions.begin(userId, 'user');
    const second = await sessions.begin(userId, 'user');
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
    const sessions = createTestSessions(createSessions(cluster.redis, () => new Date(now)));
    const { token } = await sessions.begin(uuidv7(), 'user');
    await sessions.check(token);
    expect(await commandsOf(() => sessions.check(token))).toEqual({ evalsha: 1, get: 1, hmget: 1, pttl: 1 });
    now += 61_000;
    expect(await commandsOf(() => sessions.check(token))).toMatchObject({ hset: 1, pexpire: 1 });
    expect(await commandsOf(() => sessions.check(token))).not.toHaveProperty('hset');
  });

  it('beyond the limit end the oldest', async () => {
    // A clock of its own: sessions that begin in the same millisecond have no order.
    let now = Date.now();
    const sessions = createTestSessions(createSessions(cluster.redis, () => new Date((now += 1))));
    const userId = uuidv7();
    const tokens: string[] = [];
    for (let count = 0; count < 101; count += 1) tokens.push((await sessions.begin(userId, 'user')).token);
    const [first = '', second = ''] = tokens;
    expect(await sessions.check(first)).toBeNull();
    expect(await sessions.check(second)).not.toBeNull();
  });
});
