import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus, RunningConsumer, ReceivedMessage } from './bus.ts';
import { deadLetterOf, deadLetterTopic, ensureDeadLetters } from './dead-letters.ts';
import { isUnavailable } from '../process/errors.ts';
import { failPoint } from '../process/fail-point.ts';
import { type EventHandlers, parseMessage } from './event-handlers.ts';
import { handleBatch } from './handle-batch.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { inTrace, traceFrom } from '../process/trace.ts';
import { withTimeout } from '../process/timeout.ts';

const TRIES = 5;
const FIRST_PAUSE_MS = 100;
/**
 * An effect that takes longer is counted as failed. It must be shorter than the patience with a silent member, or one
 * effect that never ends would cost the member its partitions, over and over.
 */
const EFFECT_LIMIT_MS = 20_000;

/** The partition was taken from us: whoever has it now hears the message, so we do nothing more with it. */
class PartitionLost extends Error {
  override readonly name = 'PartitionLost';
}

type ConsumerParts = {
  bus: Bus;
  consumer: string;
  handlers: EventHandlers;
  log: Log;
  metrics: Metrics;
  group?: string;
  fromBeginning?: boolean;
  effectLimitMs: number;
};

/** Where a message that cannot be handled waits for a person, with the reason beside it. */
const deadLetter = async (
  { bus, consumer, log }: ConsumerParts,
  message: ReceivedMessage,
  error: unknown,
): Promise<void> => {
  const cause = error instanceof Error ? error.message : String(error);
  log.error({ err: error, topic: message.topic, offset: message.offset }, 'parked in dead letters');
  await bus.publish(deadLetterTopic(consumer), [deadLetterOf(message, cause)]);
};

/** Tries with growing pauses; waits without counting while a part we stand on is away. Throws after the last try. */
const tryHard = async (work: () => Promise<unknown>, heartbeat: () => Promise<void>): Promise<void> => {
  const beat = (): Promise<void> =>
    heartbeat().catch((cause: unknown) => {
      throw new PartitionLost('the partition was taken away', { cause });
    });
  for (let failures = 0; ;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isUnavailable(error)) failures += 1;
      if (failures === TRIES) throw error;
      await beat();
      await sleep(Math.min(FIRST_PAUSE_MS * 2 ** failures, 2_000));
    }
  }
};

/** An effect that does not end is a failed one: it is tried again and parked, and the rest go on. */
const inTime = (effect: Promise<unknown>, limitMs: number): Promise<unknown> =>
  withTimeout(effect, limitMs, () => new Error(`not done in ${limitMs / 1000} s`));

const handle = async (
  parts: ConsumerParts,
  message: ReceivedMessage,
  heartbeat: () => Promise<void>,
): Promise<void> => {
  const { handlers, metrics, effectLimitMs } = parts;
  try {
    const known = parseMessage(handlers, message.value);
    if (known === null) return;
    const { handler, event } = known;
    await inTrace(traceFrom(event.traceparent), async () => {
      await tryHard(() => inTime(handler.on(event), effectLimitMs), heartbeat);
      failPoint('consumer.after_commit');
      parts.log.info({ type: event.type, eventId: event.id, userId: event.subject }, 'heard');
    });
    metrics.eventsConsumed.inc({ type: event.type, outcome: 'handled' });
  } catch (error) {
    if (error instanceof PartitionLost) throw error;
    await tryHard(() => deadLetter(parts, message, error), heartbeat);
    metrics.eventsConsumed.inc({ type: message.topic, outcome: 'parked' });
  }
};

/**
 * Hears the facts of `hearings`, those of one person in order, and where many wait several at a time. A fact of an unknown type is passed over; one that
 * cannot be read, or fails five times, is parked and the rest go on.
 */
export const startConsumer = async ({
  effectLimitMs = EFFECT_LIMIT_MS,
  ...given
}: Omit<ConsumerParts, 'effectLimitMs'> & { effectLimitMs?: number }): Promise<RunningConsumer> => {
  const parts = { ...given, effectLimitMs };
  const { bus, consumer, handlers, log } = parts;
  const topics = [...new Set(handlers.map(({ event }) => event.topic))];
  log.info({ consumes: handlers.map(({ event }) => event.type) }, 'hears');
  await ensureTopics(bus, topics, log);
  await untilBroker(() => ensureDeadLetters(bus, consumer), log);
  return bus.consume({
    group: parts.group ?? consumer,
    topics,
    fromBeginning: parts.fromBeginning ?? true,
    onBatch: (messages) => handleBatch(parts, messages),
    onMessage: (message, heartbeat) =>
      handle(parts, message, heartbeat).catch((error: unknown) => {
        throw error instanceof PartitionLost ? error.cause : error; // the broker's own words tell its client what to do
      }),
  });
};

const untilBroker = async (ask: () => Promise<void>, log: Log): Promise<void> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt % 20 === 0) log.warn({ err: error }, 'waiting for the broker');
      await sleep(500);
    }
  }
};

/** Creates topics that are missing; waits for a broker that is away. */
export const ensureTopics = (bus: Bus, topics: string[], log: Log): Promise<void> =>
  untilBroker(() => bus.ensureTopics(topics), log);
