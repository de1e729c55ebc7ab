import { type PartName, refusingControl, type Servers } from './server.ts';

const CONTROL = refusingControl(
  'The address of this server comes from the environment; it is not ours to stop.',
);

/** Returns the servers whose addresses the environment gives. Redis counts only with both addresses. */
export const findExternalServers = (env: NodeJS.ProcessEnv, parts: readonly PartName[]): Servers => {
  const { DATABASE_ADMIN_URL, SESSIONS_REDIS_URL, QUEUE_REDIS_URL, KAFKA_BROKERS } = env;
  const servers: Servers = {};
  if (parts.includes('database') && DATABASE_ADMIN_URL) {
    servers.database = { url: DATABASE_ADMIN_URL, ...CONTROL };
  }
  if (parts.includes('redis') && SESSIONS_REDIS_URL && QUEUE_REDIS_URL) {
    servers.redisSessions = { url: SESSIONS_REDIS_URL, ...CONTROL };
    servers.redisQueue = { url: QUEUE_REDIS_URL, ...CONTROL };
  }
  if (parts.includes('kafka') && KAFKA_BROKERS) servers.kafka = { url: KAFKA_BROKERS, ...CONTROL };
  return servers;
};

export const missingFrom = (servers: Servers, parts: readonly PartName[]): PartName[] =>
  parts.filter((name) => !(name === 'redis' ? servers.redisQueue : servers[name]));
