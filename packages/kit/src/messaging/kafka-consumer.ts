import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Log } from '../process/log.ts';
import { withTimeout } from '../process/clock.ts';
import type { Bus, ReceivedMessage, RunningConsumer } from './bus.ts';
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
  /** How long the broker may wait for messages before it responds to a fetch. A leaving member waits for that response. */
  fetchMs: number;
};

type BatchOptions = Pick<Parameters<Bus['consume']>[0], 'onMessage' | 'onBatch' | 'gatherMs'> & {
  onActivity: () => void;
  /** Whether this member is still the process's own; it is replaced after a crash. */
  isCurrent: () => boolean;
  timeouts: ConsumerTimeouts;
};

/**
 * Sends heartbeats while `work` runs, which may take longer than a session. They stop after `idleMs` and do not count as activity: a member
 * that works on one message for too long becomes unhealthy and loses its partitions.
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

/** Messages passed to `onBatch` at once: one commit for all of them, and little to repeat if it fails. */
const BATCH = 100;

const inBatches = (messages: readonly ReceivedMessage[]): ReceivedMessage[][] =>
  Array.from({ length: Math.ceil(messages.length / BATCH) }, (_, index) =>
    messages.slice(index * BATCH, (index + 1) * BATCH),
  );

/** A kafkajs `eachBatch` handler. It resolves an offset only after its message is handled, so a crash means redelivery. */
const createBatchHandler =
  ({ onMessage, onBatch, gatherMs = 0, onActivity, isCurrent, timeouts }: BatchOptions) =>
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
    if (gatherMs > 0) await sleep(gatherMs);
  };

type ConsumeOptions = Parameters<Bus['consume']>[0];
type Parts = {
  kafka: Kafka;
  log: Log;
  timeouts: ConsumerTimeouts;
  /** Creates the topics of this process again if the broker has lost them. */
  restoreTopics: () => Promise<void>;
};

/** How long a rebalance waits for members to rejoin. A slower one joins the next generation; a dead one never does. */
const REBALANCE_MS = 5_000;

const memberOptions = ({ sessionMs, fetchMs }: ConsumerTimeouts) => ({
  allowAutoTopicCreation: false,
  metadataMaxAge: 10_000, // by default, a member notices a new partition only after five minutes
  sessionTimeout: sessionMs,
  rebalanceTimeout: REBALANCE_MS,
  heartbeatInterval: sessionMs / 10,
  maxBytesPerPartition: 256 * 1024,
  maxWaitTimeInMs: fetchMs, // the broker responds at once if there is a message; idle members cost less
  // kafkajs restarts after some crashes only, and stays up and idle after others: every restart is ours, below.
  retry: { retries: 3, restartOnFailure: () => Promise.resolve(false) },
});

const RESTART_MS = 1_000;
/** A message that is still being handled can delay a disconnect; after this time, the broker's session timeout frees its partitions. */
const DISCONNECT_MS = 5_000;

const disconnect = async (consumer: Consumer | null): Promise<void> => {
  if (consumer === null) return;
  const timedOut = (): Error => new Error('disconnect timed out');
  await withTimeout(consumer.disconnect(), DISCONNECT_MS, timedOut).catch(() => undefined);
};

type Listeners = { onActivity: () => void; onCrash: () => void };

const createMember = (
  { kafka, log, timeouts }: Omit<Parts, 'restoreTopics'>,
  group: string,
  { onActivity, onCrash }: Listeners,
): Consumer => {
  const consumer = kafka.consumer({ ...memberOptions(timeouts), groupId: group });
  const { FETCH, GROUP_JOIN, CRASH } = consumer.events;
  for (const event of [FETCH, GROUP_JOIN]) consumer.on(event, onActivity);
  consumer.on(CRASH, ({ payload }) => {
    log.warn({ err: payload.error }, 'consumer crashed; rejoining');
    onCrash();
  });
  return consumer;
};

/** Tracks the last activity of a member, and when it was started. */
const createActivity = ({ idleMs, lostMs }: ConsumerTimeouts) => {
  let activeAt = 0;
  let startedAt = 0;
  const now = (): number => performance.now();
  return {
    record: () => void (activeAt = now()),
    restart: () => void (startedAt = now()),
    isHealthy: () => activeAt > 0 && now() - activeAt < idleMs,
    isLost: () => now() - Math.max(activeAt, startedAt) > lostMs,
  };
};

const runMember = async (
  consumer: Consumer,
  { topics, fromBeginning }: ConsumeOptions,
  eachBatch: ReturnType<typeof createBatchHandler>,
): Promise<void> => {
  await consumer.connect();
  await consumer.subscribe({ topics: [...topics], fromBeginning });
  await consumer.run({ eachBatchAutoResolve: false, partitionsConsumedConcurrently: 3, eachBatch });
};

/** A group member that rejoins after a crash or a long inactivity, and reports its health. */
export const consume = async (
  { kafka, log, timeouts, restoreTopics }: Parts,
  options: ConsumeOptions,
): Promise<RunningConsumer> => {
  const { group } = options;
  const activity = createActivity(timeouts);
  let stopped = false;
  let current: Consumer | null = null;
  let restart: NodeJS.Timeout | undefined;

  const join = async (): Promise<void> => {
    activity.restart();
    await restoreTopics();
    const isCurrent = (): boolean => current === consumer;
    const onActivity = (): void => void (isCurrent() && activity.record());
    const onCrash = (): void => void (isCurrent() && rejoin());
    const consumer = createMember({ kafka, log, timeouts }, group, { onActivity, onCrash });
    current = consumer;
    await runMember(consumer, options, createBatchHandler({ ...options, onActivity, isCurrent, timeouts }));
    if (stopped || !isCurrent()) await disconnect(consumer);
  };

  const joinOrRetry = (): Promise<void> =>
    join().catch((error: unknown) => {
      log.warn({ err: error }, 'waiting for the broker');
      rejoin();
    });

  const rejoin = (): void => {
    if (stopped) return;
    clearTimeout(restart);
    activity.restart();
    restart = setTimeout(() => {
      void disconnect(current); // not awaited: a message whose handling never ends must not prevent the rejoin
      void joinOrRetry();
    }, RESTART_MS);
  };

  const watch = setInterval(() => {
    if (!activity.isLost()) return;
    log.error({ group }, 'consumer inactive; rejoining');
    rejoin();
  }, RESTART_MS);

  await joinOrRetry();
  return {
    healthy: activity.isHealthy,
    stop: async () => {
      stopped = true;
      clearTimeout(restart);
      clearInterval(watch);
      await disconnect(current);
    },
  };
};
