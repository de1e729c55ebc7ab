// What a drill sets back or empties beside the databases: the Redis of the queues and of the sessions, and Kafka.
import { setTimeout as sleep } from 'node:timers/promises';
import { hours, minutes, seconds } from '@shortlist/contracts/durations';
import { connectRedis, type Redis } from '@shortlist/kit/data/redis';
import { until } from '@shortlist/kit/testing/until';
import type { System } from '@shortlist/local/system';
import type { Service } from '@shortlist/operator/backup/manifest';
import { Kafka, logLevel } from 'kafkajs';
import { createConnection } from 'mysql2/promise';
import { select } from '../../harness/database.ts';

/** The services that emit events. */
export const EMITTERS = ['identity', 'billing', 'credits', 'profile'] as const;

const withRedis = async <T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> => {
  const redis = connectRedis(url, { maxRetriesPerRequest: 3 });
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
};

// Scripts, so that a dump is of one instant, and clients see it replace the present data at once.
const DUMP = `local dump = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  table.insert(dump, key)
  table.insert(dump, math.max(0, redis.call('PTTL', key)))
  table.insert(dump, redis.call('DUMP', key))
end
return dump`;
const REPLACE = `redis.call('FLUSHALL')
for index = 1, #ARGV, 3 do redis.call('RESTORE', ARGV[index], ARGV[index + 1], ARGV[index + 2]) end`;

type RedisDump = (Buffer | number)[];

export const dumpRedis = (url: string): Promise<RedisDump> =>
  withRedis(url, async (redis) => (await redis.callBuffer('EVAL', DUMP, 0)) as RedisDump);

/** Without a dump, the data of the server are lost. */
export const setRedisBack = (url: string, dump: RedisDump = []): Promise<void> =>
  withRedis(url, async (redis) => {
    await redis.call('EVAL', REPLACE, 0, ...dump);
  });

/** How long the broker may take to forget a deleted topic. */
const FORGETTING_MS = seconds(2);
const PUBLISHED_MS = minutes(1);

/** Has the services publish again what their outboxes have; those that are stopped do when they start. */
export const republish = async (system: System): Promise<void> => {
  const since = new Date(Date.now() - hours(1)).toISOString();
  for (const emitter of EMITTERS) await system.operate(emitter, ['outbox', 'republish', since, '--yes']);
};

/** Waits until the running services have published their outboxes. */
export const untilPublished = async (
  { backing: { databaseAdminUrl } }: System,
  services: readonly Service[],
): Promise<void> => {
  const db = await createConnection({ uri: databaseAdminUrl });
  const isPublished = async (service: Service): Promise<boolean> =>
    (await select(db, `SELECT 1 FROM ${service}.outbox WHERE published_at IS NULL LIMIT 1`)).length === 0;
  try {
    for (const service of services)
      await until(`${service} to publish its outbox`, () => isPublished(service), PUBLISHED_MS);
  } finally {
    await db.end();
  }
};

/** Deletes every topic of the product, with the positions of the consumers. */
export const emptyKafka = async ({ backing: { kafkaBrokers } }: System): Promise<void> => {
  const kafka = new Kafka({ brokers: [kafkaBrokers], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => !topic.startsWith('__'));
    await admin.deleteTopics({ topics });
    await sleep(FORGETTING_MS);
  } finally {
    await admin.disconnect();
  }
};
