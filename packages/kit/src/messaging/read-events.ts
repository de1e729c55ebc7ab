import type { Db } from '../data/db.ts';
import { selectRows, text } from '../data/sql.ts';
import type { Bus } from './bus.ts';
import { type EventHandlers, type ParsedEvent, parseMessage } from './handle-batch.ts';

/** The events of a topic since an instant. */
type Source = { bus: Bus; since: Date };

const isSince = ({ event }: ParsedEvent, { since }: Source): boolean =>
  Date.parse(event.time) >= since.getTime();

/** Handles the events that a topic has now, without a consumer group; others than those of the handlers are left out. */
export const readEvents = (source: Source, topic: string, handlers: EventHandlers): Promise<void> =>
  source.bus.readAll(topic, async ({ value }) => {
    const parsed = parseMessage(handlers, value);
    if (parsed !== null && isSince(parsed, source)) await parsed.handler.handle(parsed.event);
  });

/** Events compared with the outbox at once. */
const CHUNK = 1_000;

/**
 * Handles the events of a topic of this service that the outbox lacks: what its database lost when it was set back. The outbox keeps events for
 * EVENT_DAYS, so `since` must not be earlier.
 */
export const readLostEvents = async (
  source: Source & { db: Db },
  topic: string,
  handlers: EventHandlers,
): Promise<void> => {
  const { bus, db } = source;
  let events: ParsedEvent[] = [];
  const handleLost = async (): Promise<void> => {
    if (events.length === 0) return;
    const sql = 'SELECT event_id AS id FROM outbox WHERE event_id IN (?)';
    const rows = await selectRows(db, { id: text }, { sql, values: [events.map(({ event }) => event.id)] });
    const stored = new Set(rows.map(({ id }) => id));
    for (const { handler, event } of events) if (!stored.has(event.id)) await handler.handle(event);
    events = [];
  };
  await bus.readAll(topic, async ({ value }) => {
    const parsed = parseMessage(handlers, value);
    if (parsed === null || !isSince(parsed, source)) return;
    if (events.push(parsed) === CHUNK) await handleLost();
  });
  await handleLost();
};
