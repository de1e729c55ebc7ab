import { setTimeout as sleep } from 'node:timers/promises';
import type { Fact, FactType } from '@shortlist/contracts/events/define';
import type { Bus, Consumption, HeardMessage } from './bus.ts';
import type { Clock } from './clock.ts';
import type { Db, Tx } from './db.ts';
import { deadLetterOf, deadLetterTopic, ensureDeadLetters } from './dead-letters.ts';
import { isUnavailable } from './errors.ts';
import { failPoint } from './fail-point.ts';
import { handleOnce } from './inbox.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { inTrace, traceFrom } from './trace.ts';
import { within } from './within.ts';

type Hearing = { fact: FactType<never>; hear: (fact: Fact<never>) => Promise<unknown> };
export type Hearings = readonly Hearing[];

const TRIES = 5;
const FIRST_PAUSE_MS = 100;
/**
 * An effect that takes longer is counted as failed. It must be shorter than a broker's patience with a silent member, or one
 * effect that never ends would cost the member its partitions, over and over.
 */
const EFFECT_LIMIT_MS = 20_000;

/** A line of a service's table of what it hears, for an effect that may be repeated without harm. */
export const hear = <Data>(
  fact: FactType<Data>,
  effect: (fact: Fact<Data>) => Promise<unknown>,
): Hearing => ({
  fact: fact as unknown as FactType<never>, // the table holds hearings of different data; each schema is checked before its effect
  hear: effect,
});

/** A line for an effect on the database: written once, in one transaction with the fact's id. */
export const hearOnce =
  (once: { db: Db; hearer: string; clock: Clock }) =>
  <Data>(fact: FactType<Data>, effect: (tx: Tx, fact: Fact<Data>) => Promise<void>): Hearing =>
    hear(fact, (heard) => handleOnce(once, heard, effect));

/** Why a message can never be understood, however often it is tried. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Unreadable('not JSON', { cause });
  }
};

/** The partition was taken from us: whoever has it now hears the message, so we do nothing more with it. */
class PartitionLost extends Error {
  override readonly name = 'PartitionLost';
}

const isFact = (value: unknown): value is Fact<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'type' in value &&
  'subject' in value &&
  'data' in value;

const read = (hearings: Hearings, value: string): { hearing: Hearing; fact: Fact<never> } | null => {
  const fact = parseJson(value);
  if (!isFact(fact)) throw new Unreadable('not a CloudEvent');
  const hearing = hearings.find((candidate) => candidate.fact.type === fact.type);
  if (hearing === undefined) return null;
  const result = hearing.fact.schema.validate(fact.data, { stripUnknown: true, convert: false });
  if (result.error) throw new Unreadable(result.error.message);
  return { hearing, fact: { ...fact, data: result.value } };
};

type ConsumerParts = {
  bus: Bus;
  hearer: string;
  hearings: Hearings;
  log: Log;
  metrics: Metrics;
  group?: string;
  fromBeginning?: boolean;
  effectLimitMs?: number;
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
  const { hearings, metrics, effectLimitMs = EFFECT_LIMIT_MS } = parts;
  try {
    const known = read(hearings, message.value);
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
 * Hears the facts of `hearings`, those of one person in order. A fact of an unknown type is passed over; one that
 * cannot be read, or fails five times, is parked and the rest go on.
 */
export const startConsumer = async (parts: ConsumerParts): Promise<Consumption> => {
  const { bus, hearer, hearings, log } = parts;
  const topics = [...new Set(hearings.map(({ fact }) => fact.topic))];
  log.info({ hears: hearings.map(({ fact }) => fact.type) }, 'hears');
  await ensureTopics(bus, topics, log);
  await untilBroker(() => ensureDeadLetters(bus, hearer), log);
  return bus.consume({
    group: parts.group ?? hearer,
    topics,
    fromBeginning: parts.fromBeginning ?? true,
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
