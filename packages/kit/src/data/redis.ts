import { Cluster, Redis, type RedisOptions as AllOptions } from 'ioredis';
import { reportConnection } from '../process/certificates.ts';
import type { Log } from '../process/log.ts';
import { parseRedisUrl, type RedisAddress } from './variables.ts';

export type { Redis } from 'ioredis';
type RedisOptions = Omit<AllOptions, 'replyMapping'>; // it would change the types of all replies

const credentialsOf = ({ username, password, isTls }: RedisAddress): RedisOptions => ({
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
  ...(isTls ? { tls: {} } : {}),
});

const sentinelOptions = ({ hosts, group = '', isTls, sentinelPassword }: RedisAddress): RedisOptions => ({
  sentinels: hosts,
  name: group,
  ...(isTls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
  ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
});

const reportConnections = (redis: Redis): Redis =>
  redis.on('connect', () => reportConnection({ server: 'redis', socket: redis.stream }));

/**
 * Connects to the server, the sentinels or the cluster at this address (`parseRedisUrl` lists the forms). All keys of a script have the same
 * user's hash tag, so a cluster supports everything that a single server does for this product.
 */
export const connectRedis = (url: string, options: RedisOptions): Redis => {
  const address = parseRedisUrl(url);
  const all = { ...options, ...credentialsOf(address) };
  if (address.kind === 'sentinel')
    return reportConnections(new Redis({ ...all, ...sentinelOptions(address) }));
  if (address.kind === 'single')
    return reportConnections(new Redis({ ...all, ...address.hosts[0], db: address.database }));
  const { retryStrategy, enableOfflineQueue = true } = options;
  const cluster = new Cluster(address.hosts, {
    redisOptions: all,
    enableOfflineQueue,
    ...(retryStrategy ? { clusterRetryStrategy: retryStrategy } : {}),
    // With TLS, the nodes of a cluster are addressed by the names in their certificates.
    ...(address.isTls ? { dnsLookup: (host, callback) => callback(null, host) } : {}),
  });
  cluster.on('+node', reportConnections);
  return cluster as unknown as Redis;
};

/** Creates a client that fails fast: a command times out after `commandTimeoutMs` and is not queued while disconnected. */
export const createRedis = (url: string, log: Log, { commandTimeoutMs = 500 } = {}): Redis => {
  const redis = connectRedis(url, {
    connectTimeout: 2_000,
    commandTimeout: commandTimeoutMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    enableAutoPipelining: true, // sends the commands of one event loop turn together
    retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
    lazyConnect: false,
  });
  redis.on('error', (error) => log.warn({ err: error }, 'redis'));
  return redis;
};

/**
 * Calls `handle` with each message of a channel, over its own connection, which reconnects. Messages published in the meantime are missed.
 * Returns a function that ends the subscription.
 */
export const subscribe = (redis: Redis, channel: string, handle: (message: string) => void): (() => void) => {
  const subscriber = redis.duplicate();
  subscriber.on('error', () => undefined); // the other connection to the same server logs it
  subscriber.on('ready', () => void subscriber.subscribe(channel).catch(() => undefined));
  subscriber.on('message', (_channel, message) => handle(message));
  return () => subscriber.disconnect();
};

export type Script<Reply> = (keys: string[], values: (string | number)[]) => Promise<Reply>;

/** Defines a Lua script, which Redis runs atomically in one round trip. `Reply` is its result type, stated by the caller. */
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
