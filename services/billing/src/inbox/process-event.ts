import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { inboxAge, inboxEvents } from '../metrics.ts';
import type { RefreshParts } from '../refresh/refresh-subscriber.ts';
import { describesOtherPrice } from '../stripe/from-stripe.ts';
import { EVENT_TABLE, isRefreshOnly } from './event-table.ts';
import {
  countUnsettled,
  findOldestUnsettled,
  findUnsettledEvent,
  listDueEvents,
  listSubscriptionPayloads,
  listUnsettledOfCustomer,
  postponeEvents,
  settleEvents,
  type StoredEvent,
} from './queries.ts';

type Outcome = 'done' | 'ignored' | 'failed';

const OTHER_PRICE = 'other price';

const ignore = async ({ db, log }: RefreshParts, event: StoredEvent, why: string): Promise<Outcome> => {
  log.warn({ eventId: event.eventId, type: event.type, why }, 'event ignored');
  await settleEvents(db.manager, [event.eventId], { status: 'ignored', why });
  return 'ignored';
};

/** Settles processed events. Those of a subscription at another price changed nothing and are logged as ignored. */
const settle = async ({ db, log }: RefreshParts, eventIds: string[]): Promise<void> => {
  const payloads = await listSubscriptionPayloads(db.manager, eventIds);
  const others = payloads.filter(({ payload }) => describesOtherPrice(payload));
  for (const { eventId, type } of others) log.warn({ eventId, type, why: OTHER_PRICE }, 'event ignored');
  const ignored = others.map(({ eventId }) => eventId);
  await settleEvents(db.manager, ignored, { status: 'ignored', why: OTHER_PRICE });
  const done = eventIds.filter((eventId) => !ignored.includes(eventId));
  await settleEvents(db.manager, done, { status: 'done' });
};

/** The unsettled events that a refresh for `event` settles too. */
const listAlsoSettled = async ({ db }: RefreshParts, event: StoredEvent): Promise<string[]> => {
  if (event.customerId === null || !isRefreshOnly(event.type)) return [];
  const unsettled = await listUnsettledOfCustomer(db.manager, event.customerId);
  return unsettled.filter(({ type }) => isRefreshOnly(type)).map(({ eventId }) => eventId);
};

const runActions = async (parts: RefreshParts, event: StoredEvent): Promise<Outcome> => {
  // Listed before the actions run: an event that arrives meanwhile may describe a change that the snapshot does not contain.
  const settledToo = await listAlsoSettled(parts, event);
  for (const action of EVENT_TABLE[event.type] ?? []) {
    const result = await action(parts, event);
    if (result) return ignore(parts, event, result.ignored);
  }
  await settle(parts, [...new Set([event.eventId, ...settledToo])]);
  return 'done';
};

/** Runs the actions of a stored event. May run at any time, any number of times. */
export const processEvent = async (parts: RefreshParts, eventId: string): Promise<Outcome> => {
  const { db, log } = parts;
  const event = await findUnsettledEvent(db.manager, eventId);
  if (event === null) return 'done'; // settled together with another event
  if (!Object.hasOwn(EVENT_TABLE, event.type)) {
    await settleEvents(db.manager, [eventId], { status: 'ignored', why: 'changes no plan' });
    return 'ignored';
  }
  try {
    return await runActions(parts, event);
  } catch (error) {
    log.warn({ err: error, eventId }, 'event postponed');
    await postponeEvents(db.manager, [eventId], String(error));
    return 'failed';
  }
};

/** Processes stored events after the webhook's response, a few at a time. The retry job processes what it does not reach. */
export type Intake = { add: (eventId: string) => void; stop: () => Promise<void> };

const CONCURRENCY = 4;
/** Beyond this number events stay in their table for the retry job. */
const MAX_WAITING = 1_000;

export const createIntake = (parts: RefreshParts): Intake => {
  const waiting: string[] = [];
  const running = new Set<Promise<void>>();
  let stopped = false;

  const processWaiting = async (): Promise<void> => {
    for (let eventId = waiting.shift(); eventId !== undefined && !stopped; eventId = waiting.shift()) {
      await processEvent(parts, eventId).catch((error: unknown) =>
        parts.log.error({ err: error, eventId }, 'event left to the retry job'),
      );
    }
  };

  return {
    add: (eventId) => {
      if (waiting.length < MAX_WAITING) waiting.push(eventId);
      if (running.size >= CONCURRENCY || stopped) return;
      const run = processWaiting().finally(() => running.delete(run));
      running.add(run);
    },
    stop: async () => {
      stopped = true;
      await Promise.all(running);
    },
  };
};

const CHUNK = 200;
/** A run ends after this time: with a slow Stripe each event may take long, and the next run follows soon. */
const RUN_MS = 20_000;

/** Processes events that failed, and events that were pending when a process ended. */
export const retryInbox = async (parts: RefreshParts): Promise<{ retried: number; failed: number }> => {
  const due = await listDueEvents(parts.db.manager, CHUNK);
  const endAt = performance.now() + RUN_MS;
  let retried = 0;
  let failed = 0;
  for (const { eventId } of due) {
    if (performance.now() > endAt) break;
    retried += 1;
    if ((await processEvent(parts, eventId)) === 'failed') failed += 1;
  }
  return { retried, failed };
};

/** Adds the events of Stripe that wait, and for how long, to the metrics. */
export const measureInbox = (metrics: Metrics, { db, clock }: { db: Db; clock: Clock }): void => {
  metrics.gaugeBy(inboxEvents, async () => {
    const counts = await countUnsettled(db.manager);
    return [
      [{ status: 'pending' }, counts.pending],
      [{ status: 'failed' }, counts.failed],
    ] as const;
  });
  metrics.gauge(inboxAge, async () => {
    const oldest = await findOldestUnsettled(db.manager);
    return oldest === null ? 0 : Math.max(0, (clock().getTime() - oldest.getTime()) / 1_000);
  });
};
