import { randomUUID } from 'node:crypto';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { minutes } from '@shortlist/contracts/durations';
import type { ReceivedMessage } from './bus.ts';
import { withAdmin } from './kafka-admin.ts';

/** How long the broker may deliver nothing. */
const IDLE_MS = minutes(1);

type Batch = EachBatchPayload['batch'];
type BatchMessage = Batch['messages'][number];

const textHeaders = (headers: BatchMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));

export const toReceivedMessage = ({ topic, partition }: Batch, message: BatchMessage): ReceivedMessage => ({
  topic,
  partition,
  offset: message.offset,
  key: String(message.key ?? ''),
  value: String(message.value ?? ''),
  headers: textHeaders(message.headers),
});

/** The current end offset of each partition that is not empty. */
const endOffsets = async (kafka: Kafka, topic: string): Promise<Map<number, bigint>> => {
  const offsets = await withAdmin(kafka, (admin) => admin.fetchTopicOffsets(topic));
  const filled = offsets.filter(({ high, low }) => BigInt(high) > BigInt(low));
  return new Map(filled.map(({ partition, high }) => [partition, BigInt(high)]));
};

type Read = { topic: string; ends: Map<number, bigint>; onMessage: (message: ReceivedMessage) => unknown };

const readToEnds = async (consumer: Consumer, { topic, ends, onMessage }: Read): Promise<void> => {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const idle = setTimeout(() => reject(new Error(`timed out reading ${topic} to its end`)), IDLE_MS);
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (!payload.restart) reject(payload.error);
  });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch, heartbeat }) => {
      const end = ends.get(batch.partition) ?? 0n;
      for (const message of batch.messages)
        if (BigInt(message.offset) < end) await onMessage(toReceivedMessage(batch, message));
      await heartbeat();
      idle.refresh();
      // Compares the batch's last offset: a control record at the end is in the batch, but not in its messages.
      if (BigInt(batch.lastOffset()) + 1n >= end) ends.delete(batch.partition);
      if (ends.size === 0) resolve();
    },
  });
  await done.finally(() => clearTimeout(idle));
};

/** Reads a topic to its current end with a consumer group of its own, which is deleted afterwards. */
export const readAll = async (
  kafka: Kafka,
  topic: string,
  onMessage: (message: ReceivedMessage) => unknown,
): Promise<void> => {
  const ends = await endOffsets(kafka, topic);
  if (ends.size === 0) return;
  const groupId = `reader-${randomUUID()}`;
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 200 });
  try {
    await readToEnds(consumer, { topic, ends, onMessage });
  } finally {
    await consumer.disconnect();
    // Failing to delete the group does not fail the read: the broker deletes an empty group after a week.
    await withAdmin(kafka, (admin) => admin.deleteGroups([groupId])).catch(() => undefined);
  }
};
