import { Kafka, logLevel, type ProducerRecord } from 'kafkajs';
import { days } from '@shortlist/contracts/durations';
import type { Log } from '../process/log.ts';
import { withTimeout } from '../process/clock.ts';
import type { Bus, Message, RunningConsumer } from './bus.ts';
import { readAll, readPositions, rewind, withAdmin } from './kafka-reader.ts';
import { consume, type ConsumerTimeouts } from './kafka-consumer.ts';
import { connectionOf, type KafkaSettings } from './kafka-settings.ts';
import { createSocketFactory } from './kafka-socket.ts';

const PUBLISH_TIMEOUT_MS = 15_000;
const TIMEOUTS: ConsumerTimeouts = { sessionMs: 10_000, idleMs: 25_000, lostMs: 60_000, fetchMs: 2_500 };

const timedOut = (): Error => Object.assign(new Error('the broker timed out'), { code: 'ETIMEDOUT' });

type TopicOptions = Parameters<Bus['ensureTopics']>[1];

const configOf = (options: TopicOptions) =>
  options ? [{ name: 'retention.ms', value: String(days(options.keepDays)) }] : [];

type TopicSettings = Pick<KafkaSettings, 'KAFKA_PARTITIONS' | 'KAFKA_REPLICATION_FACTOR'>;
type Topics = ReadonlyMap<string, TopicOptions>;

const createMissing = (kafka: Kafka, topics: Topics, settings: TopicSettings): Promise<void> =>
  withAdmin(kafka, async (admin) => {
    const existing = new Set(await admin.listTopics());
    const missing = [...topics].filter(([topic]) => !existing.has(topic));
    if (missing.length === 0) return;
    await admin.createTopics({
      topics: missing.map(([topic, options]) => ({
        topic,
        configEntries: configOf(options),
        numPartitions: settings.KAFKA_PARTITIONS,
        replicationFactor: settings.KAFKA_REPLICATION_FACTOR,
      })),
      waitForLeaders: true,
    });
  });

type Client = { settings: KafkaSettings; clientId: string; log: Log };

const createClient = ({ settings, clientId, log }: Client): Kafka =>
  new Kafka({
    clientId,
    ...connectionOf(settings),
    socketFactory: createSocketFactory(log),
    authenticationTimeout: 5_000,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: { retries: 3, initialRetryTime: 100, maxRetryTime: 1_000 },
    logLevel: logLevel.ERROR,
    logCreator: () => (entry) => log.debug({ kafka: entry.log.message }, 'kafka'),
  });

/** How long an idle producer stays connected: kafkajs wakes the process every millisecond while it is. */
const PRODUCER_IDLE_MS = 30_000;

/** A producer that connects when it has something to send, and disconnects after a while without sending. */
const createProducer = (kafka: Kafka, idleMs: number) => {
  const producer = kafka.producer({ allowAutoTopicCreation: false, maxInFlightRequests: 1 });
  let connected: Promise<void> | null = null;
  let disconnected = Promise.resolve();
  let sending = 0;
  let idle: NodeJS.Timeout | undefined;

  const connect = (): Promise<void> => {
    connected ??= disconnected
      .then(() => producer.connect())
      .catch((error: unknown) => {
        connected = null;
        throw error;
      });
    return connected;
  };
  const disconnect = (): Promise<void> => {
    clearTimeout(idle);
    connected = null;
    disconnected = producer.disconnect().catch(() => undefined); // it reconnects in any case
    return disconnected;
  };
  return {
    disconnect,
    send: async (record: ProducerRecord): Promise<void> => {
      clearTimeout(idle);
      sending += 1;
      try {
        await connect();
        await producer.send(record);
      } finally {
        sending -= 1;
        clearTimeout(idle);
        if (sending === 0) idle = setTimeout(() => void disconnect(), idleMs).unref();
      }
    },
  };
};

/**
 * `Bus` with Kafka. Every message is acknowledged by all in-sync replicas; consumers remove duplicates by event id, so the producer is not
 * idempotent (kafkajs's idempotent producer can lose messages: issue 1005). Lost topics are created again.
 */
export const createKafka = ({
  settings,
  clientId,
  log,
  timeouts = TIMEOUTS,
  producerIdleMs = PRODUCER_IDLE_MS,
}: Client & { timeouts?: ConsumerTimeouts; producerIdleMs?: number }): Bus => {
  const kafka = createClient({ settings, clientId, log });
  const producer = createProducer(kafka, producerIdleMs);
  const consumers: RunningConsumer[] = [];
  /** The topics of this process, which a replaced broker does not have. */
  const topics = new Map<string, TopicOptions>();
  const restoreTopics = (): Promise<void> =>
    topics.size === 0 ? Promise.resolve() : createMissing(kafka, topics, settings);

  const send = async (topic: string, messages: readonly Message[]): Promise<void> => {
    try {
      await producer.send({ topic, acks: -1, timeout: 10_000, messages: [...messages] });
    } catch (error) {
      await restoreTopics().catch(() => undefined); // for the next attempt
      throw error;
    }
  };

  return {
    publish: (topic, messages) => withTimeout(send(topic, messages), PUBLISH_TIMEOUT_MS, timedOut),
    consume: async (options) => {
      const consumer = await consume({ kafka, log, timeouts, restoreTopics }, options);
      consumers.push(consumer);
      return consumer;
    },
    readAll: (topic, onMessage) => readAll(kafka, topic, onMessage),
    countBrokers: () => withAdmin(kafka, async (admin) => (await admin.describeCluster()).brokers.length),
    readPositions: (group, names) => readPositions(kafka, group, names),
    rewind: (group, beforehand) => rewind(kafka, group, beforehand),
    ensureTopics: (names, topicOptions) => {
      for (const name of names) topics.set(name, topicOptions);
      return restoreTopics();
    },
    close: async () => {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await producer.disconnect();
    },
  };
};
