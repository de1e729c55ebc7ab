import { Redis } from 'ioredis';
import type { Log } from '../process/log.ts';

export type { Redis } from 'ioredis';

/** Creates a client that fails fast: a command times out after 500 ms and is not queued while disconnected. */
export const createRedis = (url: string, log: Log): Redis => {
  const redis = new Redis(url, {
    connectTimeout: 2_000,
    commandTimeout: 500,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
    lazyConnect: false,
  });
  redis.on('error', (error) => log.warn({ err: error }, 'redis'));
  return redis;
};

export type Script<Reply> = (keys: string[], values: (string | number)[]) => Promise<Reply>;

/** Defines a Lua script, which Redis runs atomically in one round trip. `Reply` is the caller's statement of what it returns. */
export const defineScript = <Reply>(
  redis: Redis,
  name: string,
  { keys, lua }: { keys: number; lua: string },
): Script<Reply> => {
  redis.defineCommand(name, { numberOfKeys: keys, lua });
  const run = (redis as unknown as Record<string, (...all: (string | number)[]) => Promise<Reply>>)[name];
  if (run === undefined) throw new TypeError(`no command ${name}`);
  return (keyNames, values) => run.call(redis, ...keyNames, ...values);
};
