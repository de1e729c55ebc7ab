/** Days after which a published event is deleted: in the outbox, and on its topic. Some events name a person (decision 18). */
export const EVENT_DAYS = 7;
/** Days for which a repeated event is recognised; longer than any topic's retention. */
export const INBOX_DAYS = 30;

/** A message of the broker. Messages with the same key keep their order. */
export type Message = { key: string; value: string; headers?: Record<string, string> };
export type ReceivedMessage = Message & {
  topic: string;
  partition: number;
  offset: string;
  /** There when the message stands for a batch. Its offset is then that of the batch's last message, its value the batch in Base64. */
  unreadable?: UnreadableBatch;
};

/** Messages that were published together and cannot be read: compressed in an unknown way, or damaged. */
export type UnreadableBatch = {
  /** The offsets of the first message and of the last. */
  first: string;
  last: string;
  cause: string;
};

/** What a partition contains, and where a group is in it. */
export type Position = {
  topic: string;
  partition: number;
  /** The offset of the first message, and that of the next one to be published. */
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

/**
 * The broker, as far as this product uses it. `kafka.ts` implements it with Kafka, and tests of one process with a broker in
 * memory. Call `heartbeat` while a message takes long.
 */
export type Bus = {
  /** Resolves once all in-sync replicas have stored every message. Rejects after a deadline of its own. */
  publish: (topic: string, messages: readonly Message[]) => Promise<void>;
  consume: (options: {
    group: string;
    topics: readonly string[];
    fromBeginning: boolean;
    /** How long to wait after the messages of a partition, so that those of a busy time are fetched together. */
    gatherMs?: number | undefined;
    /** Receives the fetched messages of one partition. Returns whether it handled all; otherwise each goes to `onMessage`. */
    onBatch?: (messages: readonly ReceivedMessage[]) => Promise<boolean>;
    onMessage: (message: ReceivedMessage, heartbeat: () => Promise<void>) => Promise<void>;
  }) => Promise<RunningConsumer>;
  /**
   * Reads all messages that a topic has now, each partition in order, without changing any group's offsets. The next message waits for
   * `onMessage`.
   */
  readAll: (topic: string, onMessage: (message: ReceivedMessage) => unknown) => Promise<void>;
  /** The positions of a group in the partitions of these topics. */
  readPositions: (group: string, topics: readonly string[]) => Promise<Position[]>;
  /** Creates missing topics, again whenever the broker has lost them, and leaves existing ones alone. Retention is the broker's default, or `keepDays`. */
  ensureTopics: (topics: readonly string[], options?: { keepDays: number }) => Promise<void>;
  close: () => Promise<void>;
};
