import type { PartName, Parts } from './part.ts';
import { uncontrolled } from './part.ts';

const CONTROL = uncontrolled('This server was given by the environment; it is not ours to stop.');

/** The parts whose addresses the environment gives. Redis counts as given when both roles are. */
export const findGivenParts = (env: NodeJS.ProcessEnv, wanted: readonly PartName[]): Parts => {
  const { DATABASE_ADMIN_URL, SESSIONS_REDIS_URL, QUEUE_REDIS_URL, KAFKA_BROKERS } = env;
  const parts: Parts = {};
  if (wanted.includes('database') && DATABASE_ADMIN_URL) {
    parts.database = { url: DATABASE_ADMIN_URL, ...CONTROL };
  }
  if (wanted.includes('redis') && SESSIONS_REDIS_URL && QUEUE_REDIS_URL) {
    parts.redisSessions = { url: SESSIONS_REDIS_URL, ...CONTROL };
    parts.redisQueue = { url: QUEUE_REDIS_URL, ...CONTROL };
  }
  if (wanted.includes('kafka') && KAFKA_BROKERS) parts.kafka = { url: KAFKA_BROKERS, ...CONTROL };
  return parts;
};

export const missingFrom = (parts: Parts, wanted: readonly PartName[]): PartName[] =>
  wanted.filter((name) => !(name === 'redis' ? parts.redisQueue : parts[name]));
