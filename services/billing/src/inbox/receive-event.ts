// A Stripe event from its delivery to its effect: it is verified and stored before the response, and processed afterwards.
import { STRIPE_WEBHOOK_BYTES, STRIPE_WEBHOOK_PATH } from '@shortlist/contracts/api/billing';
import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { failPoint } from '@shortlist/kit/process/fail-point';
import type { Metrics } from '@shortlist/kit/process/metrics';
import express, { type Express } from 'express';
import { inboxAge, inboxEvents, webhooksReceived, webhooksRefused } from '../metrics.ts';
import type { Limits, RefreshParts } from '../refresh/refresh-subscriber.ts';
import {
  chargeOfEvent,
  type DeliveredEvent,
  idOfEventObject,
  type SignatureCheck,
} from '../stripe/stripe-event.ts';
import { closeIntentOfSession } from '../subscriptions/checkout-intent-queries.ts';
import { findCustomerOfCharge, findUserIdByCustomer } from '../subscriptions/queries.ts';
import { EVENT_TABLE, isHandled } from './event-table.ts';
import { endsCheckout, isRefreshOnly } from '../records/event-types.ts';
import {
  countUnsettled,
  findOldestUnsettled,
  findUnsettledEvent,
  insertStripeEvent,
  listDueEvents,
  postponeEvents,
  settleEvents,
  type StoredEvent,
} from '../records/event-queries.ts';

const OTHER_MODE = 'other mode';

type WebhookParts = RefreshParts & {
  checkSignature: SignatureCheck;
  intake: Intake;
  metrics: Metrics;
  /** Whether Stripe's key is for live mode; events of the other mode are stored and ignored. */
  live: boolean;
};

const ignoreReason = ({ livemode, type }: DeliveredEvent, live: boolean): string | null => {
  if (livemode !== live) return OTHER_MODE;
  return isHandled(type) ? null : 'changes no plan';
};

/** Disputes and some refunds name only their charge. Null if the customer is unknown here. */
const customerOf = async (db: Db, { customerId, payload }: DeliveredEvent): Promise<string | null> => {
  const chargeId = customerId === null ? chargeOfEvent(payload) : null;
  return chargeId === null ? customerId : findCustomerOfCharge(db.manager, chargeId);
};

/** Closes the order of a session that can no longer be paid. */
const closeOrder = async (
  db: Db,
  { customerId, payload }: Pick<DeliveredEvent, 'customerId' | 'payload'>,
): Promise<void> => {
  const userId = customerId === null ? null : await findUserIdByCustomer(db.manager, customerId);
  const sessionId = idOfEventObject(payload);
  if (userId !== null && sessionId !== null) await closeIntentOfSession(db.manager, { userId, sessionId });
};

/** Receives Stripe's deliveries: checks the signature, stores a row and responds 2xx, then processes the event. */
export const addWebhook = (
  app: Express,
  { db, clock, log, checkSignature, intake, metrics, live, limits }: WebhookParts,
): void => {
  const refusals = metrics.counter(webhooksRefused);
  const received = metrics.counter(webhooksReceived);
  const verify = (body: Buffer, signature: string | undefined): DeliveredEvent => {
    try {
      return checkSignature(body, signature);
    } catch (error) {
      refusals.inc();
      throw error;
    }
  };
  app.post(
    STRIPE_WEBHOOK_PATH,
    express.raw({ type: () => true, limit: STRIPE_WEBHOOK_BYTES, inflate: false }),
    async (request, response) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const event = verify(body, request.get('stripe-signature'));
      const { livemode: _, ...stored } = event;
      const { eventId, type, payload } = event;
      const ignored = ignoreReason(event, live);
      const customerId = await customerOf(db, event);
      const row = { ...stored, customerId, receivedAt: clock(), ignored, dueInMs: longestHoldMs(limits) };
      const isNew = await insertStripeEvent(db.manager, row);
      received.inc({ type: isHandled(type) ? type : 'other' });
      failPoint('stripe_inbox.after_insert');
      if (isNew && endsCheckout(type)) await closeOrder(db, { customerId, payload });
      response.json({ received: true });
      failPoint('stripe_inbox.after_answer');
      // An operator must fix a webhook endpoint in the wrong mode.
      if (ignored === OTHER_MODE) log.warn({ eventId, type, why: ignored }, 'event ignored');
      else if (isNew && ignored === null) intake.add({ eventId, type, customerId });
      else log.debug({ eventId, ignored }, 'event has no effect');
    },
  );
};

