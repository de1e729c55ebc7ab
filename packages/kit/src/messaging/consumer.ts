import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../process/errors.ts';
import { failPoint } from '../process/fail-point.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { withTimeout } from '../process/clock.ts';
import { type Bus, EVENT_DAYS, type ReceivedMessage, type RunningConsumer } from './bus.ts';
import { deadLetterOf, deadLetterTopic, ensureDeadLetters } from './dead-letters.ts';
import { type EventHandlers, handleBatch, NewerVersion, parseMessage } from './handle-batch.ts';
import { inEventSpan } from './event-spans.ts';
import { measureConsumer } from './measure.ts';

const MAX_FAILURES = 5;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 2_000;
/** Shorter than the idle timeout of a group member: an effect that never ends must not cost the member its partitions. */
const EFFECT_TIMEOUT_MS = 20_000;

/** The broker has given the partition to another member, which will receive the message again. */
class PartitionLost extends Error {
  override readonly name = 'PartitionLost';
}

/** An unreadable batch of messages, set aside as one dead letter. */
class UnreadableBatchError extends Error {
  override readonly name = 'UnreadableBatchError';
}

type ConsumerParts = {
  bus: Bus;
  consumer: string;
  handlers: EventHandlers;
  log: Log;
  metrics: Metrics;
  group?: string;
  fromBeginning?: boolean;
  /** See `Bus`. For effects that may be delayed. */
  gatherMs?: number;
  effectTimeoutMs: number;
  /** The base of the delays between attempts, which double with each failure. */
  retryMs?: number | undefined;
};

/** Publishes a message that cannot be handled as a dead letter, with its cause. */
const deadLetter = async (
  { bus, consumer, log }: ConsumerParts,
  message: ReceivedMessage,
  error: unknown,
): Promise<void> => {
  const cause = error instanceof Error ? error.message : String(error);
  log.error({ err: error, topic: message.topic, offset: message.offset }, 'message dead-lettered');
  await bus.publish(deadLetterTopic(consumer), [deadLetterOf(message, cause)]);
};

/** Whether a failure ends by itself: a dependency comes back, or a newer process takes over the partition. */
const isTransient = (error: unknown): boolean => isUnavailable(error) || error instanceof NewerVersion;

/** Retries with growing delays, and without limit after transient failures. Throws after the last failure. */
const retry = async (
  work: () => Promise<unknown>,
  { heartbeat, retryMs = FIRST_DELAY_MS }: { heartbeat: () => Promise<void>; retryMs?: number | undefined },
): Promise<void> => {
  const assertMember = (): Promise<void> =>
    heartbeat().catch((cause: unknown) => {
      throw new PartitionLost('the partition was reassigned', { cause });
    });
  for (let failures = 0; ;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isTransient(error)) failures += 1;
      if (failures === MAX_FAILURES) throw error;
      await assertMember();
      await sleep(Math.min(retryMs * 2 ** failures, MAX_DELAY_MS));
    }
  }
};

const handleMessage = async (
  parts: ConsumerParts,
  message: ReceivedMessage,
  heartbeat: () => Promise<void>,
): Promise<void> => {
  const { consumer, handlers, metrics, effectTimeoutMs, retryMs } = parts;
  const pace = { heartbeat, retryMs };
  const timedOut = (): Error => new Error(`handler timed out after ${effectTimeoutMs / 1000} s`);
  try {
    if (message.unreadable) throw new UnreadableBatchError(message.unreadable.cause);
    const parsed = parseMessage(handlers, message.value);
    if (parsed === null) return;
    const { handler, event } = parsed;
    await inEventSpan({ consumer, message, event }, async () => {
      await retry(() => withTimeout(handler.handle(event), effectTimeoutMs, timedOut), pace);
      failPoint('consumer.after_commit');
      parts.log.info({ type: event.type, eventId: event.id, userId: event.subject }, 'event handled');
    });
    metrics.eventsConsumed.inc({ type: event.type, outcome: 'handled' });
  } catch (error) {
    if (error instanceof PartitionLost) throw error;
    if (error instanceof NewerVersion) {
      parts.log.warn({ topic: message.topic, offset: message.offset }, error.message);
      // Until the partition is reassigned. The events after it wait too, because those of one user keep their order.
      await retry(() => Promise.reject(error), pace);
    }
    await retry(() => deadLetter(parts, message, error), pace);
    metrics.eventsConsumed.inc({ type: message.topic, outcome: 'dead_lettered' });
  }
};

const untilBroker = async (work: () => Promise<void>, log: Log): Promise<void> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt % 20 === 0) log.warn({ err: error }, 'waiting for the broker');
      await sleep(500);
    }
  }
};

/** Creates missing topics, which keep events for EVENT_DAYS; waits until the broker is there. */
export const ensureTopics = (bus: Bus, topics: readonly string[], log: Log): Promise<void> =>
  untilBroker(() => bus.ensureTopics(topics, { keepDays: EVENT_DAYS }), log);

/**
 * Consumes the events that have a handler: those of one user in order, in batches where several are fetched. Events without a
 * handler are skipped. A message that is invalid, or fails five times, is dead-lettered, and so is the position of a batch that cannot be
 * read; consumption continues. An event of a newer version than its handler's waits, with its partition, for a process that knows it.
 */
export const startConsumer = async ({
  effectTimeoutMs = EFFECT_TIMEOUT_MS,
  ...options
}: Omit<ConsumerParts, 'effectTimeoutMs'> & { effectTimeoutMs?: number }): Promise<RunningConsumer> => {
  const parts = { ...options, effectTimeoutMs };
  const { bus, consumer, handlers, log } = parts;
  const topics = [...new Set(handlers.map(({ event }) => event.topic))];
  let running: RunningConsumer | null = null;
  // A process's own group ends with the process, so only a consumer's lasting group is measured.
  if (parts.group === undefined) measureConsumer({ ...parts, topics, runningConsumer: () => running });
  log.info({ events: handlers.map(({ event }) => event.type) }, 'consuming');
  await ensureTopics(bus, topics, log);
  await untilBroker(() => ensureDeadLetters(bus, consumer), log);
  running = await bus.consume({
    group: parts.group ?? consumer,
    topics,
    fromBeginning: parts.fromBeginning ?? true,
    gatherMs: parts.gatherMs,
    onBatch: (messages) => handleBatch(parts, messages),
    onMessage: (message, heartbeat) =>
      handleMessage(parts, message, heartbeat).catch((error: unknown) => {
        throw error instanceof PartitionLost ? error.cause : error; // kafkajs handles the broker's own error
      }),
  });
  return running;
};
