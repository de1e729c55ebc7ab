import { Kafka, logLevel } from 'kafkajs';
import type { Bus, RunningConsumer } from './bus.ts';
import { withAdmin } from './kafka-admin.ts';
import { consume } from './kafka-consumer.ts';
import type { ConsumerTimeouts } from './kafka-batches.ts';
import { readAll } from './kafka-reader.ts';
import type { Log } from '../process/log.ts';
import { withTimeout } from '../process/timeout.ts';

const PARTITIONS = 6;
const PUBLISH_LIMIT_MS = 15_000;
const TIMEOUTS: ConsumerTimeouts = { sessionMs: 10_000, idleMs: 25_000, lostMs: 60_000 };

const late = (): Error =>
  Object.assign(new Error('the broker did not answer in time'), { code: 'ETIMEDOUT' });
const DAY_MS = 86_400_000;

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

/** The broker behind `Bus`. Plain acks from all in-sync replicas; doubles are removed by event id, not by the producer. */
export const createKafka = ({
  brokers,
  clientId,
  log,
  timeouts = TIMEOUTS,
}: Client & { timeouts?: ConsumerTimeouts }): Bus => {
  const kafka = createClient({ brokers, clientId, log });
  const producer = kafka.producer({ allowAutoTopicCreation: false, maxInFlightRequests: 1 });
  const consumptions: RunningConsumer[] = [];
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
        PUBLISH_LIMIT_MS,
        late,
      ).then(() => undefined),
    consume: async (options) => {
      const runningConsumer = await consume({ kafka, log, timeouts }, options);
      consumptions.push(runningConsumer);
      return runningConsumer;
    },
    readAll: (topic, onMessage) => readAll(kafka, topic, onMessage),
    ensureTopics: (topics, topicOptions) => createMissing(kafka, topics, topicOptions),
    check: () => withTimeout(connect(), 1_000, late),
    close: async () => {
      await Promise.all(consumptions.map((runningConsumer) => runningConsumer.stop()));
      await producer.disconnect();
    },
  };
};
