import {
  stripeEventEndpoints,
  type StripeEventView,
  type StripeStatus,
} from '@shortlist/contracts/api/system';
import { days } from '@shortlist/contracts/durations';
import { SYSTEM_PAGE } from '@shortlist/contracts/limits';
import { cursorOf } from '@shortlist/kit/data/newest-first';
import type { Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import { maskSecrets } from '@shortlist/kit/process/mask-secrets';
import { replayEvent, replayFailedEvents } from '../inbox/replay-events.ts';
import { readReconciliations } from '../reconcile/queries.ts';
import {
  countEventsSince,
  countUnsettled,
  findEvent,
  findOldestUnsettled,
  listEventsInState,
  type ShownEvent,
} from '../records/event-queries.ts';
import type { RefreshParts } from '../refresh/refresh-subscriber.ts';

type Parts = RefreshParts & {
  /** The calls to Stripe in the present second, and the budget. */
  readCalls: () => Promise<StripeStatus['calls']>;
};

const present = ({ status, lastError, receivedAt, ...event }: ShownEvent): StripeEventView => ({
  ...event,
  state: status,
  error: lastError === null ? null : maskSecrets(lastError),
  receivedAt: receivedAt.toISOString(),
});

const readStatus = async ({ db, clock, readCalls }: Parts): Promise<StripeStatus> => {
  const now = clock().getTime();
  const [unsettled, oldest, today, reconciliation, calls] = await Promise.all([
    countUnsettled(db.manager),
    findOldestUnsettled(db.manager),
    countEventsSince(db.manager, new Date(now - days(1))),
    readReconciliations(db.manager),
    readCalls(),
  ]);
  return {
    events: {
      today: today.received,
      handledToday: today.handled,
      waiting: unsettled.pending,
      failed: unsettled.failed,
      oldestSeconds: oldest === null ? 0 : Math.max(0, Math.round((now - oldest.getTime()) / 1_000)),
    },
    reconciliation,
    calls,
  };
};

/** What the System screen shows of Stripe's webhooks, and has handled again. */
export const addStripeEventEndpoints = (router: Router, parts: Parts): void => {
  const { db } = parts;
  router.add(stripeEventEndpoints.getStripeStatus, async () => ({ data: await readStatus(parts) }));

  router.add(stripeEventEndpoints.listStripeEvents, async ({ input }) => {
    const { limit = SYSTEM_PAGE } = input;
    const events = (await listEventsInState(db.manager, { ...input, limit: limit + 1 })).map(present);
    const page = events.slice(0, limit);
    const last = events.length > limit ? page.at(-1) : undefined;
    const next = last === undefined ? null : cursorOf({ at: last.receivedAt, id: last.eventId });
    return { data: page, next };
  });

  router.add(stripeEventEndpoints.getStripeEvent, async ({ input: { eventId } }) => {
    const event = await findEvent(db.manager, eventId);
    if (event === null) throw createError('billing.event_not_found');
    const { payload, ...shown } = event;
    return { data: { ...present(shown), payload: maskSecrets(payload) } };
  });

  router.add(stripeEventEndpoints.replayStripeEvent, async ({ input: { eventId }, caller }) => ({
    data: await replayEvent(parts, eventId, caller),
  }));

  router.add(stripeEventEndpoints.replayStripeEvents, async ({ caller }) => ({
    data: await replayFailedEvents(parts, caller),
  }));
};
