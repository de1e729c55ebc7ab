import { type Consumer, Kafka, logLevel, type EachBatchPayload } from 'kafkajs';
import type { Bus, Consumption, HeardMessage } from './bus.ts';
import type { Log } from './log.ts';

type ConsumeOptions = Parameters<Bus['consume']>[0];

const PARTITIONS = 6;
const PUBLISH_LIMIT_MS = 15_000;
const SESSION_MS = 30_000;
/** A group member that has neither fetched nor beaten for this long is not consuming, whatever it says. */
const SILENT_MS = 25_000;
const RESTART_MS = 1_000;

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

const textHeaders = (
  headers: EachBatchPayload['batch']['messages'][number]['headers'],
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));

/** Hands on a batch message by message. Offsets are resolved only after the work, so a crash means redelivery. */
const eachBatch =
  (onMessage: ConsumeOptions['onMessage'], beat: () => void) =>
  async (payload: EachBatchPayload): Promise<void> => {
    const { batch, heartbeat, resolveOffset, commitOffsetsIfNecessary, isRunning, isStale } = payload;
    for (const message of batch.messages) {
      if (!isRunning() || isStale()) return;
      const heard: HeardMessage = {
        topic: batch.topic,
        partition: batch.partition,
        offset: message.offset,
        key: String(message.key ?? ''),
        value: String(message.value ?? ''),
        headers: textHeaders(message.headers),
      };
      await onMessage(heard, async () => {
        beat();
        await heartbeat();
      });
      resolveOffset(message.offset);
      beat();
      await heartbeat();
    }
    await commitOffsetsIfNecessary();
  };

/** A group member that comes back by itself after any crash, and knows when it is silent. */
const consume = async (kafka: Kafka, options: ConsumeOptions, log: Log): Promise<Consumption> => {
  let lastSign = 0;
  let stopped = false;
  let current: Consumer | null = null;
  let restart: NodeJS.Timeout | undefined;
  const beat = (): void => void (lastSign = performance.now());

  const begin = async (): Promise<void> => {
    const consumer = kafka.consumer({
      groupId: options.group,
      allowAutoTopicCreation: false,
      sessionTimeout: SESSION_MS,
      heartbeatInterval: 3_000,
      maxBytesPerPartition: 256 * 1024,
      maxWaitTimeInMs: 500,
    });
    current = consumer;
    for (const sign of [consumer.events.FETCH, consumer.events.HEARTBEAT, consumer.events.GROUP_JOIN])
      consumer.on(sign, beat);
    // kafkajs restarts after errors that it calls retriable; after the others it would stay up and idle.
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      log.warn({ err: payload.error, restart: payload.restart }, 'consumer stopped');
      if (!payload.restart) beginAgain();
    });
    await consumer.connect();
    await consumer.subscribe({ topics: [...options.topics], fromBeginning: options.fromBeginning });
    await consumer.run({
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 3,
      eachBatch: eachBatch(options.onMessage, beat),
    });
  };

  const beginAgain = (): void => {
    if (stopped) return;
    clearTimeout(restart);
    restart = setTimeout(() => {
      const old = current;
      void old?.disconnect().catch(() => undefined);
      begin().catch((error: unknown) => {
        log.warn({ err: error }, 'waiting for the broker');
        beginAgain();
      });
    }, RESTART_MS);
  };

  await begin().catch((error: unknown) => {
    log.warn({ err: error }, 'waiting for the broker');
    beginAgain();
  });
  return {
    healthy: () => performance.now() - lastSign < SILENT_MS && lastSign > 0,
    stop: async () => {
      stopped = true;
      clearTimeout(restart);
      await current?.disconnect().catch(() => undefined);
    },
  };
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
    ensureTopics: async (topics) => {
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
    },
    check: () => within(connect(), 1_000),
    close: async () => {
      await Promise.all(consumptions.map((consumption) => consumption.stop()));
      await producer.disconnect();
    },
  };
};
