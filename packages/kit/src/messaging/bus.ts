/** Days after which a published event is deleted from the outbox and its topic. Some events name a person (decision 18). */
export const EVENT_DAYS = 7;
/** Days for which a duplicate event is recognised; longer than any topic's retention. */
export const INBOX_DAYS = 30;

/** A message of the broker. Messages with the same key keep their order. */
export type Message = { key: string; value: string; headers?: Record<string, string> };
export type ReceivedMessage = Message & {
  topic: string;
  partition: number;
  offset: string;
  /** Set if the message stands for an unreadable batch. Its offset is then that of the batch's last message, and its value the batch in Base64. */
  unreadable?: UnreadableBatch;
};

/** A batch of messages that cannot be read, because its compression is unknown or it is damaged. */
export type UnreadableBatch = {
  /** The offsets of the first and the last message. */
  first: string;
  last: string;
  cause: string;
};

/** The extent of a partition, and a group's position in it. */
export type Position = {
  topic: string;
  partition: number;
  /** The offset of the first message, and of the next one to be published. */
  low: bigint;
  high: bigint;
  /** The offset that the group consumes next; null before its first commit. */
  next: bigint | null;
};

export type RunningConsumer = {
  /** Whether the group membership is alive and partitions are fetched; false after 30 seconds without either. */
  healthy: () => boolean;
  stop: () => Promise<void>;
};

/** A consumer group has members, whose next commit would undo a change of its positions. */
export class GroupRunning extends Error {
  override readonly name = 'GroupRunning';
  constructor(group: string) {
    super(`the processes that consume as ${group} are running; stop them, and try again after ten seconds`);
  }
}

/**
 * The broker, as far as this product uses it. `kafka.ts` implements it with Kafka, tests of a single process with a broker in memory. Call
 * `heartbeat` while handling a message takes long.
 */
export type Bus = {
  /** Resolves once all in-sync replicas have stored every message. Rejects after its own deadline. */
  publish: (topic: string, messages: readonly Message[]) => Promise<void>;
  consume: (options: {
    group: string;
    topics: readonly string[];
    fromBeginning: boolean;
    /** How long to wait after the messages of a partition, so that more are fetched together under load. */
    gatherMs?: number | undefined;
    /** Receives the fetched messages of one partition. Returns whether it handled all of them; otherwise each goes to `onMessage`. */
    onBatch?: (messages: readonly ReceivedMessage[]) => Promise<boolean>;
    onMessage: (message: ReceivedMessage, heartbeat: () => Promise<void>) => Promise<void>;
  }) => Promise<RunningConsumer>;
  /**
   * Reads all current messages of a topic, each partition in order, without changing any group's offsets. The next message waits for `onMessage`.
   */
  readAll: (topic: string, onMessage: (message: ReceivedMessage) => unknown) => Promise<void>;
  countBrokers: () => Promise<number>;
  /** The positions of a group in the partitions of these topics. */
  readPositions: (group: string, topics: readonly string[]) => Promise<Position[]>;
  /**
   * Makes a group consume again what its topics still have, once `beforehand` is done, which may still read its positions. Returns the topics.
   * Throws `GroupRunning` while it has members.
   */
  rewind: (group: string, beforehand?: () => Promise<void>) => Promise<string[]>;
  /** Creates missing topics, and creates them again if the broker loses them. Retention is `keepDays`, or the broker's default. */
  ensureTopics: (topics: readonly string[], options?: { keepDays: number }) => Promise<void>;
  close: () => Promise<void>;
};
