// How consumers and readers handle batches as real brokers store and send them.
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka } from '@shortlist/local/backing/kafka';
import { findFreePorts } from '@shortlist/local/host/ports';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Bus, ReceivedMessage, RunningConsumer } from '../src/messaging/bus.ts';
import { startConsumer } from '../src/messaging/consumer.ts';
import {
  deadLetterTopic,
  listDeadLetters,
  replayDeadLetters,
  settleDeadLetters,
} from '../src/messaging/dead-letters.ts';
import { on } from '../src/messaging/handle-batch.ts';
import { DECOMPRESSED_MAX } from '../src/messaging/kafka-codecs.ts';
import { readKafkaSettings } from '../src/messaging/kafka-settings.ts';
import { createKafka } from '../src/messaging/kafka.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { until } from '../src/testing/until.ts';
import { noted, noteEvent, silent } from './notes-table.ts';
import { AT, sign } from './record-batches.ts';

const LIMIT_MS = 60_000;
let directory: string;
let broker: Awaited<ReturnType<typeof startKafka>>;
let brokers: string;
let bus: Bus;
let client: Kafka;

const openBus = (): Bus =>
  createKafka({
    settings: readKafkaSettings({ KAFKA_BROKERS: brokers, KAFKA_PARTITIONS: '2' }),
    clientId: 'test',
    log: silent,
    timeouts: { sessionMs: 10_000, idleMs: 25_000, lostMs: 60_000, fetchMs: 100 },
  });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kafka-batches-'));
  const [port = 0, controllerPort = 0] = await findFreePorts(2);
  broker = await startKafka({ directory, port, controllerPort, print: () => undefined });
  brokers = `127.0.0.1:${port}`;
  bus = openBus();
  client = new Kafka({ clientId: 'publisher', brokers: [brokers], logLevel: logLevel.NOTHING });
}, 180_000);
afterAll(async () => {
  await bus.close();
  await broker.stop();
  await rm(directory, { recursive: true, force: true });
});

const unique = (name: string): string => `${name}-${randomBytes(4).toString('hex')}`;

const createTopic = async (topic: string, settings: Record<string, string> = {}): Promise<void> => {
  const admin = client.admin();
  await admin.connect();
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  await admin.createTopics({ topics: [{ topic, numPartitions: 2, configEntries }], waitForLeaders: true });
  await admin.disconnect();
};

/** Publishes values to a partition, as one batch. */
const publish = async (
  topic: string,
  partition: number,
  values: readonly (string | Buffer)[],
  compression = CompressionTypes.None,
): Promise<void> => {
  const producer = client.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  await producer.send({
    topic,
    compression,
    messages: values.map((value) => ({ partition, key: 'k', value })),
  });
  await producer.disconnect();
};

const logOf = (topic: string, partition: number): string =>
  join(directory, `kafka/${topic}-${partition}/00000000000000000000.log`);

/** The batches of a partition on the disk of the broker, with their positions. */
const stored = async (topic: string, partition: number): Promise<{ at: number; batch: Buffer }[]> => {
  const log = await readFile(logOf(topic, partition));
  const batches = [];
  for (let at = 0; at + AT.records < log.length && log.readInt32BE(at + AT.length) > 0;) {
    const end = at + 12 + log.readInt32BE(at + AT.length);
    batches.push({ at, batch: log.subarray(at, end) });
    at = end;
  }
  return batches;
};

/** Changes a batch on the disk of the broker, which sends its files as they are. */
const damage = async (
  topic: string,
  { partition, index }: { partition: number; index: number },
  change: (batch: Buffer) => void,
): Promise<void> => {
  const { at, batch } = (await stored(topic, partition))[index] ?? expect.unreachable('no such batch');
  change(batch);
  const file = await open(logOf(topic, partition), 'r+');
  await file.write(batch, 0, batch.length, at);
  await file.close();
};

const readValues = async (topic: string): Promise<string[]> => {
  const values: string[] = [];
  await bus.readAll(topic, ({ value }) => values.push(value));
  return values;
};

