import type { ListedEvent } from '../stripe/lists.ts';
import { EVENT_TABLE, isRefreshOnly } from './event-table.ts';
import { listEvents } from './list-events.ts';
import { findCursor, insertStripeEvent, listStoredEventIds, setCursor, settleEvents } from './queries.ts';
import { repairCustomers, type Run } from './repair-subscriber.ts';

/** Stripe may list events a little late, and clocks differ. */
const OVERLAP_MS = 60 * 60_000;
/** Stripe keeps events for thirty days. */
const EVENT_RETENTION_MS = 29 * 86_400_000;

/** Stores events that were never delivered and refreshes their customers. */
const catchUp = async (run: Run, events: ListedEvent[]): Promise<void> => {
  const { db, clock } = run;
  const stored = await listStoredEventIds(
    db.manager,
    events.map(({ eventId }) => eventId),
  );
  const missed = events.filter(({ eventId }) => !stored.has(eventId));
  const receivedAt = clock();
  for (const { createdAt: _createdAt, ...event } of missed)
    await insertStripeEvent(db.manager, { ...event, receivedAt });
  const customers = missed.map(({ customerId }) => customerId).filter((id) => id !== null);
  const refreshed = await repairCustomers(run, customers);
  // The retry job processes the rest: of unknown customers, of failed refreshes, and events with an action of their own.
  const settled = missed.filter(({ customerId, type }) => refreshed.has(customerId) && isRefreshOnly(type));
  await settleEvents(
    db.manager,
    settled.map(({ eventId }) => eventId),
    { status: 'done', why: 'found by reconciliation' },
  );
};

/** Lists Stripe's events since the last run and catches up with those that are not stored. */
export const reconcileEvents = async (
  run: Run,
  types: readonly string[] = Object.keys(EVENT_TABLE),
): Promise<void> => {
  const { db, clock, stripe } = run;
  const startedAt = clock();
  const position = await findCursor(db.manager, 'events');
  const earliest = startedAt.getTime() - EVENT_RETENTION_MS;
  const since = new Date(Math.max(earliest, position === null ? 0 : Date.parse(position) - OVERLAP_MS));
  for await (const events of listEvents(stripe, { types, since })) await catchUp(run, events);
  await setCursor(db.manager, { list: 'events', position: startedAt.toISOString() });
};
