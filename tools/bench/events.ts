import { setTimeout as sleep } from 'node:timers/promises';
import { creditsSpent } from '@shortlist/contracts/events/credits';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { migration } from '@shortlist/kit/data/migration';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { startConsumer } from '@shortlist/kit/messaging/consumer';
import { handleOnce, onOnce } from '@shortlist/kit/messaging/inbox';
import { emit, startRelay } from '@shortlist/kit/messaging/outbox';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { createOutboxAndInbox } from '@shortlist/kit/testing/databases';
import { Kafka } from 'kafkajs';
import { uuidv7 } from 'uuidv7';
import { openBus } from '../../harness/broker.ts';
import { saveCeiling } from '../capacity/measured.ts';
import { describeTimes, percentile, type Print } from './measure.ts';
import { type BenchDb, clock, log, withDatabase } from './surroundings.ts';

const SAMPLES = 200;
const WARM_UP = 20;
const BACKLOG = 100_000;
const CONSUMED = 20_000;
const ROUNDS = 3;

const createTallies = migration('CreateTallies1700000000000', [
  'CREATE TABLE IF NOT EXISTS tallies (user_id CHAR(36) NOT NULL PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB',
]);

const busOf = ({ backing }: BenchDb): Bus => openBus(backing.kafkaBrokers);

/** What consumes from the topic ends with the work. */
const withTopic = async <Result>(
  bench: BenchDb,
  topic: string,
  work: (bus: Bus) => Promise<Result>,
): Promise<Result> => {
  const bus = busOf(bench);
  await bus.ensureTopics([topic]);
  const result = await work(bus);
  await bus.close();
  return result;
};

const relaying = (db: Db, bus: Bus) => startRelay({ db, bus, log, metrics: createMetrics('bench'), clock });

const newEvent = () => {
  const at = clock().toISOString();
  return { plan: 'free' as const, limit: 20, used: 1, windowStart: at, windowEnd: at, charge: null };
};

const count = async (db: Db, table: string, condition: string): Promise<number> => {
  const [row]: { n: number }[] = await db.query(`SELECT COUNT(*) AS n FROM ${table} WHERE ${condition}`);
  return Number(row?.n);
};

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000;

/** The times from the moment that `begin` returns to the handling of its message, one message after the other. */
const latencies = async (
  listen: (handled: () => void) => Promise<unknown>,
  begin: () => Promise<number>,
): Promise<number[]> => {
  let handled = (): void => undefined;
  await listen(() => handled());
  await sleep(3_000);
  const times: number[] = [];
  while (times.length < SAMPLES) {
    const { promise, resolve } = Promise.withResolvers<number>();
    handled = () => resolve(performance.now());
    const begunAt = await begin();
    times.push((await promise) - begunAt);
  }
  return times.slice(WARM_UP);
};

const BARE = 'bare.events';

const latencyBare = (bench: BenchDb): Promise<number[]> =>
  withTopic(bench, BARE, (bus) =>
    latencies(
      (handled) => {
        const onMessage = () => Promise.resolve(handled());
        return bus.consume({ group: 'bare', topics: [BARE], fromBeginning: true, onMessage });
      },
      async () => {
        const begunAt = performance.now();
        await bus.publish(BARE, [{ key: uuidv7(), value: uuidv7() }]);
        return begunAt;
      },
    ),
  );

const latencyWithOutbox = (bench: BenchDb): Promise<number[]> =>
  withTopic(bench, creditsSpent.topic, async (bus) => {
    const { db } = bench;
    const consumer = 'bench';
    const relay = relaying(db, bus);
    const times = await latencies(
      (handled) => {
        const handler = onOnce({ db, clock, consumer })(creditsSpent, () => Promise.resolve(handled()));
        return startConsumer({ bus, consumer, handlers: [handler], log, metrics: createMetrics('bench') });
      },
      async () => {
        const event = { subject: uuidv7(), data: newEvent(), clock };
        await inTransaction(db, (tx) => emit(tx, creditsSpent, event));
        return performance.now(); // the transaction is committed
      },
    );
    await relay.stop();
    return times;
  });

const payload = (id: string): string => JSON.stringify({ id, padding: 'x'.repeat(400) });

const fillOutbox = async (db: Db): Promise<void> => {
  await db.query('DELETE FROM outbox');
  for (let from = 0; from < BACKLOG; from += 2_000) {
    const ids = Array.from({ length: 2_000 }, () => uuidv7());
    const rows = ids.map((id) => [id, creditsSpent.topic, id, payload(id), clock()]);
    await db.query('INSERT INTO outbox (event_id, topic, message_key, payload, created_at) VALUES ?', [rows]);
  }
};

const relayRate = async (bench: BenchDb): Promise<number> => {
  const { db } = bench;
  await fillOutbox(db);
  return withTopic(bench, creditsSpent.topic, async (bus) => {
    const startedAt = performance.now();
    const relay = relaying(db, bus);
    while ((await count(db, 'outbox', 'published_at IS NULL')) > 0) await sleep(50);
    const rate = BACKLOG / secondsSince(startedAt);
    await relay.stop();
    return rate;
  });
};

const claimRate = async ({ db }: BenchDb): Promise<number> => {
  await fillOutbox(db);
  const startedAt = performance.now();
  for (;;) {
    const rows: { id: number }[] = await db.query(
      'SELECT id, topic, message_key, payload FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 500',
    );
    if (rows.length === 0) return BACKLOG / secondsSince(startedAt);
    const ids = rows.map(({ id }) => id);
    await db.query('UPDATE outbox SET published_at = ? WHERE id IN (?)', [clock(), ids]);
  }
};