it.each([
  ['gzip', 1],
  ['snappy', 2],
  ['lz4', 3],
  ['zstd', 4],
])(
  'the messages of a topic that the broker compresses with %s are consumed and read',
  async (compression, codec) => {
    const topic = unique(compression);
    await createTopic(topic, { 'compression.type': compression });
    const values = Array.from({ length: 300 }, (_, index) => `${index} ${'text '.repeat(40)}`);
    await publish(topic, 0, values.slice(0, 200));
    await publish(topic, 0, values.slice(200));
    const [first] = await stored(topic, 0);
    expect((first?.batch.readInt16BE(AT.attributes) ?? 0) & 7).toBe(codec);
    const received: ReceivedMessage[] = [];
    const consumer = await bus.consume({
      group: topic,
      topics: [topic],
      fromBeginning: true,
      onMessage: (message) => Promise.resolve(void received.push(message)),
    });
    await until('all messages', () => received.length === values.length, LIMIT_MS);
    expect(received.map(({ value }) => value)).toEqual(values);
    expect(received.map(({ offset }) => offset)).toEqual(values.map((_, index) => String(index)));
    await consumer.stop();
    expect(await readValues(topic)).toEqual(values);
  },
  LIMIT_MS,
);

type Group = { consumer: string; handled: string[]; metrics: ReturnType<typeof createMetrics> };
const start = ({ consumer, handled, metrics }: Group, from: Bus): Promise<RunningConsumer> =>
  startConsumer({
    bus: from,
    consumer,
    handlers: [on(noted, ({ data }) => Promise.resolve(void handled.push(data.text)))],
    log: silent,
    metrics,
    retryMs: 1,
  });
const createGroup = (): Group => {
  const consumer = unique('group');
  return { consumer, handled: [], metrics: createMetrics(consumer) };
};
const valueOf = async ({ metrics }: Group, name: string): Promise<number> =>
  Number(new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'm').exec(await metrics.text())?.[1]);

const events = (...notes: string[]): string[] => notes.map((note) => JSON.stringify(noteEvent(note)));
const { topic } = noted;

/** Publishes four batches to partition 0, the second of them unreadable, and one to partition 1. Returns the offset of the first. */
const publishAround = async (prefix: string, publishSecond: () => Promise<void>): Promise<number> => {
  const named = (...notes: string[]): string[] => events(...notes.map((note) => `${prefix} ${note}`));
  const [position] = (await bus.readPositions(prefix, [topic])).filter(({ partition }) => partition === 0);
  await publish(topic, 0, named('a', 'b'));
  await publishSecond();
  await publish(topic, 0, named('f'));
  await publish(topic, 1, named('g', 'h'));
  await publish(topic, 0, named('i'));
  return Number(position?.high ?? 0);
};
const around = (prefix: string): string[] =>
  ['a', 'b', 'f', 'g', 'h', 'i'].map((note) => `${prefix} ${note}`);

it.each<[string, string, (batch: Buffer) => void, string]>([
  [
    'of a codec that no one knows',
    'codec',
    (batch) => {
      batch.writeInt16BE(batch.readInt16BE(AT.attributes) | 6, AT.attributes);
      sign(batch);
    },
    'no codec has the number 6',
  ],
  [
    'with a damaged byte in a value',
    'byte',
    (batch) => batch.writeUInt8((batch.at(-20) ?? 0) ^ 1, batch.length - 20),
    'its checksum is wrong',
  ],
])(
  'a batch %s is set aside once, and every other message is handled once, also after a restart',
  async (_, prefix, change, cause) => {
    await bus.ensureTopics([topic]);
    const group = createGroup();
    const { consumer, handled } = group;
    const ofPrefix = (): string[] => handled.filter((note) => note.startsWith(prefix)).toSorted();
    let index = -1;
    const offset = await publishAround(prefix, async () => {
      index = (await stored(topic, 0)).length;
      await publish(topic, 0, events('x', 'y', 'z'));
    });
    await damage(topic, { partition: 0, index }, change);

    const running = await start(group, bus);
    await until('the other messages', () => ofPrefix().length === around(prefix).length, LIMIT_MS);
    expect(ofPrefix()).toEqual(around(prefix));
    const ofBatch = async () =>
      (await listDeadLetters(bus, consumer)).filter(
        ({ id }) => id === `${topic}:0:${offset + 2}-${offset + 4}`,
      );
    const [letter, ...others] = await ofBatch();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      isUnreadable: true,
      topic,
      type: 'unreadable batch',
      subject: `partition 0, offsets ${offset + 2} to ${offset + 4}`,
      cause: expect.stringContaining(cause) as string,
    });
    expect(Buffer.from(letter?.message.value ?? '', 'base64')).toEqual(
      (await stored(topic, 0))[index]?.batch,
    );
    expect(running.healthy()).toBe(true);
    const lag = async (): Promise<bigint> =>
      (await bus.readPositions(consumer, [topic]))
        .map(({ low, high, next }) => high - (next ?? low))
        .reduce((sum, behind) => sum + behind, 0n);
    await until('the commit', async () => (await lag()) === 0n, LIMIT_MS);
    await running.stop();

    // Another process.
    const next = openBus();
    await start(group, next);
    await publish(topic, 0, events(`${prefix} later`));
    await until('a message behind', () => ofPrefix().includes(`${prefix} later`), LIMIT_MS);
    expect(ofPrefix()).toEqual([...around(prefix), `${prefix} later`].toSorted());
    expect(await ofBatch()).toHaveLength(1);
    await next.close();
  },
  LIMIT_MS,
);