/** Processes stored events after the webhook's response, a few at a time. The retry job processes the rest. */
export type Intake = {
  add: (event: Pick<StoredEvent, 'eventId' | 'type' | 'customerId'>) => void;
  stop: () => Promise<void>;
};

const CONCURRENCY = 4;
/** Beyond this number events stay in their table for the retry job. */
const MAX_WAITING = 1_000;

/** Stripe delivers the events of one change within a second or two. */
const QUIET_MS = 1_000;
const LONGEST_QUIETS = 5;

/** How long an event is held back at most, which the retry job respects. */
export const longestHoldMs = ({ quietMs = QUIET_MS }: Limits = {}): number => LONGEST_QUIETS * quietMs;

/** Holds the events of a customer back until none has arrived for a while, and releases the last: its refresh settles the others. */
const createWindow = (release: (eventId: string) => void, limits: Limits) => {
  const { quietMs = QUIET_MS } = limits;
  const held = new Map<string, { eventId: string; timer: NodeJS.Timeout; since: number }>();
  const end = (customerId: string): void => {
    const known = held.get(customerId);
    if (known === undefined) return;
    clearTimeout(known.timer);
    held.delete(customerId);
    release(known.eventId);
  };
  return {
    hold: (customerId: string, eventId: string): void => {
      const known = held.get(customerId);
      if (known === undefined && held.size >= MAX_WAITING) return;
      clearTimeout(known?.timer);
      const since = known?.since ?? performance.now();
      const waitMs = Math.max(0, Math.min(quietMs, since + longestHoldMs(limits) - performance.now()));
      held.set(customerId, { eventId, timer: setTimeout(() => end(customerId), waitMs), since });
    },
    endAll: (): void => [...held.keys()].forEach(end),
  };
};

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

  const start = (eventId: string): void => {
    if (waiting.length < MAX_WAITING) waiting.push(eventId);
    if (running.size >= CONCURRENCY || stopped) return;
    const run = processWaiting().finally(() => running.delete(run));
    running.add(run);
  };

  const window = createWindow(start, parts.limits ?? {});
  return {
    add: ({ eventId, type, customerId }) => {
      if (stopped) return;
      if (customerId !== null && isRefreshOnly(type)) window.hold(customerId, eventId);
      else start(eventId);
    },
    stop: async () => {
      window.endAll();
      stopped = true;
      await Promise.all(running);
    },
  };
};

type Outcome = 'done' | 'ignored' | 'failed';

const ignore = async ({ db, log }: RefreshParts, event: StoredEvent, why: string): Promise<Outcome> => {
  log.warn({ eventId: event.eventId, type: event.type, why }, 'event ignored');
  await settleEvents(db.manager, [event.eventId], { status: 'ignored', why });
  return 'ignored';
};

/** Runs the action of a stored event. May run at any time, any number of times. */
export const processEvent = async (parts: RefreshParts, eventId: string): Promise<Outcome> => {
  const { db, log } = parts;
  const event = await findUnsettledEvent(db.manager, eventId);
  if (event === null) return 'done'; // settled together with another event
  const action = EVENT_TABLE[event.type];
  if (action === undefined) {
    await settleEvents(db.manager, [eventId], { status: 'ignored', why: 'changes no plan' });
    return 'ignored';
  }
  try {
    const result = await action(parts, event);
    if (result) return await ignore(parts, event, result.ignored);
    await settleEvents(db.manager, [eventId], { status: 'done' });
    return 'done';
  } catch (error) {
    log.warn({ err: error, eventId }, 'event postponed');
    await postponeEvents(db.manager, [eventId], String(error));
    return 'failed';
  }
};

const CHUNK = 200;
/** A run ends after this time, because with a slow Stripe each event may take long, and the next run follows soon. */
const RUN_MS = 20_000;

/** Processes failed events, and events that were pending when a process ended. */
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

/** Adds the number of waiting events, and how long they have waited, to the metrics. */
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
