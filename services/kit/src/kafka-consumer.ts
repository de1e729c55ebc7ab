import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Bus, Consumption, HeardMessage } from './bus.ts';
import type { Log } from './log.ts';

type ConsumeOptions = Parameters<Bus['consume']>[0];

const MEMBER = {
  allowAutoTopicCreation: false,
  sessionTimeout: 30_000,
  heartbeatInterval: 3_000,
  maxBytesPerPartition: 256 * 1024,
  maxWaitTimeInMs: 500,
};
/** A group member that has neither fetched nor beaten for this long is not consuming, whatever it says. */
const SILENT_MS = 25_000;
const RESTART_MS = 1_000;

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
export const consume = async (kafka: Kafka, options: ConsumeOptions, log: Log): Promise<Consumption> => {
  let lastSign = 0;
  let stopped = false;
  let current: Consumer | null = null;
  let restart: NodeJS.Timeout | undefined;
  const beat = (): void => void (lastSign = performance.now());

  const begin = async (): Promise<void> => {
    const consumer = kafka.consumer({ ...MEMBER, groupId: options.group });
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
