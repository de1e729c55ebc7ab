import type { ListedEvent } from '../stripe/lists.ts';
import { EVENT_TABLE, isRefreshOnly } from './event-table.ts';
import { findCursor, insertStripeEvent, listStoredEventIds, setCursor, settleEvents } from './queries.ts';
import { repairCustomers, type Run } from './repair-subscriber.ts';

/** Stripe may list events a little late, and clocks differ. */
const OVERLAP_MS = 60 * 60_000;
/** Stripe keeps events for thirty days. */
const EVENT_RETENTION_MS = 29 * 86_400_000;

/** Stripe accepts at most this many types in one list: https://docs.stripe.com/api/events/list */
const TYPES_PER_LIST = 20;

const listsOf = (types: string[]): string[][] =>
  Array.from({ length: Math.ceil(types.length / TYPES_PER_LIST) }, (_, index) =>
    types.slice(index * TYPES_PER_LIST, (index + 1) * TYPES_PER_LIST),
  );

/** Stores events that were never delivered and refreshes their customers. */
const catchUp = async (run: Run, events: ListedEvent[]): Promise<void> => {
  const { db, clock } = run;
  const stored = await listStoredEventIds(
    db.manager,
    events.map(({ eventId }) => eventId),
  );
  const missed = events.filter(({ eventId }) => !stored.has(eventId));
  const receivedAt = clock();
  for (const event of missed) await insertStripeEvent(db.manager, { ...event, receivedAt });
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
export const reconcileEvents = async (run: Run): Promise<void> => {
  const { db, clock, stripe } = run;
  const startedAt = clock();
  const position = await findCursor(db.manager, 'events');
  const earliest = startedAt.getTime() - EVENT_RETENTION_MS;
  const since = new Date(Math.max(earliest, position === null ? 0 : Date.parse(position) - OVERLAP_MS));
  for (const types of listsOf(Object.keys(EVENT_TABLE))) {
    for (let cursor: string | null = null, more = true; more;) {
      const page = await stripe.listEvents({ types, since, cursor });
      await catchUp(run, page.data);
      cursor = page.next;
      more = cursor !== null;
    }
  }
  await setCursor(db.manager, { list: 'events', position: startedAt.toISOString() });
};