const publishRate = (bench: BenchDb): Promise<number> =>
  withTopic(bench, 'produce.events', async (bus) => {
    const startedAt = performance.now();
    for (let from = 0; from < BACKLOG; from += 500) {
      const messages = Array.from({ length: 500 }, () => ({ key: uuidv7(), value: payload(uuidv7()) }));
      await bus.publish('produce.events', messages);
    }
    return BACKLOG / secondsSince(startedAt);
  });

/** P9 Compares the time from commit to handler with a bare round trip through Kafka. P10 Measures draining 100,000 rows. */
export const benchEvents = (print: Print): Promise<void> => {
  const schema = { entities: [], migrations: [createOutboxAndInbox] };
  return withDatabase({ name: 'events', schema, parts: ['database', 'kafka'] }, async (bench) => {
    const bare = await latencyBare(bench);
    const withOutbox = await latencyWithOutbox(bench);
    const difference = percentile(withOutbox, 0.5) - percentile(bare, 0.5);
    print(`P9 bare produce to consume: ${describeTimes(bare)}`);
    print(
      `   commit to handler:       ${describeTimes(withOutbox)}; the median is ${difference.toFixed(1)} ms more`,
    );
    const [claim, publish] = [await claimRate(bench), await publishRate(bench)];
    const relay = await relayRate(bench);
    print(`P10 claim and mark alone ${claim.toFixed(0)} rows/s, batch produce alone ${publish.toFixed(0)}/s`);
    const ratio = relay / Math.min(claim, publish);
    await saveCeiling('relayedEventsPerSecond', 'SAVE=yes make bench b=events', relay);
    print(`    relay ${relay.toFixed(0)} rows/s, ratio to the smaller of the two ${ratio.toFixed(2)}`);
  });
};

const fillTopic = async (bus: Bus): Promise<void> => {
  const head = {
    specversion: '1.0',
    source: '/credits',
    type: creditsSpent.type,
    datacontenttype: 'application/json',
  };
  for (let from = 0; from < CONSUMED; from += 500) {
    const messages = Array.from({ length: 500 }, () => {
      const [id, subject, time] = [uuidv7(), uuidv7(), clock().toISOString()];
      return { key: subject, value: JSON.stringify({ ...head, id, subject, time, data: newEvent() }) };
    });
    await bus.publish(creditsSpent.topic, messages);
  }
};

const tally = async (tx: Tx, { subject }: { subject: string }): Promise<void> => {
  const sql = 'INSERT INTO tallies (user_id, n) VALUES (?, 1) ON DUPLICATE KEY UPDATE n = n + 1';
  await tx.query(sql, [subject]);
};

type StartConsumer = (bench: BenchDb, consumer: string) => Promise<() => Promise<unknown>>;

const consumerOfKit: StartConsumer = async (bench, consumer) => {
  const bus = busOf(bench);
  const handler = onOnce({ db: bench.db, clock, consumer })(creditsSpent, tally);
  await startConsumer({ bus, consumer, handlers: [handler], log, metrics: createMetrics('bench') });
  return bus.close;
};

/** The usual way with plain kafkajs: one transaction per message, with the id of the event. */
const eachMessage: StartConsumer = async ({ backing, db }, consumer) => {
  const kafka = new Kafka({ brokers: backing.kafkaBrokers.split(','), clientId: 'plain', logLevel: 0 });
  const client = kafka.consumer({ groupId: consumer });
  await client.connect();
  await client.subscribe({ topics: [creditsSpent.topic], fromBeginning: true });
  await client.run({
    eachMessage: async ({ message }) => {
      const event = JSON.parse(String(message.value)) as CloudEvent<unknown>;
      await handleOnce({ db, clock, consumer }, event, tally);
    },
  });
  return () => client.disconnect();
};

/** Returns the events per second, from the first handled event to the last. */
const consumeRate = async (bench: BenchDb, consumer: string, start: StartConsumer): Promise<number> => {
  const stop = await start(bench, consumer);
  let [first, handled, startedAt] = [0, 0, 0];
  while (handled < CONSUMED) {
    await sleep(20);
    handled = await count(bench.db, 'inbox', `consumer = '${consumer}'`);
    if (startedAt === 0 && handled > 0) [startedAt, first] = [performance.now(), handled];
  }
  const rate = (CONSUMED - first) / secondsSince(startedAt);
  await stop();
  return rate;
};

/** P11 Compares a consumer that handles fetched events in one transaction with plain kafkajs. */
export const benchConsumer = (print: Print): Promise<void> => {
  const schema = { entities: [], migrations: [createOutboxAndInbox, createTallies] };
  return withDatabase({ name: 'consumer', schema, parts: ['database', 'kafka'] }, async (bench) => {
    await withTopic(bench, creditsSpent.topic, fillTopic);
    const rates: { kit: number[]; plain: number[] } = { kit: [], plain: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.kit.push(await consumeRate(bench, `kit-${round}`, consumerOfKit));
      rates.plain.push(await consumeRate(bench, `plain-${round}`, eachMessage));
    }
    const [kit, plain] = [percentile(rates.kit, 0.5), percentile(rates.plain, 0.5)];
    print(
      `P11 ${kit.toFixed(0)} events/s; kafkajs, a commit each: ${plain.toFixed(0)}/s; ratio ${(kit / plain).toFixed(1)}`,
    );
    await saveCeiling('consumedEventsPerSecond', 'SAVE=yes make bench b=consumer', kit);
  });
};
