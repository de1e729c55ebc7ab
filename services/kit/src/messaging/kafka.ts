import { Kafka, logLevel } from 'kafkajs';
import type { Log } from '../process/log.ts';
import { withTimeout } from '../process/timeout.ts';
import type { Bus, RunningConsumer } from './bus.ts';
import { withAdmin } from './kafka-admin.ts';
import type { ConsumerTimeouts } from './kafka-batches.ts';
import { consume } from './kafka-consumer.ts';
import { readAll } from './kafka-reader.ts';

const PARTITIONS = 6;
const PUBLISH_TIMEOUT_MS = 15_000;
const CHECK_TIMEOUT_MS = 1_000;
const DAY_MS = 86_400_000;
const TIMEOUTS: ConsumerTimeouts = { sessionMs: 10_000, idleMs: 25_000, lostMs: 60_000 };

const timedOut = (): Error => Object.assign(new Error('the broker timed out'), { code: 'ETIMEDOUT' });

type TopicOptions = Parameters<Bus['ensureTopics']>[1];

const createMissing = (kafka: Kafka, topics: readonly string[], options: TopicOptions): Promise<void> =>
  withAdmin(kafka, async (admin) => {
    const existing = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !existing.has(topic));
    if (missing.length === 0) return;
    const configEntries = options ? [{ name: 'retention.ms', value: String(options.keepDays * DAY_MS) }] : [];
    await admin.createTopics({
      topics: missing.map((topic) => ({ topic, numPartitions: PARTITIONS, configEntries })),
      waitForLeaders: true,
    });
  });

type Client = { brokers: string[]; clientId: string; log: Log };

const createClient = ({ brokers, clientId, log }: Client): Kafka =>
  new Kafka({
    clientId,
    brokers,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: { retries: 3, initialRetryTime: 100, maxRetryTime: 1_000 },
    logLevel: logLevel.ERROR,
    logCreator: () => (entry) => log.debug({ kafka: entry.log.message }, 'kafka'),
  });

/**
 * `Bus` with Kafka. Every message is acknowledged by all in-sync replicas; consumers remove duplicates by event id, so the
 * producer is not idempotent (kafkajs's idempotent producer can lose messages: issue 1005).
 */
export const createKafka = ({
  brokers,
  clientId,
  log,
  timeouts = TIMEOUTS,
}: Client & { timeouts?: ConsumerTimeouts }): Bus => {
  const kafka = createClient({ brokers, clientId, log });
  const producer = kafka.producer({ allowAutoTopicCreation: false, maxInFlightRequests: 1 });
  const consumers: RunningConsumer[] = [];
  let connected: Promise<void> | null = null;

  const connect = (): Promise<void> => {
    connected ??= producer.connect().catch((error: unknown) => {
      connected = null;
      throw error;
    });
    return connected;
  };

  return {
    publish: (topic, messages) =>
      withTimeout(
        connect().then(() => producer.send({ topic, acks: -1, timeout: 10_000, messages: [...messages] })),
        PUBLISH_TIMEOUT_MS,
        timedOut,
      ).then(() => undefined),
    consume: async (options) => {
      const consumer = await consume({ kafka, log, timeouts }, options);
      consumers.push(consumer);
      return consumer;
    },
    readAll: (topic, onMessage) => readAll(kafka, topic, onMessage),
    ensureTopics: (topics, topicOptions) => createMissing(kafka, topics, topicOptions),
    check: () => withTimeout(connect(), CHECK_TIMEOUT_MS, timedOut),
    close: async () => {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await producer.disconnect();
    },
  };
};
