import type { Log } from '@shortlist/kit/process/log';
import { findUserIdByCustomer } from '../subscriptions/queries.ts';
import { refreshSubscriber, type RefreshParts } from '../subscriptions/refresh-subscriber.ts';
import {
  findStripeEvent,
  listToldSubscriptions,
  listWaitingOfCustomer,
  postponeEvents,
  settleEvents,
  type StoredEvent,
} from './inbox.ts';
import { tellsOfOtherPrice } from './from-stripe.ts';
import { PLAN_EVENTS } from './webhook-table.ts';

export type ProcessParts = RefreshParts & { log: Log };
export type Outcome = 'done' | 'ignored' | 'failed';

const WAIT_MS = 2_000;
const OTHER_PRICE = 'other price';

const ignore = async ({ db, log }: ProcessParts, event: StoredEvent, why: string): Promise<Outcome> => {
  log.warn({ eventId: event.eventId, type: event.type, why }, 'event ignored');
  await settleEvents(db.manager, [event.eventId], { status: 'ignored', why });
  return 'ignored';
};

/** Marks what was worked off; what told of something that we do not sell changed nothing, and an operator hears of it. */
const settle = async ({ db, log }: ProcessParts, eventIds: string[]): Promise<void> => {
  const told = await listToldSubscriptions(db.manager, eventIds);
  const others = told.filter(({ payload }) => tellsOfOtherPrice(payload));
  for (const { eventId, type } of others) log.warn({ eventId, type, why: OTHER_PRICE }, 'event ignored');
  const ignored = others.map(({ eventId }) => eventId);
  await settleEvents(db.manager, ignored, { status: 'ignored', why: OTHER_PRICE });
  const done = eventIds.filter((eventId) => !ignored.includes(eventId));
  await settleEvents(db.manager, done, { status: 'done' });
};

const refresh = async (parts: ProcessParts, event: StoredEvent, userId: string): Promise<Outcome> => {
  const { db, log } = parts;
  // Taken before the reading: an event that comes while we read may tell of something that we did not see.
  const settled = await listWaitingOfCustomer(db.manager, event.customerId ?? '');
  try {
    await refreshSubscriber(parts, userId, { by: 'stripe', reason: event.type, waitMs: WAIT_MS });
    await settle(parts, settled);
    return 'done';
  } catch (error) {
    log.warn({ err: error, eventId: event.eventId }, 'event postponed');
    await postponeEvents(db.manager, [event.eventId], String(error));
    return 'failed';
  }
};

/** What a stored event leads to. Safe to run at any time, any number of times. */
export const processEvent = async (parts: ProcessParts, eventId: string): Promise<Outcome> => {
  const event = await findStripeEvent(parts.db.manager, eventId);
  if (event === null) return 'done'; // settled together with another
  if (!PLAN_EVENTS.has(event.type)) {
    await settleEvents(parts.db.manager, [eventId], { status: 'ignored', why: 'changes no plan' });
    return 'ignored';
  }
  if (event.customerId === null) return ignore(parts, event, 'names no customer');
  const userId = await findUserIdByCustomer(parts.db.manager, event.customerId);
  if (userId === null) return ignore(parts, event, 'unknown customer');
  return refresh(parts, event, userId);
};
