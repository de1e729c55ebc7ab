import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { startConsumer } from '@shortlist/kit/messaging/consumer';
import { onOnce } from '@shortlist/kit/messaging/handle-batch';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import { createLog } from '@shortlist/kit/process/log';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { createOutboxAndInbox } from '@shortlist/kit/testing/databases';
import { emit } from '@shortlist/kit/messaging/outbox';
import { startRelay } from '@shortlist/kit/messaging/relay';
import { creditsSpent } from '@shortlist/contracts/events/credits';
import { uuidv7 } from 'uuidv7';
import { type BenchDb, startBenchDb } from './databases.ts';
import { percentile } from './percentile.ts';

const clock = () => new Date();
const log = createLog('bench', 'silent');
const SAMPLES = 200;
const BACKLOG = 100_000;

const busOf = ({ backing }: BenchDb, clientId: string): Bus =>
  createKafka({ settings: readKafkaSettings({ KAFKA_BROKERS: backing.kafkaBrokers }), clientId, log });

const data = () => ({
  plan: 'free' as const,
  limit: 20,
  used: 1,
  windowStart: clock().toISOString(),
  windowEnd: clock().toISOString(),
});
const emitOne = (db: Db) =>
  inTransaction(db, (tx) => emit(tx, creditsSpent, { subject: uuidv7(), data: data(), clock }));

/** Measures the time until the message with an id is handled. */
const createStopwatch = () => {
  const waiting = new Map<string, { startedAt: number; handled: (ms: number) => void }>();
  return {
    on: (id: string): void => {
      const timer = waiting.get(id);
      if (timer) timer.handled(performance.now() - timer.startedAt);
      waiting.delete(id);
    },
    start: (id: string): Promise<number> =>
      new Promise((resolve) => waiting.set(id, { startedAt: performance.now(), handled: resolve })),
  };
};

const describe = (times: number[]): string =>
  `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;

const latencyBare = async (bench: BenchDb): Promise<number[]> => {
  const bus = busOf(bench, 'bare');
  await bus.ensureTopics(['bare.events']);
  const watch = createStopwatch();
  await bus.consume({
    group: `bare-${randomUUID()}`,
    topics: ['bare.events'],
    fromBeginning: true,
    onMessage: ({ value }) => Promise.resolve(watch.on(value)),
  });
  await sleep(3_000);
  const times: number[] = [];
  for (let index = 0; index < SAMPLES; index += 1) {
    const id = randomUUID();
    const handled = watch.start(id);
    await bus.publish('bare.events', [{ key: id, value: id }]);
    times.push(await handled);
  }
  await bus.close();
  return times.slice(20);
};

const latencyWithOutbox = async (bench: BenchDb): Promise<number[]> => {
  const bus = busOf(bench, 'with-outbox');
  await bus.ensureTopics([creditsSpent.topic]);
  const watch = createStopwatch();
  const handled = onOnce({ db: bench.db, clock, consumer: 'bench' })(creditsSpent, (_tx, event) =>
    Promise.resolve(watch.on(event.id)),
  );
  const relay = startRelay({ db: bench.db, bus, log, metrics: createMetrics('bench'), clock });
  await startConsumer({ bus, consumer: 'bench', handlers: [handled], log, metrics: createMetrics('bench') });
  await sleep(3_000);
  const times: number[] = [];
  for (let index = 0; index < SAMPLES; index += 1) {
    const { id } = await emitOne(bench.db); // the transaction is committed here
    times.push(await watch.start(id));
  }
  await relay.stop();
  await bus.close();
  return times.slice(20);
};

const payload = (id: string): string => JSON.stringify({ id, padding: 'x'.repeat(400) });

const fillOutbox = async (db: Db): Promise<void> => {
  await db.query('DELETE FROM outbox');
  for (let from = 0; from < BACKLOG; from += 2_000) {
    const rows = Array.from({ length: 2_000 }, () => {
      const id = uuidv7();
      return [id, creditsSpent.topic, id, payload(id), clock()];
    });
    await db.query('INSERT INTO outbox (event_id, topic, message_key, payload, created_at) VALUES ?', [rows]);
  }
};

const countUnsent = async (db: Db): Promise<number> => {
  const [row]: { unsent: number }[] = await db.query(
    'SELECT COUNT(*) AS unsent FROM outbox WHERE published_at IS NULL',
  );
  return Number(row?.unsent);
};

const drainRate = async (bench: BenchDb): Promise<number> => {
  await fillOutbox(bench.db);
  const bus = busOf(bench, 'drain');
  await bus.ensureTopics([creditsSpent.topic]);
  const startedAt = performance.now();
  const relay = startRelay({ db: bench.db, bus, log, metrics: createMetrics('bench'), clock });
  while ((await countUnsent(bench.db)) > 0) await sleep(50);
  const seconds = (performance.now() - startedAt) / 1000;
  await relay.stop();
  await bus.close();
  return BACKLOG / seconds;
};

const claimRate = async (bench: BenchDb): Promise<number> => {
  await fillOutbox(bench.db);
  const startedAt = performance.now();
  for (;;) {
    const rows: { id: number; payload: string }[] = await bench.db.query(
      'SELECT id, topic, message_key, payload FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 500',
    );
    if (rows.length === 0) break;
    await bench.db.query('UPDATE outbox SET published_at = ? WHERE id IN (?)', [
      clock(),
      rows.map(({ id }) => id),
    ]);
  }
  return BACKLOG / ((performance.now() - startedAt) / 1000);
};

const publishRate = async (bench: BenchDb): Promise<number> => {
  const bus = busOf(bench, 'produce');
  await bus.ensureTopics(['produce.events']);
  const startedAt = performance.now();
  for (let from = 0; from < BACKLOG; from += 500) {
    await bus.publish(
      'produce.events',
      Array.from({ length: 500 }, () => ({ key: uuidv7(), value: payload(uuidv7()) })),
    );
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await bus.close();
  return BACKLOG / seconds;
};

/** P9 Compares the time from commit to handler with a bare round trip through Kafka. P10 Measures draining 100,000 rows. */
export const benchEvents = async (print: (text: string) => void): Promise<void> => {
  const bench = await startBenchDb('events', { entities: [], migrations: [createOutboxAndInbox] }, [
    'database',
    'kafka',
  ]);
  try {
    const bare = await latencyBare(bench);
    const withOutbox = await latencyWithOutbox(bench);
    print(`P9 bare produce to consume: ${describe(bare)}`);
    print(
      `   commit to handler:       ${describe(withOutbox)}; the difference of the medians is ${(percentile(withOutbox, 0.5) - percentile(bare, 0.5)).toFixed(1)} ms`,
    );
    const [claim, produce, drain] = [
      await claimRate(bench),
      await publishRate(bench),
      await drainRate(bench),
    ];
    print(
      `P10 claim and mark alone ${claim.toFixed(0)} rows/s, batch produce alone ${produce.toFixed(0)}/s, relay ${drain.toFixed(0)} rows/s`,
    );
    print(`   relay / the smaller of the two = ${(drain / Math.min(claim, produce)).toFixed(2)}`);
  } finally {
    await bench.stop();
  }
};
