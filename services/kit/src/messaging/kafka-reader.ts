import { randomUUID } from 'node:crypto';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { ReceivedMessage } from './bus.ts';
import { withAdmin } from './kafka-admin.ts';
import { withTimeout } from '../process/timeout.ts';

/** A reading that hears nothing for this long, with messages still to come, is given up. */
const LIMIT_MS = 60_000;

type Batch = EachBatchPayload['batch'];
type BatchMessage = Batch['messages'][number];

const textHeaders = (headers: BatchMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));

export const receivedMessage = ({ topic, partition }: Batch, message: BatchMessage): ReceivedMessage => ({
  topic,
  partition,
  offset: message.offset,
  key: String(message.key ?? ''),
  value: String(message.value ?? ''),
  headers: textHeaders(message.headers),
});

/** Where each partition that holds anything ends now. */
const endsOf = async (kafka: Kafka, topic: string): Promise<Map<number, bigint>> => {
  const offsets = await withAdmin(kafka, (admin) => admin.fetchTopicOffsets(topic));
  const filled = offsets.filter(({ high, low }) => BigInt(high) > BigInt(low));
  return new Map(filled.map(({ partition, high }) => [partition, BigInt(high)]));
};

type Reading = { topic: string; ends: Map<number, bigint>; onMessage: (message: ReceivedMessage) => void };

const readToEnds = async (consumer: Consumer, { topic, ends, onMessage }: Reading): Promise<void> => {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (!payload.restart) reject(payload.error);
  });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatch: ({ batch }) => {
      const end = ends.get(batch.partition) ?? 0n;
      for (const message of batch.messages)
        if (BigInt(message.offset) < end) onMessage(receivedMessage(batch, message));
      // By the batch's own last offset, since the last message may be one that is never shown, such as a marker.
      if (BigInt(batch.lastOffset()) + 1n >= end) ends.delete(batch.partition);
      if (ends.size === 0) resolve();
      return Promise.resolve();
    },
  });
  await withTimeout(done, LIMIT_MS, () => new Error(`${topic} could not be read to its end in time`));
};

/** Reads by a group of its own, which is nobody else's business and is gone afterwards. */
export const readAll = async (
  kafka: Kafka,
  topic: string,
  onMessage: (message: ReceivedMessage) => void,
): Promise<void> => {
  const ends = await endsOf(kafka, topic);
  if (ends.size === 0) return;
  const groupId = `reading-${randomUUID()}`;
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 200 });
  try {
    await readToEnds(consumer, { topic, ends, onMessage });
  } finally {
    await consumer.disconnect();
    // Not so important that a reading fails by it: the broker forgets an empty group by itself after a week.
    await withAdmin(kafka, (admin) => admin.deleteGroups([groupId])).catch(() => undefined);
  }
};
