import { type ProcessStatus, statusEndpoint } from '@shortlist/contracts/api/status';
import { afterAll, afterEach, beforeEach, expect, inject, it } from 'vitest';
import { inTransaction } from '../src/data/db.ts';
import { describeRedis } from '../src/data/describe-server.ts';
import { on } from '../src/messaging/handle-batch.ts';
import { emit } from '../src/messaging/outbox.ts';
import { readDependencies } from '../src/process-status.ts';
import { createOutboxAndInbox, createTestDb, openTestRedis } from '../src/testing/databases.ts';
import { type OpenedService, openTestService } from '../src/testing/open-service.ts';
import { ID, noted, noteEvent, noteOf } from './notes-table.ts';

const schema = { entities: [], migrations: [createOutboxAndInbox] };
const { db, drop } = await createTestDb(schema);
afterAll(drop);

const NOW = new Date('2026-03-01T12:01:30.000Z');
const clock = (): Date => NOW;

let opened: OpenedService;
beforeEach(async () => {
  const handlers = [on(noted, () => Promise.resolve())];
  const service = { name: 'worker', ...schema, topics: [noted.topic], handlers };
  // Without a relay or a consumer: what waits stays.
  opened = await openTestService(service, { db, clock, roles: ['http'] });
});
afterEach(() => opened.stop());

const readStatus = async (): Promise<ProcessStatus> =>
  (await opened.ask(statusEndpoint, {}, { caller: { role: 'admin', userId: ID } })).data;
const isUp = async (): Promise<Record<string, boolean>> =>
  Object.fromEntries((await readStatus()).dependencies.map((one) => [one.name, one.isUp]));

it('a process says what it can reach, and what waits in its outbox and for its consumer', async () => {
  const earlier = (): Date => new Date(NOW.getTime() - 90_000);
  await inTransaction(db, (tx) => emit(tx, noted, { ...noteOf('a'), clock: earlier }));
  await opened.bus.publish(noted.topic, [{ key: ID, value: JSON.stringify(noteEvent('b')) }]);
  expect(await readStatus()).toEqual({
    version: 'test',
    dependencies: [
      {
        name: 'database',
        isUp: true,
        details: {
          server: expect.stringMatching(/^(MariaDB|MySQL) \d+\.\d+\.\d+$/) as string,
          used: expect.any(Number) as number,
          limit: expect.any(Number) as number,
        },
      },
      { name: 'kafka', isUp: true, details: null },
    ],
    migration: 'CreateOutboxAndInbox1763600000000',
    outbox: { waiting: 1, oldestSeconds: 90 },
    consumption: { lag: [{ topic: noted.topic, waiting: 1 }], deadLetters: 0, unreadable: 0 },
    requests: null, // of this database, which has no table for them
  });
});

it('a Redis server says its version and its memory, with the limit if it has one', async () => {
  const redis = await openTestRedis(inject('queueRedisUrl'));
  const { server, used, limit } = await describeRedis(redis);
  expect(server).toMatch(/^(Redis|Valkey) \d+\.\d+\.\d+$/);
  expect(used).toBeGreaterThan(100_000);
  expect(limit).toBeNull();
  redis.disconnect();
  const info = () =>
    Promise.resolve('redis_version:7.2.4\r\nvalkey_version:8.0.1\r\nused_memory:5\r\nmaxmemory:9\r\n');
  expect(await describeRedis({ info })).toEqual({ server: 'Valkey 8.0.1', used: 5, limit: 9 });
});

it('what cannot be described is up without details', async () => {
  const probe = () => Promise.resolve([['queue', true]] as const);
  const health = {
    ready: () => Promise.reject(new Error('not called')),
    probe: async () => [...(await probe())],
  };
  const queue = () => Promise.reject(new Error('NOPERM'));
  expect(await readDependencies(health, { queue })).toEqual([{ name: 'queue', isUp: true, details: null }]);
});

it('a broker that is away is not up, and what waits there is unknown', async () => {
  opened.bus.setDown(true);
  expect(await readStatus()).toMatchObject({ consumption: null });
  expect(await isUp()).toEqual({ database: true, kafka: false });
});

it('a database that responds without the outbox is not up', async () => {
  await db.query('RENAME TABLE outbox TO outbox_away');
  expect(await readStatus()).toMatchObject({ outbox: null });
  expect(await isUp()).toEqual({ database: false, kafka: true });
  await db.query('RENAME TABLE outbox_away TO outbox');
});
