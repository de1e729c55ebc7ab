import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Backing, startBacking } from '@shortlist/local/backing';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readKafkaSettings } from '../src/messaging/kafka-settings.ts';
import { createKafka } from '../src/messaging/kafka.ts';
import { until } from '../src/testing/until.ts';
import { silent } from './notes-table.ts';

const LIMIT_MS = 60_000;
let backing: Backing;
beforeAll(async () => {
  backing = await startBacking({ parts: ['kafka'] });
}, 180_000);
afterAll(() => backing.stop());

it(
  'X7 topics that a broker has lost are created again, and messages published then are consumed',
  async () => {
    const settings = readKafkaSettings({ KAFKA_BROKERS: backing.kafkaBrokers });
    const suffix = randomBytes(4).toString('hex');
    const [topic, group] = [`lost-${suffix}`, `group-${suffix}`];
    const timeouts = { sessionMs: 2_000, idleMs: 3_000, lostMs: 4_000, fetchMs: 250 };
    const bus = createKafka({ settings, clientId: 'test', log: silent, timeouts });
    const received = new Set<string>();
    const publish = async (value: string): Promise<void> => {
      const attempt = () => bus.publish(topic, [{ key: 'ana', value }]).then(() => true);
      await until(`the broker to take ${value}`, () => attempt().catch(() => sleep(200, false)), LIMIT_MS);
    };
    await bus.ensureTopics([topic]);
    const consumer = await bus.consume({
      group,
      topics: [topic],
      fromBeginning: true,
      onMessage: ({ value }) => Promise.resolve(void received.add(value)),
    });
    await publish('before');
    await until('the first message', () => received.has('before'), LIMIT_MS);

    const admin = new Kafka({ brokers: settings.KAFKA_BROKERS, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();

    await publish('after');
    await until('the message that was published after the loss', () => received.has('after'), LIMIT_MS);
    expect(consumer.healthy()).toBe(true);
    await bus.close();
  },
  4 * LIMIT_MS,
);

it(
  'many topics can be read as soon as they are created',
  async () => {
    const settings = readKafkaSettings({ KAFKA_BROKERS: backing.kafkaBrokers });
    const bus = createKafka({ settings, clientId: 'test', log: silent });
    const suffix = randomBytes(4).toString('hex');
    const names = Array.from({ length: 30 }, (_item, index) => `new-${suffix}-${index}`);
    await bus.ensureTopics(names);
    expect(new Set((await bus.readPositions('none', names)).map(({ topic }) => topic)).size).toBe(30);
    await bus.close();
  },
  LIMIT_MS,
);
