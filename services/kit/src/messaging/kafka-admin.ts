import type { Admin, Kafka } from 'kafkajs';
import type { Position } from './bus.ts';

/** Runs `work` with an admin client of its own: one that is reopened can fail when its old socket closes. */
export const withAdmin = async <T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
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
