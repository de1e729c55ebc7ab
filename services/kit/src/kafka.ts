import { type Admin, Kafka, logLevel } from 'kafkajs';
import type { Bus, Consumption } from './bus.ts';
import { consume } from './kafka-consumer.ts';
import type { Log } from './log.ts';

const PARTITIONS = 6;
const PUBLISH_LIMIT_MS = 15_000;

const within = async <T>(work: Promise<T>, limitMs: number): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = Object.assign(new Error('the broker did not answer in time'), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => reject(late), limitMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};

const createMissing = async (admin: Admin, topics: readonly string[]): Promise<void> => {
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !existing.has(topic));
    if (missing.length === 0) return;
    await admin.createTopics({
      topics: missing.map((topic) => ({ topic, numPartitions: PARTITIONS })),
      waitForLeaders: true,
    });
  } finally {
    await admin.disconnect();
  }
};

/** The broker behind `Bus`. Plain acks from all in-sync replicas; doubles are removed by event id, not by the producer. */
export const createKafka = ({
  brokers,
  clientId,
  log,
}: {
  brokers: string[];
  clientId: string;
  log: Log;
}): Bus => {
  const kafka = new Kafka({
    clientId,
    brokers,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: { retries: 3, initialRetryTime: 100, maxRetryTime: 1_000 },
    logLevel: logLevel.ERROR,
    logCreator: () => (entry) => log.debug({ kafka: entry.log.message }, 'kafka'),
  });
  const producer = kafka.producer({ allowAutoTopicCreation: false, maxInFlightRequests: 1 });
  const admin = kafka.admin();
  const consumptions: Consumption[] = [];
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
      within(
        connect().then(() => producer.send({ topic, acks: -1, timeout: 10_000, messages: [...messages] })),
        PUBLISH_LIMIT_MS,
      ).then(() => undefined),
    consume: async (options) => {
      const consumption = await consume(kafka, options, log);
      consumptions.push(consumption);
      return consumption;
    },
    ensureTopics: (topics) => createMissing(admin, topics),
    check: () => within(connect(), 1_000),
    close: async () => {
      await Promise.all(consumptions.map((consumption) => consumption.stop()));
      await producer.disconnect();
    },
  };
};
