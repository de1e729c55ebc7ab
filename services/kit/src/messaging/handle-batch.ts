import type { ReceivedMessage } from './bus.ts';
import { failPoint } from '../process/fail-point.ts';
import { type EventHandler, type EventHandlers, parseMessage } from './event-handlers.ts';
import { handleAllOnce, type HandleOnceContext, type EventEffect } from './inbox.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { inTrace, traceFrom } from '../process/trace.ts';
import { withTimeout } from '../process/timeout.ts';

/** Short, since each may then need its own time, before the member is taken for a silent one. */
const LIMIT_MS = 5_000;

type Parts = { handlers: EventHandlers; log: Log; metrics: Metrics; effectLimitMs: number };
type Line = { together: NonNullable<EventHandler['together']>; event: EventEffect['event'] };

/** The facts in these messages that somebody hears, or null when one of them has to be handled by itself. */
const parseMessages = ({ handlers }: Parts, messages: readonly ReceivedMessage[]): Line[] | null => {
  const lines: Line[] = [];
  for (const { value } of messages) {
    const heard = parseMessage(handlers, value);
    if (heard === null) continue;
    const { handler, event } = heard;
    if (handler.together === undefined) return null;
    lines.push({ together: handler.together, event });
  }
  return lines;
};

/** The one inbox that all of them are noted in, or null. */
const sharedInbox = (lines: readonly Line[]): HandleOnceContext | null => {
  const first = lines[0]?.together.once ?? null;
  return lines.every(({ together }) => together.once === first) ? first : null;
};

const handleEvents = async (parts: Parts, lines: readonly Line[]): Promise<boolean> => {
  const once = sharedInbox(lines);
  if (once === null) return lines.length === 0;
  const effects = lines.map(({ together, event }) => ({
    event,
    effect: (...args: Parameters<EventEffect['effect']>) =>
      inTrace(traceFrom(event.traceparent), () => together.effect(...args)),
  }));
  const { effectLimitMs, log, metrics } = parts;
  const limitMs = Math.min(effectLimitMs, LIMIT_MS);
  await withTimeout(handleAllOnce(once, effects), limitMs, () => new Error('not done in time together'));
  failPoint('consumer.after_commit');
  for (const { event } of lines) {
    log.info({ type: event.type, eventId: event.id, userId: event.subject }, 'heard');
    metrics.eventsConsumed.inc({ type: event.type, outcome: 'handled' });
  }
  return true;
};

/**
 * Hears a run of messages in one transaction: their ids and their effects, all or nothing. Answers false when that cannot be,
 * for whatever reason: one was heard before, cannot be read, or fails. Each is then to be handled by itself, with all its tries.
 */
export const handleBatch = async (parts: Parts, messages: readonly ReceivedMessage[]): Promise<boolean> => {
  try {
    const lines = parseMessages(parts, messages);
    return lines !== null && (await handleEvents(parts, lines));
  } catch (error) {
    parts.log.debug({ err: error, count: messages.length }, 'handled one by one');
    return false;
  }
};
