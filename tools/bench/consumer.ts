import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { startConsumer } from '@shortlist/kit/messaging/consumer';
import type { Tx } from '@shortlist/kit/data/db';
import { type EventHandler, onOnce } from '@shortlist/kit/messaging/handle-batch';
import { handleOnce } from '@shortlist/kit/messaging/inbox';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import { createLog } from '@shortlist/kit/process/log';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { migration } from '@shortlist/kit/data/migration';
import { createOutboxAndInbox } from '@shortlist/kit/testing/databases';
import { type CreditWindowData, creditsSpent } from '@shortlist/contracts/events/credits';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { Kafka } from 'kafkajs';
import { uuidv7 } from 'uuidv7';
import { type BenchDb, startBenchDb } from './databases.ts';
import { percentile } from './percentile.ts';

const EVENTS = 20_000;
const ROUNDS = 3;
const log = createLog('bench', 'silent');
const clock = () => new Date();
const createTallies = migration('CreateTallies1700000000000', [
  'CREATE TABLE IF NOT EXISTS tallies (user_id CHAR(36) NOT NULL PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB',
]);

const eventText = (): { key: string; value: string } => {
  const subject = uuidv7();
  const at = clock().toISOString();
  const data = { plan: 'free', limit: 20, used: 1, windowStart: at, windowEnd: at };
  const head = { specversion: '1.0', id: uuidv7(), source: '/credits', type: creditsSpent.type };
  return {
    key: subject,
    value: JSON.stringify({ ...head, subject, time: at, datacontenttype: 'application/json', data }),
  };
};

const fillTopic = async (bus: Bus): Promise<void> => {
  await bus.ensureTopics([creditsSpent.topic]);
  for (let from = 0; from < EVENTS; from += 500)
    await bus.publish(creditsSpent.topic, Array.from({ length: 500 }, eventText));
};

const countConsumed = async ({ db }: BenchDb, consumer: string): Promise<number> => {
  const [row]: { handled: number }[] = await db.query(
    'SELECT COUNT(*) AS handled FROM inbox WHERE consumer = ?',
    [consumer],
  );
  return Number(row?.handled);
};

const tally = async (tx: Tx, { subject }: { subject: string }): Promise<void> => {
  await tx.query('INSERT INTO tallies (user_id, n) VALUES (?, 1) ON DUPLICATE KEY UPDATE n = n + 1', [
    subject,
  ]);
};

/** Returns the events per second, from the first handled event to the last. */
const rateOf = async (bench: BenchDb, consumer: string, start: StartVariant): Promise<number> => {
  const stop = await start(bench, consumer);
  let [firstCount, handled, startedAt] = [0, 0, 0];
  while (handled < EVENTS) {
    await sleep(20);
    handled = await countConsumed(bench, consumer);
    if (startedAt === 0 && handled > 0) [startedAt, firstCount] = [performance.now(), handled];
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await stop();
  return (EVENTS - firstCount) / seconds;
};

type StartVariant = (bench: BenchDb, consumer: string) => Promise<() => Promise<void>>;

const withKit =
  (bus: Bus, batched: boolean): StartVariant =>
  async ({ db }, consumer) => {
    const row = onOnce({ db, clock, consumer })(creditsSpent, tally);
    const handler: EventHandler = batched ? row : { event: row.event, handle: row.handle };
    const metrics = createMetrics('bench');
    const runningConsumer = await startConsumer({ bus, consumer, handlers: [handler], log, metrics });
    return runningConsumer.stop;
  };

/** The usual way with plain kafkajs: one transaction per message, with the id of the event. */
const eachMessage: StartVariant = async ({ backing, db }, consumer) => {
  const kafka = new Kafka({ brokers: backing.kafkaBrokers.split(','), clientId: 'plain', logLevel: 0 });
  const client = kafka.consumer({ groupId: consumer });
  await client.connect();
  await client.subscribe({ topics: [creditsSpent.topic], fromBeginning: true });
  await client.run({
    eachMessage: async ({ message }) => {
      const event = JSON.parse(String(message.value)) as CloudEvent<CreditWindowData>;
      await handleOnce({ db, clock, consumer }, event, tally);
    },
  });
  return () => client.disconnect();
};

/** P11 Compares a consumer that handles fetched events in one transaction with one commit per event and with plain kafkajs. */
export const benchConsumer = async (print: (text: string) => void): Promise<void> => {
  const bench = await startBenchDb(
    'consumer',
    { entities: [], migrations: [createOutboxAndInbox, createTallies] },
    ['database', 'kafka'],
  );
  const bus = createKafka({
    ...{ clientId: 'bench', log },
    settings: readKafkaSettings({ KAFKA_BROKERS: bench.backing.kafkaBrokers }),
  });
  try {
    await fillTopic(bus);
    const variants: Record<string, StartVariant> = {
      'one commit per batch': withKit(bus, true),
      'one commit per event': withKit(bus, false),
      "kafkajs' eachMessage": eachMessage,
    };
    const rates = new Map(Object.keys(variants).map((name) => [name, [] as number[]]));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, start] of Object.entries(variants))
        rates.get(name)?.push(await rateOf(bench, `${name.replaceAll(/\W/g, '-')}-${round}`, start));
    const [batchRate = 0] = [...rates.values()].map((all) => percentile(all, 0.5));
    for (const [name, all] of rates) {
      const rate = percentile(all, 0.5);
      print(
        `P11 ${name.padEnd(24)} ${rate.toFixed(0)} events/s; one commit per batch is ${(batchRate / rate).toFixed(1)} times as fast`,
      );
    }
  } finally {
    await bus.close();
    await bench.stop();
  }
};
