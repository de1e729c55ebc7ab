import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Backing, startBacking } from '@shortlist/local/backing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, Message, Position, ReceivedMessage } from '../src/messaging/bus.ts';
import {
  deadLetterOf,
  deadLetterTopic,
  ensureDeadLetters,
  listDeadLetters,
  replayDeadLetters,
} from '../src/messaging/dead-letters.ts';
import { readKafkaSettings } from '../src/messaging/kafka-settings.ts';
import { createKafka } from '../src/messaging/kafka.ts';
import { createMemoryBus } from '../src/testing/memory-bus.ts';
import { until } from '../src/testing/until.ts';
import { silent } from './notes-table.ts';

const LIMIT_MS = 60_000;
let backing: Backing;
beforeAll(async () => {
  backing = await startBacking({ parts: ['kafka'] });
}, 180_000);
afterAll(() => backing.stop());

const kafka = (): Bus =>
  createKafka({
    settings: readKafkaSettings({ KAFKA_BROKERS: backing.kafkaBrokers }),
    clientId: 'test',
    log: silent,
    timeouts: { sessionMs: 10_000, idleMs: 25_000, lostMs: 60_000, fetchMs: 100 },
  });

// The contract of `Bus`. The broker in memory must fulfil it too, or the tests that use it prove nothing.
describe.each([
  ['in memory', createMemoryBus],
  ['Kafka', kafka],
])('the bus with %s', (_, create) => {
  let bus: Bus;
  const topic = `test-${randomBytes(4).toString('hex')}`;
  const name = (): string => `group-${randomBytes(4).toString('hex')}`;
  const received: ReceivedMessage[] = [];
  beforeAll(async () => {
    bus = create();
    await bus.ensureTopics([topic]);
  }, LIMIT_MS);
  afterAll(() => bus.close());

  const values = (): string[] => received.map(({ value }) => value);

  it(
    'creating existing topics changes nothing',
    async () => {
      await bus.ensureTopics([topic]);
    },
    LIMIT_MS,
  );

  it(
    'H3 delivers the messages of one key in order, with their headers',
    async () => {
      const numbers = Array.from({ length: 50 }, (_item, index) => String(index));
      await bus.publish(
        topic,
        numbers.map((value) => ({ key: 'ana', value, headers: { cause: 'ü' } })),
      );
      const runningConsumer = await bus.consume({
        group: name(),
        topics: [topic],
        fromBeginning: true,
        onMessage: (message) => Promise.resolve(void received.push(message)),
      });
      await until('fifty messages', () => received.length >= 50, LIMIT_MS);
      expect(values()).toEqual(numbers);
      expect(received[0]).toMatchObject({ topic, key: 'ana', headers: { cause: 'ü' } });
      expect(runningConsumer.healthy()).toBe(true);
      await runningConsumer.stop();
    },
    LIMIT_MS,
  );

  it(
    'delivers messages until the consumer stops, and none after that',
    async () => {
      received.length = 0;
      const runningConsumer = await bus.consume({
        group: name(),
        topics: [topic],
        fromBeginning: true,
        onMessage: (message) => Promise.resolve(void received.push(message)),
      });
      await until('the old messages', () => received.length >= 50, LIMIT_MS);
      await bus.publish(topic, [{ key: 'ana', value: 'later' }]);
      await until('the new one', () => values().includes('later'), LIMIT_MS);
      await runningConsumer.stop();
      await bus.publish(topic, [{ key: 'ana', value: 'too late' }]);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(values()).not.toContain('too late');
    },
    LIMIT_MS,
  );

  it(
    'delivers a message once to each of two groups',
    async () => {
      const seen: string[] = [];
      const listen = (group: string) =>
        bus.consume({
          group,
          topics: [topic],
          fromBeginning: true,
          onMessage: ({ value }) => Promise.resolve(void (value === 'for both' && seen.push(group))),
        });
      const [one, other] = [name(), name()];
      const consumptions = await Promise.all([listen(one), listen(other)]);
      await bus.publish(topic, [{ key: 'ana', value: 'for both' }]);
      await until('both groups', () => seen.length >= 2, LIMIT_MS);
      expect(seen.toSorted()).toEqual([one, other].toSorted());
      await Promise.all(consumptions.map((runningConsumer) => runningConsumer.stop()));
    },
    LIMIT_MS,
  );

  it(
    'reads the position of a group in a topic, and counts its brokers',
    async () => {
      const positions = `${topic}-positions`;
      const group = name();
      await bus.ensureTopics([positions]);
      const texts = ['one', 'two', 'three'];
      await bus.publish(
        positions,
        texts.map((value) => ({ key: 'ana', value })),
      );
      const lag = async (): Promise<bigint> =>
        (await bus.readPositions(group, [positions]))
          .map(({ low, high, next }) => high - (next ?? low))
          .reduce((sum, ofPartition) => sum + ofPartition, 0n);
      expect(await lag()).toBe(3n);
      const runningConsumer = await bus.consume({
        group,
        topics: [positions],
        fromBeginning: true,
        onMessage: () => Promise.resolve(),
      });
      await until('the commit', async () => (await lag()) === 0n, LIMIT_MS);
      expect(await bus.countBrokers()).toBe(1);
      await runningConsumer.stop();
    },
    LIMIT_MS,
  );

  it(
    'delivers everything again to a group that is set back, and refuses while it has members',
    async () => {
      const [again, group] = [`${topic}-again`, name()];
      await bus.ensureTopics([again]);
      await bus.publish(again, [{ key: 'ana', value: 'before' }]);
      const consumeOnce = async (): Promise<void> => {
        const texts: string[] = [];
        const onMessage = ({ value }: ReceivedMessage) => Promise.resolve(void texts.push(value));
        const running = await bus.consume({ group, topics: [again], fromBeginning: true, onMessage });
        await until('the message', () => texts.includes('before'), LIMIT_MS);
        await expect(bus.rewind(group)).rejects.toThrow(`consume as ${group} are running`);
        await running.stop();
      };
      await consumeOnce();
      let positions: Position[] = [];
      const read = async (): Promise<void> => void (positions = await bus.readPositions(group, [again]));
      expect(await bus.rewind(group, read)).toContain(again);
      expect(
        positions.some(({ next }) => next === 1n),
        'the positions before',
      ).toBe(true);
      await consumeOnce();
    },
    LIMIT_MS,
  );

  it(
    'reads a whole topic, and an empty one without waiting',
    async () => {
      const [filled, empty] = [`${topic}-filled`, `${topic}-empty`];
      await bus.ensureTopics([filled, empty]);
      const numbers = Array.from({ length: 200 }, (_item, index) => String(index));
      await bus.publish(
        filled,
        numbers.map((value) => ({ key: `key ${Number(value) % 7}`, value, headers: { from: 'here' } })),
      );
      for (let time = 0; time < 2; time += 1) {
        const read: ReceivedMessage[] = [];
        await bus.readAll(filled, (message) => read.push(message));
        // A set: publishing may store a message twice when a partition of a new topic has no leader yet.
        expect(new Set(read.map(({ value }) => value))).toEqual(new Set(numbers));
        expect(read[0]).toMatchObject({ topic: filled, headers: { from: 'here' } });
      }
      await bus.readAll(empty, () => expect.unreachable());
    },
    LIMIT_MS,
  );

  it(
    'H5 lists dead letters until they are replayed',
    async () => {
      const [origin, consumer] = [`${topic}-origin`, name()];
      await bus.ensureTopics([origin]);
      await ensureDeadLetters(bus, consumer);
      const deadLetterFrom = (offset: string): Message =>
        deadLetterOf({ topic: origin, partition: 2, offset, key: 'ana', value: `{"id":"${offset}"}` }, 'why');
      await bus.publish(deadLetterTopic(consumer), [deadLetterFrom('4'), deadLetterFrom('5')]);
      expect(await replayDeadLetters(bus, consumer, '4')).toMatchObject([{ id: '4', cause: 'why' }]);
      expect(await listDeadLetters(bus, consumer)).toMatchObject([{ id: '5', topic: origin }]);
      await bus.publish(deadLetterTopic(consumer), [deadLetterFrom('4')]); // dead-lettered again
      expect(await replayDeadLetters(bus, consumer, 'all')).toHaveLength(2);
      expect(await listDeadLetters(bus, consumer)).toEqual([]);
      const again: ReceivedMessage[] = [];
      await bus.readAll(origin, (message) => again.push(message));
      expect(again.map(({ key, value }) => [key, value])).toEqual(
        ['4', '5', '4'].map((id) => ['ana', `{"id":"${id}"}`]),
      );
    },
    LIMIT_MS,
  );
});

