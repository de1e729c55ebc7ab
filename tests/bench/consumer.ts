import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@shortlist/kit/bus';
import { startConsumer } from '@shortlist/kit/consumer';
import type { Tx } from '@shortlist/kit/db';
import { type Hearing, hearOnce } from '@shortlist/kit/hearings';
import { handleOnce } from '@shortlist/kit/inbox';
import { createKafka } from '@shortlist/kit/kafka';
import { createLog } from '@shortlist/kit/log';
import { createMetrics } from '@shortlist/kit/metrics';
import { createOutboxAndInbox, migration } from '@shortlist/kit/migration';
import { type CreditWindowFact, creditsSpent } from '@shortlist/contracts/events/credits';
import type { Fact } from '@shortlist/contracts/events/define';
import { Kafka } from 'kafkajs';
import { uuidv7 } from 'uuidv7';
import { type BenchDb, startBenchDb } from './databases.ts';
import { percentile } from './percentile.ts';

const FACTS = 20_000;
const ROUNDS = 3;
const log = createLog('bench', 'silent');
const clock = () => new Date();
const createTallies = migration('CreateTallies1700000000000', [
  'CREATE TABLE IF NOT EXISTS tallies (user_id CHAR(36) NOT NULL PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB',
]);

const factText = (): { key: string; value: string } => {
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
  for (let from = 0; from < FACTS; from += 500)
    await bus.publish(creditsSpent.topic, Array.from({ length: 500 }, factText));
};

const countHeard = async ({ db }: BenchDb, hearer: string): Promise<number> => {
  const [row]: { heard: number }[] = await db.query('SELECT COUNT(*) AS heard FROM inbox WHERE hearer = ?', [
    hearer,
  ]);
  return Number(row?.heard);
};

const tally = async (tx: Tx, { subject }: { subject: string }): Promise<void> => {
  await tx.query('INSERT INTO tallies (user_id, n) VALUES (?, 1) ON DUPLICATE KEY UPDATE n = n + 1', [
    subject,
  ]);
};

/** Facts a second, from the first that was heard to the last. */
const rateOf = async (bench: BenchDb, hearer: string, begin: Begin): Promise<number> => {
  const stop = await begin(bench, hearer);
  let [first, heard, begun] = [0, 0, 0];
  while (heard < FACTS) {
    await sleep(20);
    heard = await countHeard(bench, hearer);
    if (begun === 0 && heard > 0) [begun, first] = [performance.now(), heard];
  }
  const seconds = (performance.now() - begun) / 1000;
  await stop();
  return (FACTS - first) / seconds;
};

type Begin = (bench: BenchDb, hearer: string) => Promise<() => Promise<void>>;

const ours =
  (bus: Bus, together: boolean): Begin =>
  async ({ db }, hearer) => {
    const line = hearOnce({ db, clock, hearer })(creditsSpent, tally);
    const hearing: Hearing = together ? line : { fact: line.fact, hear: line.hear };
    const metrics = createMetrics('bench');
    const consumption = await startConsumer({ bus, hearer, hearings: [hearing], log, metrics });
    return consumption.stop;
  };

/** The way one would write it with kafkajs alone: a transaction with the fact's id in the handler of each message. */
const eachMessage: Begin = async ({ backing, db }, hearer) => {
  const kafka = new Kafka({ brokers: backing.kafkaBrokers.split(','), clientId: 'plain', logLevel: 0 });
  const consumer = kafka.consumer({ groupId: hearer });
  await consumer.connect();
  await consumer.subscribe({ topics: [creditsSpent.topic], fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      const fact = JSON.parse(String(message.value)) as Fact<CreditWindowFact>;
      await handleOnce({ db, clock, hearer }, fact, tally);
    },
  });
  return () => consumer.disconnect();
};

/** P11 a consumer that hears what lies ready in one transaction, against one commit for each fact, and against plain kafkajs. */
export const benchConsumer = async (tell: (text: string) => void): Promise<void> => {
  const bench = await startBenchDb(
    'consumer',
    { entities: [], migrations: [createOutboxAndInbox, createTallies] },
    ['database', 'kafka'],
  );
  const bus = createKafka({ brokers: bench.backing.kafkaBrokers.split(','), clientId: 'bench', log });
  try {
    await fillTopic(bus);
    const ways: Record<string, Begin> = {
      'a commit for a run': ours(bus, true),
      'a commit for each fact': ours(bus, false),
      "kafkajs' eachMessage": eachMessage,
    };
    const rates = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, begin] of Object.entries(ways))
        rates.get(name)?.push(await rateOf(bench, `${name.replaceAll(/\W/g, '-')}-${round}`, begin));
    const [best = 0] = [...rates.values()].map((all) => percentile(all, 0.5));
    for (const [name, all] of rates) {
      const rate = percentile(all, 0.5);
      tell(
        `P11 ${name.padEnd(24)} ${rate.toFixed(0)} facts/s; of it a run makes ${(best / rate).toFixed(1)} times`,
      );
    }
  } finally {
    await bus.close();
    await bench.stop();
  }
};
