/** A message as a broker carries it. Messages of one key keep their order. */
export type Message = { key: string; value: string; headers?: Record<string, string> };
export type ReceivedMessage = Message & { topic: string; partition: number; offset: string };

export type RunningConsumer = {
  /** True while the group membership is alive and partitions are being fetched; false within 30 seconds of silence. */
  healthy: () => boolean;
  stop: () => Promise<void>;
};

/**
 * What we ask of a broker, and all that we ask. Kafka is behind it (`kafka.ts`); tests of one process use an in-memory
 * one. `heartbeat` must be called while a message takes long.
 */
export type Bus = {
  /** Resolves once every message is stored by all in-sync replicas. Rejects within its own deadline otherwise. */
  publish: (topic: string, messages: readonly Message[]) => Promise<void>;
  consume: (options: {
    group: string;
    topics: readonly string[];
    fromBeginning: boolean;
    /**
     * Offered each run of messages that lie ready in one partition. Answers true when all are dealt with; otherwise each
     * is handed to `onMessage`.
     */
    onBatch?: (messages: readonly ReceivedMessage[]) => Promise<boolean>;
    onMessage: (message: ReceivedMessage, heartbeat: () => Promise<void>) => Promise<void>;
  }) => Promise<RunningConsumer>;
  /** Hands over all that lies in a topic now, a partition at a time in order, and changes nobody's place in it. */
  readAll: (topic: string, onMessage: (message: ReceivedMessage) => void) => Promise<void>;
  /** Creates what is missing; existing topics are left alone. Messages are kept as long as is usual there, or `keepDays`. */
  ensureTopics: (topics: readonly string[], options?: { keepDays: number }) => Promise<void>;
  check: () => Promise<void>;
  close: () => Promise<void>;
};
