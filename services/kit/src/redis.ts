import { Redis } from 'ioredis';
import type { Log } from './log.ts';

export type { Redis } from 'ioredis';

/** A client that fails fast: a command waits at most 500 ms and is not queued while there is no connection. */
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
