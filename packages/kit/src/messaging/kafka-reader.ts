import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { minutes, seconds } from '@shortlist/contracts/durations';
import type { Admin, Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { GroupRunning, type Position, type ReceivedMessage } from './bus.ts';
import { unreadableBatchIn } from './record-batch.ts';

/** How long a broker may take to answer for the partitions of a topic that is new or has a new leader. */
const TRANSIENT_MS = seconds(10);
const RETRY_MS = 200;

/**
 * Whether a broker refused what it will do soon. Of the errors of kafkajs those that are an answer have a type; its last retry has the answer as its
 * cause. A new broker has no coordinator of groups yet.
 */
const isTransient = (error: unknown): boolean => {
  const answer = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(answer instanceof Error)) return false;
  if (answer.name === 'KafkaJSGroupCoordinatorNotFound') return true;
  return 'type' in answer && 'retriable' in answer && answer.retriable === true;
};

/** With a new admin client, because a reopened one can fail when its old socket closes. */
const withNewAdmin = async <T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};

/** Runs `work`, which can be repeated, with an admin client, and again while the broker refuses it for a reason that passes. */
export const withAdmin = async <T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const end = performance.now() + TRANSIENT_MS;
  for (;;)
    try {
      return await withNewAdmin(kafka, work);
    } catch (error) {
      if (!isTransient(error) || performance.now() > end) throw error;
      await sleep(RETRY_MS);
    }
};

type Committed = Awaited<ReturnType<Admin['fetchOffsets']>>;

/** Kafka reports -1 for a partition without a commit. */
const nextOf = (committed: Committed, topic: string, partition: number): bigint | null => {
  const ofTopic = committed.find((one) => one.topic === topic);
  const offset = BigInt(ofTopic?.partitions.find((one) => one.partition === partition)?.offset ?? -1);
  return offset < 0n ? null : offset;
};

const ofTopic = async (admin: Admin, topic: string, committed: Committed): Promise<Position[]> =>
  (await admin.fetchTopicOffsets(topic)).map(({ partition, low, high }) => ({
    topic,
    partition,
    low: BigInt(low),
    high: BigInt(high),
    next: nextOf(committed, topic, partition),
  }));

/** Reads where a group is in the partitions of these topics, over one connection. */
export const readPositions = (
  kafka: Kafka,
  groupId: string,
  topics: readonly string[],
): Promise<Position[]> =>
  withAdmin(kafka, async (admin) => {
    const committed = await admin.fetchOffsets({ groupId, topics: [...topics] });
    return (await Promise.all(topics.map((topic) => ofTopic(admin, topic, committed)))).flat();
  });

const assertWithoutMembers = (kafka: Kafka, groupId: string): Promise<void> =>
  withAdmin(kafka, async (admin) => {
    const { groups } = await admin.describeGroups([groupId]);
    if (groups.some(({ members }) => members.length > 0)) throw new GroupRunning(groupId);
  });

/** Sets a group back to the first message of each of its topics, and returns those. Throws while it has members. */
export const rewind = async (
  kafka: Kafka,
  groupId: string,
  beforehand: () => Promise<void> = () => Promise.resolve(),
): Promise<string[]> => {
  await assertWithoutMembers(kafka, groupId);
  await beforehand();
  return withAdmin(kafka, async (admin) => {
    const topics = (await admin.fetchOffsets({ groupId })).map(({ topic }) => topic);
    for (const topic of topics) {
      const offsets = await admin.fetchTopicOffsets(topic);
      const partitions = offsets.map(({ partition, low }) => ({ partition, offset: low }));
      await admin.setOffsets({ groupId, topic, partitions });
    }
    return topics;
  });
};

/** How long the broker may be silent. */
const IDLE_MS = minutes(1);

type Batch = EachBatchPayload['batch'];
type BatchMessage = Batch['messages'][number];

const textHeaders = (headers: BatchMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));

export const toReceivedMessage = ({ topic, partition }: Batch, message: BatchMessage): ReceivedMessage => {
  const headers = textHeaders(message.headers);
  const unreadable = unreadableBatchIn(headers);
  return {
    topic,
    partition,
    offset: message.offset,
    key: String(message.key ?? ''),
    value: String(message.value ?? ''),
    ...(unreadable === null ? { headers } : { unreadable }),
  };
};

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
      // Compares the batch's last offset, because a control record at the end is not among its messages.
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
    // Deleting the group may fail: the broker deletes an empty group after a week.
    await withAdmin(kafka, (admin) => admin.deleteGroups([groupId])).catch(() => undefined);
  }
};