it(
  'a consumer that gathers receives the first message at once, and further ones together',
  async () => {
    const topic = `gathered-${randomBytes(4).toString('hex')}`;
    const bus = kafka();
    await bus.ensureTopics([topic]);
    const gatherMs = 1_000;
    let deliveries = 0;
    const values: string[] = [];
    await bus.consume({
      group: topic,
      topics: [topic],
      fromBeginning: true,
      gatherMs,
      onBatch: (messages) => {
        deliveries += 1;
        values.push(...messages.map(({ value }) => value));
        return Promise.resolve(true);
      },
      onMessage: ({ value }) => {
        deliveries += 1;
        return Promise.resolve(void values.push(value));
      },
    });
    await bus.publish(topic, [{ key: 'ana', value: 'first' }]);
    await until('the first message', () => values.length === 1, LIMIT_MS);
    const startedAt = performance.now();
    const numbers = Array.from({ length: 30 }, (_item, index) => String(index));
    for (const value of numbers) await bus.publish(topic, [{ key: 'ana', value }]);
    await until('all messages', () => values.length === 1 + numbers.length, LIMIT_MS);
    expect(values).toEqual(['first', ...numbers]);
    expect(deliveries).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - startedAt) / gatherMs));
    await bus.close();
  },
  LIMIT_MS,
);

it(
  'a producer that has disconnected because it was idle sends again, even while it disconnects',
  async () => {
    const topic = `idle-${randomBytes(4).toString('hex')}`;
    const bus = createKafka({
      settings: readKafkaSettings({ KAFKA_BROKERS: backing.kafkaBrokers }),
      clientId: 'test',
      log: silent,
      producerIdleMs: 20,
    });
    await bus.ensureTopics([topic]);
    for (const value of ['1', '2', '3', '4', '5']) {
      await bus.publish(topic, [{ key: 'k', value }]);
      await sleep(Number(value) * 10);
    }
    const values: string[] = [];
    await bus.readAll(topic, ({ value }) => values.push(value));
    // Twice is also right: kafkajs resends what a closing connection did not confirm, and consumers recognise an event by its id.
    expect([...new Set(values)]).toEqual(['1', '2', '3', '4', '5']);
    await bus.close();
  },
  LIMIT_MS,
);

it(
  'publishing to an unreachable broker fails',
  async () => {
    const away = createKafka({
      settings: readKafkaSettings({ KAFKA_BROKERS: '127.0.0.1:9' }),
      clientId: 'test',
      log: silent,
    });
    await expect(away.publish('t', [{ key: 'k', value: 'v' }])).rejects.toThrow();
    await away.close();
  },
  LIMIT_MS,
);
