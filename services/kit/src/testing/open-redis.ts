import { createRedis, type Redis } from '../data/redis.ts';
import { createLog } from '../process/log.ts';

/** Longer than in production, where a slow server counts as away: a busy machine is no outage. */
const COMMAND_TIMEOUT_MS = 60_000;

/** Connects to the Redis server of a test, and resolves when commands can be sent. */
export const openTestRedis = async (url: string): Promise<Redis> => {
  const redis = createRedis(url, createLog('test', 'silent'), { commandTimeoutMs: COMMAND_TIMEOUT_MS });
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
  return redis;
};
