import { randomBytes } from 'node:crypto';
import { startBacking, type Backing } from '@shortlist/local/backing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, HeardMessage } from '../src/bus.ts';
import { createKafka } from '../src/kafka.ts';
import { createMemoryBus } from '../src/testing/memory-bus.ts';
import { silent, until } from './notes.ts';

const LIMIT_MS = 60_000;
let backing: Backing;
beforeAll(async () => {
  backing = await startBacking({ parts: ['kafka'] });
}, 180_000);
afterAll(() => backing.stop());

const kafka = (): Bus => createKafka({ brokers: [backing.kafkaBrokers], clientId: 'test', log: silent });

/** What kit asks of a broker. The one in memory must keep the same promises, or the tests that use it prove nothing. */
describe.each([
  ['in memory', createMemoryBus],
  ['Kafka', kafka],
])('a broker: %s', (_, create) => {
  let bus: Bus;
  const topic = `test-${randomBytes(4).toString('hex')}`;
  const name = (): string => `group-${randomBytes(4).toString('hex')}`;
  const heard: HeardMessage[] = [];
  beforeAll(async () => {
    bus = create();
    await bus.ensureTopics([topic]);
  }, LIMIT_MS);
  afterAll(() => bus.close());

  const values = (): string[] => heard.map(({ value }) => value);

  it(
    'answers a check, and creating topics that are there changes nothing',
    async () => {
      await bus.check();
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
      const consumption = await bus.consume({
        group: name(),
        topics: [topic],
        fromBeginning: true,
        onMessage: (message) => Promise.resolve(void heard.push(message)),
      });
      await until('fifty messages', () => heard.length >= 50, LIMIT_MS);
      expect(values()).toEqual(numbers);
      expect(heard[0]).toMatchObject({ topic, key: 'ana', headers: { cause: 'ü' } });
      expect(consumption.healthy()).toBe(true);
      await consumption.stop();
    },
    LIMIT_MS,
  );

  it(
    'hears what comes while it listens, and nothing after it has stopped',
    async () => {
      heard.length = 0;
      const consumption = await bus.consume({
        group: name(),
        topics: [topic],
        fromBeginning: true,
        onMessage: (message) => Promise.resolve(void heard.push(message)),
      });
      await until('the old messages', () => heard.length >= 50, LIMIT_MS);
      await bus.publish(topic, [{ key: 'ana', value: 'later' }]);
      await until('the new one', () => values().includes('later'), LIMIT_MS);
      await consumption.stop();
      await bus.publish(topic, [{ key: 'ana', value: 'too late' }]);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(values()).not.toContain('too late');
    },
    LIMIT_MS,
  );

  it(
    'two groups hear the same message, each once',
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
      await Promise.all(consumptions.map((consumption) => consumption.stop()));
    },
    LIMIT_MS,
  );
});

it(
  'a broker that is away is told within the deadline, not waited for without an end',
  async () => {
    const away = createKafka({ brokers: ['127.0.0.1:9'], clientId: 'test', log: silent });
    const began = performance.now();
    await expect(away.publish('t', [{ key: 'k', value: 'v' }])).rejects.toThrow();
    await expect(away.check()).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(20_000);
    await away.close();
  },
  LIMIT_MS,
);
