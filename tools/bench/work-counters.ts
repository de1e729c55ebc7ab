// What the product has done so far besides using the processor, as counters of its servers and of billing.
import type { System } from '@shortlist/local/system';
import { connectRedis } from '@shortlist/kit/data/redis';
import { createConnection } from 'mysql2/promise';
import { select } from '../../harness/database.ts';

/** Counters by name. */
export type Counters = Map<string, number>;
/** `rows` has the number of rows by table. */
export type WorkCounters = { work: Counters; rows: Counters };

export const DATABASES = ['identity', 'profile', 'billing', 'credits', 'worker'] as const;

type Table = { name: string };

/** The tables of all databases, as `database.table`. The chain of the audit log is sealed some time after the actions, during others. */
const LIST_TABLES = `SELECT CONCAT(table_schema, '.', table_name) AS name FROM information_schema.tables
  WHERE table_schema IN (?) AND table_type = 'BASE TABLE' AND table_name NOT IN ('migrations', 'audit_chain')`;

const WRITING = ['Com_insert', 'Com_insert_select', 'Com_update', 'Com_update_multi', 'Com_delete'];

const STATUS = `SHOW GLOBAL STATUS WHERE Variable_name IN ('Questions', ${WRITING.map((name) => `'${name}'`).join(', ')})`;

const EVENTS = DATABASES.map(
  (name) => `SELECT COUNT(*) AS events, COALESCE(SUM(LENGTH(payload)), 0) AS bytes FROM ${name}.outbox`,
);

const sumStripeCalls = (metrics: string): number =>
  [...metrics.matchAll(/^stripe_request_duration_seconds_count\{.*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );

/** Opens the connections with which the counters are read, one statement or command for each kind. */
export const openWorkCounters = async ({ backing, operatorUrls }: System) => {
  const db = await createConnection(backing.databaseAdminUrl);
  const redis = [backing.sessionsRedisUrl, backing.queueRedisUrl].map((url) => connectRedis(url, {}));
  const tables = (await select<Table>(db, LIST_TABLES, [[...DATABASES]])).map(({ name }) => name);
  const countRows = tables
    .map((name) => `SELECT '${name}' AS name, COUNT(*) AS count FROM ${name}`)
    .join(' UNION ALL ');
  const countCommands = async (): Promise<number> => {
    const texts = await Promise.all(redis.map((one) => one.info('stats')));
    return texts.reduce((sum, text) => sum + Number(/total_commands_processed:(\d+)/.exec(text)?.[1]), 0);
  };
  const read = async (): Promise<WorkCounters> => {
    const rows = await select<{ name: string; count: number }>(db, countRows);
    const outboxes = await select<{ events: number; bytes: string }>(db, EVENTS.join(' UNION ALL '));
    const status = await select<{ Variable_name: string; Value: string }>(db, STATUS);
    const statusOf = new Map(status.map(({ Variable_name: name, Value: value }) => [name, Number(value)]));
    const metrics = await (await fetch(`${operatorUrls.billing}/metrics`)).text();
    const work: Counters = new Map([
      ['statements', statusOf.get('Questions') ?? 0],
      ['writes', WRITING.reduce((sum, name) => sum + (statusOf.get(name) ?? 0), 0)],
      ['redisCommands', await countCommands()],
      ['events', outboxes.reduce((sum, { events }) => sum + events, 0)],
      ['eventBytes', outboxes.reduce((sum, { bytes }) => sum + Number(bytes), 0)],
      ['stripeCalls', sumStripeCalls(metrics)],
    ]);
    return { work, rows: new Map(rows.map(({ name, count }) => [name, count])) };
  };
  const close = async (): Promise<void> => {
    for (const one of redis) one.disconnect();
    await db.end();
  };
  return { read, close };
};
