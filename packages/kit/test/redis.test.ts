import { type Backing, startBacking } from '@shortlist/local/backing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRedis, defineScript, type Redis } from '../src/data/redis.ts';
import { isUnavailable } from '../src/process/errors.ts';
import { until } from '../src/testing/until.ts';
import { openLine } from './frozen-connection.ts';
import { silent } from './notes-table.ts';

let backing: Backing;
beforeAll(async () => {
  backing = await startBacking({ parts: ['redis'] });
});
afterAll(() => backing.stop());

const answers = (redis: Redis): Promise<boolean> =>
  redis.ping().then(
    () => true,
    () => false,
  );
/** A command must fail within a second, with an error that counts as unavailable. */
const failsFast = async (redis: Redis): Promise<void> => {
  const began = performance.now();
  const error: unknown = await redis.get('a').then(
    () => expect.unreachable('it answered'),
    (cause: unknown) => cause,
  );
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(isUnavailable(error)).toBe(true);
};

it('B5 a command fails fast while Redis is away, and recovers', async () => {
  const redis = createRedis(backing.sessionsRedisUrl, silent);
  await until('a connection', () => answers(redis));
  await backing.redisSessions.stop();
  await failsFast(redis);
  await backing.redisSessions.start();
  await until('Redis', () => answers(redis));
  redis.disconnect();
});

it('B5 a command fails fast while Redis hangs, and recovers', async () => {
  const line = await openLine(backing.sessionsRedisUrl);
  const redis = createRedis(line.url, silent);
  await until('a connection', () => answers(redis));
  line.freeze();
  await failsFast(redis);
  line.thaw();
  await until('Redis', () => answers(redis));
  redis.disconnect();
  line.close();
});

it('B5 a command before the first connection fails instead of waiting', async () => {
  const redis = createRedis('redis://127.0.0.1:9', silent);
  await failsFast(redis);
  redis.disconnect();
});

it('B5 a script works again after Redis has restarted and forgotten it', async () => {
  const redis = createRedis(backing.sessionsRedisUrl, silent);
  await until('a connection', () => answers(redis));
  const double = defineScript<number>(redis, 'double', { keys: 1, lua: 'return ARGV[1] * 2' });
  expect(await double(['a'], [2])).toBe(4);
  await redis.script('FLUSH');
  expect(await Promise.all([double(['a'], [3]), double(['a'], [4])])).toEqual([6, 8]);
  await backing.redisSessions.stop();
  await backing.redisSessions.start();
  await until('Redis', () => answers(redis));
  expect(await Promise.all([double(['a'], [5]), double(['a'], [6])])).toEqual([10, 12]);
  redis.disconnect();
});
