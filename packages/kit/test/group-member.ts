// A group member in a process of its own, so that a test can stop it in the middle of its work.
import { setTimeout as sleep } from 'node:timers/promises';
import { createDb } from '../src/data/db.ts';
import { startConsumer } from '../src/messaging/consumer.ts';
import { onOnce } from '../src/messaging/inbox.ts';
import { readKafkaSettings } from '../src/messaging/kafka-settings.ts';
import { createKafka } from '../src/messaging/kafka.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { clock, noted, silent } from './notes-table.ts';

const [brokers = '', url = '', group = '', sessionMs = ''] = process.argv.slice(2);
const db = createDb({ url, entities: [], migrations: [] });
await db.initialize();
const bus = createKafka({
  settings: readKafkaSettings({ KAFKA_BROKERS: brokers }),
  clientId: 'member',
  log: silent,
  timeouts: { sessionMs: Number(sessionMs), idleMs: 5_000, lostMs: 2 * Number(sessionMs), fetchMs: 250 },
});
const handler = onOnce({ db, consumer: 'test', clock })(noted, async (tx, { data }) => {
  await sleep(10);
  await tx.query('INSERT INTO notes (text) VALUES (?)', [data.text]);
  process.stdout.write(`${data.text}\n`);
});
const metrics = createMetrics('member');
await startConsumer({ bus, consumer: 'test', group, handlers: [handler], log: silent, metrics });
