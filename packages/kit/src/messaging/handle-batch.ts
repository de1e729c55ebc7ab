import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import type { Tx } from '../data/db.ts';
import { withTimeout } from '../process/clock.ts';
import { failPoint } from '../process/fail-point.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { inTrace, traceFrom } from '../process/trace.ts';
import type { ReceivedMessage } from './bus.ts';
import { createBatchSpans } from './event-spans.ts';

type Effect = (tx: Tx, event: CloudEvent<never>) => Promise<void>;
export type EventEffect = { event: CloudEvent<never>; effect: Effect };

/**
 * One row of a consumer's table. `batch` is set if several events of one inbox may be handled in one transaction, `notice` if the process only
 * takes notice of them.
 */
export type EventHandler = {
  event: EventType<never>;
  handle: (event: CloudEvent<never>) => Promise<unknown>;
  batch?: { inbox: object; effect: Effect; handleAll: (effects: readonly EventEffect[]) => Promise<void> };
  notice?: (subject: string) => void;
};
export type EventHandlers = readonly EventHandler[];

/** A handler whose effect is idempotent. */
export const on = <Data>(
  event: EventType<Data>,
  handle: (event: CloudEvent<Data>) => Promise<unknown>,
): EventHandler => ({
  event: event as unknown as EventType<never>, // handlers have different data; the schema is checked before each call
  handle,
});

/**
 * A handler that only changes this process's memory and only needs the subject of an event. For events that are fetched together, data
 * validation, spans, time limits and log lines are skipped: they would cost more than the handler.
 */
export const onNotice = <Data>(event: EventType<Data>, notice: (subject: string) => void): EventHandler => ({
  ...on(event, ({ subject }) => Promise.resolve(notice(subject))),
  notice,
});

/** An event of a version that this release does not know yet. A process of the newer release handles it. */
export class NewerVersion extends Error {
  override readonly name = 'NewerVersion';
}

/** A message that can never be handled, however often it is retried. */
class InvalidMessage extends Error {
  override readonly name = 'InvalidMessage';
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidMessage('not JSON', { cause });
  }
};

const isCloudEvent = (value: unknown): value is CloudEvent<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'type' in value &&
  'subject' in value &&
  'data' in value;

/** The parts of a type such as identity.UserRegistered.v1. */
const partsOf = (type: string): { name: string; version: number } => {
  const at = type.lastIndexOf('.v');
  return { name: type.slice(0, at), version: Number(type.slice(at + 2)) };
};

const isNewer = (type: string, known: string): boolean => {
  const [one, other] = [partsOf(type), partsOf(known)];
  return one.name === other.name && one.version > other.version;
};

/** The handler of a type; null if the event is not consumed here. Throws `NewerVersion`, unless the handler needs the subject alone. */
const findHandler = (handlers: EventHandlers, type: string): EventHandler | null => {
  const known = handlers.find(({ event }) => event.type === type);
  if (known !== undefined) return known;
  const ofEarlier = handlers.filter(({ event }) => isNewer(type, event.type));
  const noticing = ofEarlier.find(({ notice }) => notice !== undefined);
  if (noticing === undefined && ofEarlier.length > 0)
    throw new NewerVersion(`${type} is newer than this process`);
  return noticing ?? null;
};

export type ParsedEvent<Data = never> = { handler: EventHandler; event: CloudEvent<Data> };

/** The event in a message and its handler, without validating the data; null without a handler. Throws `NewerVersion`. */
const parseEnvelope = (handlers: EventHandlers, value: string): ParsedEvent<unknown> | null => {
  const event = parseJson(value);
  if (!isCloudEvent(event)) throw new InvalidMessage('not a CloudEvent');
  const handler = findHandler(handlers, event.type);
  return handler && { handler, event };
};

/** The event in a message and its handler; null without a handler. Throws if the event is invalid or of a newer version. */
export const parseMessage = (handlers: EventHandlers, value: string): ParsedEvent | null => {
  const parsed = parseEnvelope(handlers, value);
  if (parsed === null) return null;
  const { handler, event } = parsed;
  if (handler.notice !== undefined) return { handler, event: event as CloudEvent<never> }; // it reads no data
  const result = handler.event.schema.validate(event.data, { stripUnknown: true, convert: false });
  if (result.error) throw new InvalidMessage(result.error.message);
  return { handler, event: { ...event, data: result.value } };
};