it(
  'a batch that decompresses to a huge size is set aside, counted, never replayed, and settled',
  async () => {
    const group = createGroup();
    const { consumer, handled } = group;
    const huge = [Buffer.alloc(DECOMPRESSED_MAX + 1)];
    await publishAround('huge', () => publish(topic, 0, huge, CompressionTypes.GZIP));
    await publish(topic, 1, ['{ not json']);
    const running = await start(group, bus);
    await until('the messages', () => around('huge').every((note) => handled.includes(note)), LIMIT_MS);
    await until('both', async () =>
      (await listDeadLetters(bus, consumer)).some(({ cause }) => cause === 'not JSON'),
    );
    const isHuge = ({ cause }: { cause: string }): boolean => cause.includes('gzip cannot decompress it');
    const [letter] = (await listDeadLetters(bus, consumer)).filter(isHuge);
    const unreadable = (await listDeadLetters(bus, consumer)).filter(({ isUnreadable }) => isUnreadable);
    expect(await valueOf(group, 'unreadable_batches_unresolved')).toBe(unreadable.length);
    expect(await valueOf(group, 'dead_letters_unresolved')).toBe(1);

    await running.stop();
    const replayed = await replayDeadLetters(bus, consumer, 'all');
    expect(replayed.map(({ cause }) => cause)).toEqual(['not JSON']);
    expect(await replayDeadLetters(bus, consumer, letter?.id ?? '')).toEqual([]);
    expect(await settleDeadLetters(bus, consumer, 'another')).toEqual([]);
    expect(await settleDeadLetters(bus, consumer, letter?.id ?? '')).toMatchObject([{ isUnreadable: true }]);
    expect((await listDeadLetters(bus, consumer)).filter(isHuge)).toEqual([]);
  },
  LIMIT_MS,
);

it(
  'a reader gets every message around an unreadable batch, and a replacement for it',
  async () => {
    const read = unique('read');
    await createTopic(read);
    for (const values of [['a'], ['b', 'c'], ['d']]) await publish(read, 0, values);
    await damage(read, { partition: 0, index: 1 }, (batch) => batch.writeInt32BE(0, AT.checksum));
    const messages: ReceivedMessage[] = [];
    await bus.readAll(read, (message) => messages.push(message));
    expect(messages).toMatchObject([
      { offset: '0', value: 'a' },
      { offset: '2', unreadable: { first: '1', last: '2' } },
      { offset: '3', value: 'd' },
    ]);
    // The last one of a partition ends the reading, too.
    await damage(read, { partition: 0, index: 2 }, (batch) => batch.writeInt32BE(0, AT.checksum));
    expect(await readValues(read)).toHaveLength(3);
  },
  LIMIT_MS,
);

it(
  'an unreadable batch of dead letters is listed as a dead letter',
  async () => {
    const consumer = unique('group');
    const dead = deadLetterTopic(consumer);
    await createTopic(dead);
    await publish(dead, 0, ['{}', '{}']);
    await damage(dead, { partition: 0, index: 0 }, (batch) => batch.writeInt32BE(0, AT.checksum));
    expect(await listDeadLetters(bus, consumer)).toMatchObject([
      { id: `${dead}:0:0-1`, topic: dead, isUnreadable: true },
    ]);
    await settleDeadLetters(bus, consumer, `${dead}:0:0-1`);
    expect(await listDeadLetters(bus, consumer)).toEqual([]);
  },
  LIMIT_MS,
);
