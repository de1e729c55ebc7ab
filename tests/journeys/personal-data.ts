import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { System } from '@shortlist/local/system';
import { Redis } from 'ioredis';
import { Kafka } from 'kafkajs';
import type { Connection } from 'mysql2/promise';
import { openBus } from '../../harness/broker.ts';
import { select } from '../../harness/database.ts';

const OWNERS = ['identity', 'profile', 'billing', 'credits', 'worker'];
/** What a search looks for: texts in any case, and bytes. */
export type Needles = { texts: readonly string[]; bytes: Buffer };

type Column = { tableName: string; columnName: string };

/** The tables with a row that contains a needle, in any column of text or bytes. */
export const searchTables = async (db: Connection, { texts, bytes }: Needles): Promise<string[]> => {
  const columns = await select<Column>(
    db,
    `SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) AS tableName, COLUMN_NAME AS columnName
     FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA IN (?) AND (DATA_TYPE LIKE '%char' OR DATA_TYPE LIKE '%text' OR DATA_TYPE LIKE '%blob'
       OR DATA_TYPE LIKE '%binary' OR DATA_TYPE = 'json')`,
    [OWNERS],
  );
  const found = new Set<string>();
  for (const { tableName, columnName } of columns) {
    const column = `\`${columnName}\``;
    const isText = texts.map(() => `INSTR(LOWER(CONVERT(${column} USING utf8mb4)), ?) > 0`).join(' OR ');
    const values = [...texts.map((text) => text.toLowerCase()), bytes];
    const sql = `SELECT 1 FROM ${tableName} WHERE ${isText} OR LOCATE(?, CAST(${column} AS BINARY)) > 0 LIMIT 1`;
    if ((await select(db, sql, values)).length > 0) found.add(tableName);
  }
  return [...found].toSorted();
};

const contains = ({ texts, bytes }: Needles, value: Buffer | string): boolean => {
  const text = value.toString().toLowerCase();
  if (texts.some((needle) => text.includes(needle.toLowerCase()))) return true;
  return Buffer.isBuffer(value) && value.includes(bytes);
};

const listTopics = async (brokers: string[]): Promise<Map<string, number>> => {
  const admin = new Kafka({ clientId: 'search', brokers, logLevel: 0 }).admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((name) => !name.startsWith('__'));
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({ type: 2, name, configNames: ['retention.ms', 'cleanup.policy'] })),
  });
  await admin.disconnect();
  return new Map(
    resources.map(({ resourceName, configEntries }) => {
      const valueOf = (name: string) => configEntries.find((entry) => entry.configName === name)?.configValue;
      return [
        resourceName,
        valueOf('cleanup.policy') === 'delete' ? Number(valueOf('retention.ms')) : Infinity,
      ];
    }),
  );
};

/** The topics with a message that contains a needle, and for how long each keeps messages. */
export const searchTopics = async ({ backing }: System, needles: Needles): Promise<Map<string, number>> => {
  const brokers = backing.kafkaBrokers.split(',');
  const bus = openBus(backing.kafkaBrokers);
  const found = new Map<string, number>();
  for (const [topic, retentionMs] of await listTopics(brokers))
    await bus.readAll(topic, ({ key, value, headers }) => {
      if (contains(needles, `${key} ${value} ${JSON.stringify(headers ?? {})}`))
        found.set(topic, retentionMs);
    });
  await bus.close();
  return found;
};

const readKey = async (redis: Redis, key: string): Promise<unknown> => {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, '0', '-1');
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1');
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null; // expired meanwhile
  }
};

/** The Redis keys that contain a needle, in their names or values. */
export const searchRedis = async ({ backing }: System, needles: Needles): Promise<string[]> => {
  const found: string[] = [];
  for (const url of [backing.sessionsRedisUrl, backing.queueRedisUrl]) {
    const redis = new Redis(url);
    for (const key of await redis.keys('*'))
      if (contains(needles, `${key} ${JSON.stringify(await readKey(redis, key))}`)) found.push(key);
    redis.disconnect();
  }
  return found;
};

/** The log files of the product's processes that contain a needle. The sandbox stands for the providers. */
export const searchLogs = async ({ directory }: System, needles: Needles): Promise<string[]> => {
  const folder = join(directory, 'logs');
  const files = (await readdir(folder)).filter((name) => !name.startsWith('sandbox'));
  const found: string[] = [];
  for (const name of files) if (contains(needles, await readFile(join(folder, name)))) found.push(name);
  return found;
};

/** The places of the table under 'What stays' in docs/privacy.md. */
export const listedPlaces = async (): Promise<string[]> => {
  const page = await readFile(join(import.meta.dirname, '../../docs/privacy.md'), 'utf8');
  const section = page.slice(page.indexOf('## What stays'));
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, place = '']) => place).toSorted();
};
