// A group member in a process of its own, so that a test can stop it in the middle of its work.
import { setTimeout as sleep } from 'node:timers/promises';
import { startConsumer } from '../../src/consumer.ts';
import { hearOnce } from '../../src/hearings.ts';
import { createDb } from '../../src/db.ts';
import { createKafka } from '../../src/kafka.ts';
import { createMetrics } from '../../src/metrics.ts';
import { clock, noted, silent } from '../notes.ts';

const [brokers = '', url = '', group = '', sessionMs = ''] = process.argv.slice(2);
const db = createDb({ url, entities: [], migrations: [] });
await db.initialize();
const bus = createKafka({
  brokers: [brokers],
  clientId: 'member',
  log: silent,
  patience: { sessionMs: Number(sessionMs), silentMs: 5_000, lostMs: 2 * Number(sessionMs) },
});
const hearing = hearOnce({ db, hearer: 'test', clock })(noted, async (tx, { data }) => {
  await sleep(50);
  await tx.query('INSERT INTO notes (text) VALUES (?)', [data.text]);
  process.stdout.write(`${data.text}\n`);
});
const metrics = createMetrics('member');
await startConsumer({ bus, hearer: 'test', group, hearings: [hearing], log: silent, metrics });
