import { failPoint } from '../process/fail-point.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { withTimeout } from '../process/timeout.ts';
import { inTrace, traceFrom } from '../process/trace.ts';
import type { ReceivedMessage } from './bus.ts';
import { type EventHandler, type EventHandlers, parseMessage } from './event-handlers.ts';
import { createBatchSpans } from './event-spans.ts';
import { type EventEffect, handleAllOnce, type Inbox } from './inbox.ts';

/** Short: after a failed batch each event needs its own time, within one idle timeout of the group member. */
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

/** The events that have a handler, or null when one of them cannot be part of a batch. */
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

/** The inbox that all events share, or null. */
const sharedInbox = (events: readonly BatchedEvent[]): Inbox | null => {
  const first = events[0]?.batch.inbox ?? null;
  return events.every(({ batch }) => batch.inbox === first) ? first : null;
};

const handleEvents = async (parts: Parts, events: readonly BatchedEvent[]): Promise<boolean> => {
  const inbox = sharedInbox(events);
  if (inbox === null) return events.length === 0;
  const { consumer, effectTimeoutMs, log, metrics } = parts;
  const spans = createBatchSpans();
  const effects = events.map(({ batch, event, message }) => ({
    event,
    effect: (...args: Parameters<EventEffect['effect']>) =>
      spans.run({ consumer, message, event }, () => batch.effect(...args)),
  }));
  const timeoutMs = Math.min(effectTimeoutMs, BATCH_TIMEOUT_MS);
  const handling = withTimeout(handleAllOnce(inbox, effects), timeoutMs, () => new Error('batch timed out'));
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
 * Handles messages in one transaction, all or nothing. Returns false when that is not possible: an event was handled before, is
 * invalid, or its effect failed. The caller then handles each by itself, with retries.
 */
export const handleBatch = async (parts: Parts, messages: readonly ReceivedMessage[]): Promise<boolean> => {
  try {
    const events = parseBatch(parts, messages);
    return events !== null && (await handleEvents(parts, events));
  } catch (error) {
    parts.log.debug({ err: error, count: messages.length }, 'batch failed; handling its events one by one');
    return false;
  }
};
