import { hours, minutes } from '@shortlist/contracts/durations';
import { repeat, type Repetition } from '@shortlist/kit/process/clock';
import type { RefreshParts } from '../refresh/refresh-subscriber.ts';
import type { StripeGateway } from '../stripe/gateway.ts';
import type { ListedEvent } from '../stripe/lists.ts';
import { EVENT_TABLE } from './event-table.ts';
import { type Intake, longestHoldMs } from './receive-event.ts';
import { insertStripeEvent, listStoredEventIds } from '../records/event-queries.ts';

/** Stripe refuses to list more types than this at once. */
const MAX_TYPES = 20;

const inLists = (types: readonly string[]): string[][] =>
  types.length === 0 ? [] : [types.slice(0, MAX_TYPES), ...inLists(types.slice(MAX_TYPES))];

type Filter = { types: readonly string[]; since: Date };

/** Yields Stripe's events of these types, page by page; each list of types is newest first. */
export async function* listEvents(
  stripe: Pick<StripeGateway, 'listEvents'>,
  { types, since }: Filter,
): AsyncGenerator<ListedEvent[]> {
  for (const list of inLists(types)) {
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<StripeGateway['listEvents']>> = await stripe.listEvents({
        types: list,
        since,
        cursor,
      });
      yield page.data;
      cursor = page.next;
    } while (cursor !== null);
  }
}

const POLL_MS = 3_000;
/** How far back the first poll reads; reconciliation reads older events. */
const FIRST_MS = hours(1);
/** Stripe may list an event a little after its time. */
const OVERLAP_MS = minutes(1);

type Parts = RefreshParts & { intake: Intake };

type Poller = {
  /** Stores the events that arrived since the last poll and processes them like delivered ones. */
  poll: () => Promise<void>;
};

/** Polls Stripe's events, for a machine that webhooks cannot reach. */
export const createPoller = ({ db, clock, stripe, intake, limits }: Parts): Poller => {
  let newest = clock().getTime() - FIRST_MS + OVERLAP_MS;
  const store = async (events: Awaited<ReturnType<typeof stripe.listEvents>>['data']): Promise<void> => {
    const stored = await listStoredEventIds(
      db.manager,
      events.map(({ eventId }) => eventId),
    );
    // Oldest first, as Stripe delivers them.
    for (const event of events.filter(({ eventId }) => !stored.has(eventId)).toReversed()) {
      const row = { ...event, receivedAt: clock(), dueInMs: longestHoldMs(limits) };
      if (await insertStripeEvent(db.manager, row)) intake.add(event);
      newest = Math.max(newest, event.createdAt.getTime());
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
