import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus, Consumption, HeardMessage } from './bus.ts';
import { deadLetterOf, deadLetterTopic, ensureDeadLetters } from './dead-letters.ts';
import { isUnavailable } from './errors.ts';
import { failPoint } from './fail-point.ts';
import { type Hearings, readMessage } from './hearings.ts';
import { hearTogether } from './hear-together.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { inTrace, traceFrom } from './trace.ts';
import { within } from './within.ts';

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
  hearer: string;
  hearings: Hearings;
  log: Log;
  metrics: Metrics;
  group?: string;
  fromBeginning?: boolean;
  effectLimitMs: number;
};

/** Where a message that cannot be handled waits for a person, with the reason beside it. */
const park = async (
  { bus, hearer, log }: ConsumerParts,
  message: HeardMessage,
  error: unknown,
): Promise<void> => {
  const cause = error instanceof Error ? error.message : String(error);
  log.error({ err: error, topic: message.topic, offset: message.offset }, 'parked in dead letters');
  await bus.publish(deadLetterTopic(hearer), [deadLetterOf(message, cause)]);
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
  within(effect, limitMs, () => new Error(`not done in ${limitMs / 1000} s`));

const handle = async (
  parts: ConsumerParts,
  message: HeardMessage,
  heartbeat: () => Promise<void>,
): Promise<void> => {
  const { hearings, metrics, effectLimitMs } = parts;
  try {
    const known = readMessage(hearings, message.value);
    if (known === null) return;
    const { hearing, fact } = known;
    await inTrace(traceFrom(fact.traceparent), async () => {
      await tryHard(() => inTime(hearing.hear(fact), effectLimitMs), heartbeat);
      failPoint('consumer.after_commit');
      parts.log.info({ type: fact.type, eventId: fact.id, userId: fact.subject }, 'heard');
    });
    metrics.factsHeard.inc({ type: fact.type, outcome: 'handled' });
  } catch (error) {
    if (error instanceof PartitionLost) throw error;
    await tryHard(() => park(parts, message, error), heartbeat);
    metrics.factsHeard.inc({ type: message.topic, outcome: 'parked' });
  }
};

/**
 * Hears the facts of `hearings`, those of one person in order, and where many wait several at a time. A fact of an unknown type is passed over; one that
 * cannot be read, or fails five times, is parked and the rest go on.
 */
export const startConsumer = async ({
  effectLimitMs = EFFECT_LIMIT_MS,
  ...given
}: Omit<ConsumerParts, 'effectLimitMs'> & { effectLimitMs?: number }): Promise<Consumption> => {
  const parts = { ...given, effectLimitMs };
  const { bus, hearer, hearings, log } = parts;
  const topics = [...new Set(hearings.map(({ fact }) => fact.topic))];
  log.info({ hears: hearings.map(({ fact }) => fact.type) }, 'hears');
  await ensureTopics(bus, topics, log);
  await untilBroker(() => ensureDeadLetters(bus, hearer), log);
  return bus.consume({
    group: parts.group ?? hearer,
    topics,
    fromBeginning: parts.fromBeginning ?? true,
    onBatch: (messages) => hearTogether(parts, messages),
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