/** Short, because after a failed batch each event needs its own time within the group member's idle timeout. */
const BATCH_TIMEOUT_MS = 5_000;

type Parts = {
  consumer: string;
  handlers: EventHandlers;
  log: Log;
  metrics: Metrics;
  effectTimeoutMs: number;
};
type BatchedEvent = {
  batch: NonNullable<EventHandler['batch']>;
  event: EventEffect['event'];
  message: ReceivedMessage;
};

/** Handles messages of which the process only takes notice. Returns false without any effect if one needs another kind of handler. */
const noticeAll = ({ handlers, metrics }: Parts, messages: readonly ReceivedMessage[]): boolean => {
  // Most consumers have no such handler.
  if (!handlers.some(({ notice }) => notice !== undefined)) return false;
  const parsed = messages
    .map(({ value }) => parseEnvelope(handlers, value))
    .filter((message) => message !== null);
  if (parsed.some(({ handler }) => handler.notice === undefined)) return false;
  for (const { handler, event } of parsed) {
    handler.notice?.(event.subject);
    metrics.eventsConsumed.inc({ type: event.type, outcome: 'handled' });
  }
  return true;
};

/** The events that have a handler, or null if one of them cannot be part of a batch. */
const parseBatch = ({ handlers }: Parts, messages: readonly ReceivedMessage[]): BatchedEvent[] | null => {
  const events: BatchedEvent[] = [];
  for (const message of messages) {
    const parsed = parseMessage(handlers, message.value);
    if (parsed === null) continue;
    const { handler, event } = parsed;
    if (handler.batch === undefined) return null;
    events.push({ batch: handler.batch, event, message });
  }
  return events;
};

/** The inbox batch that all events share, or null. */
const sharedBatch = (events: readonly BatchedEvent[]): BatchedEvent['batch'] | null => {
  const first = events[0]?.batch ?? null;
  return events.every(({ batch }) => batch.inbox === first?.inbox) ? first : null;
};

const handleEvents = async (parts: Parts, events: readonly BatchedEvent[]): Promise<boolean> => {
  const shared = sharedBatch(events);
  if (shared === null) return events.length === 0;
  const { consumer, effectTimeoutMs, log, metrics } = parts;
  const spans = createBatchSpans();
  const effects = events.map(({ batch, event, message }) => ({
    event,
    effect: (...args: Parameters<EventEffect['effect']>) =>
      spans.run({ consumer, message, event }, () => batch.effect(...args)),
  }));
  const timeoutMs = Math.min(effectTimeoutMs, BATCH_TIMEOUT_MS);
  const handling = withTimeout(shared.handleAll(effects), timeoutMs, () => new Error('batch timed out'));
  await handling.then(spans.commit, (error: unknown) => {
    spans.fail(error);
    throw error;
  });
  failPoint('consumer.after_commit');
  for (const { event } of events) {
    inTrace(traceFrom(event.traceparent), () =>
      log.info({ type: event.type, eventId: event.id, userId: event.subject }, 'event handled'),
    );
    metrics.eventsConsumed.inc({ type: event.type, outcome: 'handled' });
  }
  return true;
};

/**
 * Handles messages in one transaction, all or nothing. Returns false if an event was handled before, is invalid or unreadable, or its effect
 * failed. The caller then handles each one separately, with retries.
 */
export const handleBatch = async (parts: Parts, messages: readonly ReceivedMessage[]): Promise<boolean> => {
  try {
    if (messages.some(({ unreadable }) => unreadable !== undefined)) return false;
    if (noticeAll(parts, messages)) return true;
    const events = parseBatch(parts, messages);
    return events !== null && (await handleEvents(parts, events));
  } catch (error) {
    parts.log.debug({ err: error, count: messages.length }, 'batch failed; handling its events one by one');
    return false;
  }
};
