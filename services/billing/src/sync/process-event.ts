import { describesOtherPrice } from '../stripe/from-stripe.ts';
import type { SyncParts } from './event-action.ts';
import { EVENT_TABLE, isRefreshOnly } from './event-table.ts';
import {
  findUnsettledEvent,
  listSubscriptionPayloads,
  listUnsettledOfCustomer,
  postponeEvents,
  settleEvents,
  type StoredEvent,
} from './queries.ts';

export type Outcome = 'done' | 'ignored' | 'failed';

const OTHER_PRICE = 'other price';

const ignore = async ({ db, log }: SyncParts, event: StoredEvent, why: string): Promise<Outcome> => {
  log.warn({ eventId: event.eventId, type: event.type, why }, 'event ignored');
  await settleEvents(db.manager, [event.eventId], { status: 'ignored', why });
  return 'ignored';
};

/** Settles processed events. Those of a subscription at another price changed nothing and are logged as ignored. */
const settle = async ({ db, log }: SyncParts, eventIds: string[]): Promise<void> => {
  const payloads = await listSubscriptionPayloads(db.manager, eventIds);
  const others = payloads.filter(({ payload }) => describesOtherPrice(payload));
  for (const { eventId, type } of others) log.warn({ eventId, type, why: OTHER_PRICE }, 'event ignored');
  const ignored = others.map(({ eventId }) => eventId);
  await settleEvents(db.manager, ignored, { status: 'ignored', why: OTHER_PRICE });
  const done = eventIds.filter((eventId) => !ignored.includes(eventId));
  await settleEvents(db.manager, done, { status: 'done' });
};

/** The unsettled events that a refresh for `event` settles too. */
const listAlsoSettled = async ({ db }: SyncParts, event: StoredEvent): Promise<string[]> => {
  if (event.customerId === null || !isRefreshOnly(event.type)) return [];
  const unsettled = await listUnsettledOfCustomer(db.manager, event.customerId);
  return unsettled.filter(({ type }) => isRefreshOnly(type)).map(({ eventId }) => eventId);
};

const runActions = async (parts: SyncParts, event: StoredEvent): Promise<Outcome> => {
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
export const processEvent = async (parts: SyncParts, eventId: string): Promise<Outcome> => {
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
