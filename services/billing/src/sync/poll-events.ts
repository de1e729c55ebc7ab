import { repeat, type Repetition } from '@shortlist/kit/process/clock';
import { EVENT_TABLE } from './event-table.ts';
import type { SyncParts } from './event-action.ts';
import type { Intake } from './intake.ts';
import { listEvents } from './list-events.ts';
import { insertStripeEvent, listStoredEventIds } from './queries.ts';

const POLL_MS = 3_000;
/** The first poll goes back this far; reconciliation reads what is older. */
const FIRST_MS = 60 * 60_000;
/** Stripe may list an event a little after its time. */
const OVERLAP_MS = 60_000;

type Parts = SyncParts & { intake: Intake };

export type Poller = {
  /** Stores the events that arrived since the last poll and processes them like delivered ones. */
  poll: () => Promise<void>;
};

/** Reads Stripe's events instead of receiving them, for a machine that no webhook reaches. */
export const createPoller = ({ db, clock, stripe, intake }: Parts): Poller => {
  let newest = clock().getTime() - FIRST_MS + OVERLAP_MS;
  const store = async (events: Awaited<ReturnType<typeof stripe.listEvents>>['data']): Promise<void> => {
    const stored = await listStoredEventIds(
      db.manager,
      events.map(({ eventId }) => eventId),
    );
    // Oldest first, as Stripe delivers them.
    for (const { createdAt, ...event } of events.filter(({ eventId }) => !stored.has(eventId)).toReversed()) {
      if (await insertStripeEvent(db.manager, { ...event, receivedAt: clock() })) intake.add(event.eventId);
      newest = Math.max(newest, createdAt.getTime());
    }
  };
  return {
    poll: async () => {
      const since = new Date(newest - OVERLAP_MS);
      for await (const events of listEvents(stripe, { types: Object.keys(EVENT_TABLE), since }))
        await store(events);
    },
  };
};

/** Polls now and every few seconds. */
export const startPolling = (parts: Parts, { everyMs = POLL_MS } = {}): Repetition => {
  const poller = createPoller(parts);
  parts.log.info('stripe events are polled; no webhook is needed');
  return repeat(async () => {
    await poller.poll().catch((error: unknown) => parts.log.warn({ err: error }, 'stripe events not polled'));
    return everyMs;
  });
};
