import type { Db } from '../data/db.ts';
import { selectRow, selectRows, text } from '../data/sql.ts';
import type { Bus } from './bus.ts';
import { type EventHandlers, type ParsedEvent, parseMessage } from './handle-batch.ts';

/** The events of a topic since an instant. */
type Source = { bus: Bus; since: Date };

const isSince = ({ event }: ParsedEvent, { since }: Source): boolean =>
  Date.parse(event.time) >= since.getTime();

const handleEvent = async (source: Source, handlers: EventHandlers, value: string): Promise<void> => {
  const parsed = parseMessage(handlers, value);
  if (parsed !== null && isSince(parsed, source)) await parsed.handler.handle(parsed.event);
};

/** Handles the events that a topic has now, without a consumer group; others than those of the handlers are left out. */
export const readEvents = (source: Source, topic: string, handlers: EventHandlers): Promise<void> =>
  source.bus.readAll(topic, ({ value }) => handleEvent(source, handlers, value));

/** The events of a topic of this service, whose database may have been set back. */
type OwnSource = Source & { db: Db };

const NEWEST = 'SELECT event_id AS id FROM outbox WHERE topic = ? ORDER BY id DESC LIMIT 1';

/**
 * Reads a topic of this service. Returns whether it has everything that was emitted since the instant of the database: it does if it still has
 * the newest event that the outbox knows. Otherwise the broker has lost the topic, or keeps only what is later.
 */
const readOwn = async (
  { db, bus }: OwnSource,
  topic: string,
  onValue: (value: string) => Promise<void>,
): Promise<boolean> => {
  const newest = await selectRow(db, { id: text }, { sql: NEWEST, values: [topic] });
  let isComplete = false;
  await bus.readAll(topic, async ({ value }) => {
    isComplete ||= newest !== null && value.includes(newest.id); // no event names the id of another
    await onValue(value);
  });
  return isComplete;
};

/** As `readEvents`, of a topic of this service. Returns whether the topic has everything that was emitted since the instant of the database. */
export const readOwnEvents = (source: OwnSource, topic: string, handlers: EventHandlers): Promise<boolean> =>
  readOwn(source, topic, (value) => handleEvent(source, handlers, value));

/** Events compared with the outbox at once. */
const CHUNK = 1_000;

/**
 * Handles the events of a topic of this service that the outbox lacks: what its database lost when it was set back. The outbox keeps events for
 * EVENT_DAYS, so `since` must not be earlier. Returns whether the topic has everything that was emitted since the instant of the database.
 */
export const readLostEvents = async (
  source: OwnSource,
  topic: string,
  handlers: EventHandlers,
): Promise<boolean> => {
  const { db } = source;
  let events: ParsedEvent[] = [];
  const handleLost = async (): Promise<void> => {
    if (events.length === 0) return;
    const sql = 'SELECT event_id AS id FROM outbox WHERE event_id IN (?)';
    const rows = await selectRows(db, { id: text }, { sql, values: [events.map(({ event }) => event.id)] });
    const stored = new Set(rows.map(({ id }) => id));
    for (const { handler, event } of events) if (!stored.has(event.id)) await handler.handle(event);
    events = [];
  };
  const isComplete = await readOwn(source, topic, async (value) => {
    const parsed = parseMessage(handlers, value);
    if (parsed === null || !isSince(parsed, source)) return;
    if (events.push(parsed) === CHUNK) await handleLost();
  });
  await handleLost();
  return isComplete;
};
