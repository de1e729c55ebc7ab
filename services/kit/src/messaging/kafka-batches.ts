import type { EachBatchPayload } from 'kafkajs';
import type { Bus, ReceivedMessage } from './bus.ts';
import { toReceivedMessage } from './kafka-reader.ts';

export type ConsumerTimeouts = {
  /**
   * The broker reassigns the partitions of a member that sends no heartbeat for this long. At least 6 s, unless the broker's setting
   * group.min.session.timeout.ms says otherwise.
   */
  sessionMs: number;
  /** A member that neither fetches nor finishes a message for this long is unhealthy. Longer than any effect's timeout. */
  idleMs: number;
  /** A member that is inactive for this long is replaced. */
  lostMs: number;
  /** How long the broker may wait for messages before it responds to a fetch. A member that leaves waits for that response. */
  fetchMs: number;
};

type BatchOptions = Pick<Parameters<Bus['consume']>[0], 'onMessage' | 'onBatch'> & {
  onActivity: () => void;
  /** Whether this member is still the process's own; it is replaced after a crash. */
  isCurrent: () => boolean;
  timeouts: ConsumerTimeouts;
};

/**
 * Sends heartbeats while `work` runs, which may take longer than a session. They stop after `idleMs`, and count as no activity: a
 * member that works on one message for too long becomes unhealthy and loses its partitions.
 */
const heartbeatDuring = async <T>(
  work: Promise<T>,
  heartbeat: () => Promise<void>,
  { sessionMs, idleMs }: ConsumerTimeouts,
): Promise<T> => {
  const end = performance.now() + idleMs;
  const timer = setInterval(() => {
    if (performance.now() > end) clearInterval(timer);
    else heartbeat().catch(() => clearInterval(timer)); // the next awaited heartbeat reports the error
  }, sessionMs / 10);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
};

/** Messages offered to `onBatch` at once: one commit for all of them, and little to repeat when it fails. */
const BATCH = 100;

const inBatches = (messages: readonly ReceivedMessage[]): ReceivedMessage[][] =>
  Array.from({ length: Math.ceil(messages.length / BATCH) }, (_, index) =>
    messages.slice(index * BATCH, (index + 1) * BATCH),
  );

/** A kafkajs `eachBatch` handler. It resolves an offset only after its message is handled, so a crash means redelivery. */
export const createBatchHandler =
  ({ onMessage, onBatch, onActivity, isCurrent, timeouts }: BatchOptions) =>
  async (payload: EachBatchPayload): Promise<void> => {
    const { batch, heartbeat, resolveOffset, commitOffsetsIfNecessary, isRunning, isStale } = payload;
    const reportActivity = async (): Promise<void> => {
      onActivity();
      await heartbeat();
    };
    const handleAsBatch = async (messages: readonly ReceivedMessage[]): Promise<boolean> =>
      messages.length > 1 &&
      onBatch !== undefined &&
      (await heartbeatDuring(onBatch(messages), heartbeat, timeouts));
    const isAssigned = (): boolean => {
      if (!isCurrent()) throw new Error('replaced by a new group member'); // ends a member that resumed after a freeze
      return isRunning() && !isStale();
    };
    const resolve = async ({ offset }: ReceivedMessage): Promise<void> => {
      resolveOffset(offset);
      await reportActivity();
    };
    const handleMessages = async (messages: readonly ReceivedMessage[]): Promise<void> => {
      const last = messages.at(-1);
      if (last && (await handleAsBatch(messages))) return resolve(last);
      for (const message of messages) {
        if (!isAssigned()) return;
        await heartbeatDuring(onMessage(message, reportActivity), heartbeat, timeouts);
        await resolve(message);
      }
    };
    for (const messages of inBatches(batch.messages.map((message) => toReceivedMessage(batch, message))))
      if (isAssigned()) await handleMessages(messages);
    if (isAssigned()) await commitOffsetsIfNecessary();
  };
