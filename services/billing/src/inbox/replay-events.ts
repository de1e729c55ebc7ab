import { setTimeout as sleep } from 'node:timers/promises';
import { recordAdminChange } from '@shortlist/audit/audit-log';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import type { ReplayedEvents } from '@shortlist/contracts/api/system';
import { seconds } from '@shortlist/contracts/durations';
import { inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import { findEvent, listFailedIds, listFailedIdsUntil, reopenEvents } from '../records/event-queries.ts';
import type { RefreshParts } from '../refresh/refresh-subscriber.ts';
import { processEvent } from './receive-event.ts';

/** An admin waits this long at most; what is left is due for the retry job. */
const REPLAY_MS = seconds(3);
/** As many as the retry job takes in a run. */
const REPLAYED_MAX = 200;

/** Opens the selected events again and records it, then handles them in the order in which they came. */
const replay = async (
  parts: RefreshParts,
  caller: Caller,
  select: (tx: Tx) => Promise<string[]>,
): Promise<ReplayedEvents> => {
  const { db, clock } = parts;
  const events = await inTransaction(db, async (tx) => {
    const selected = await select(tx);
    if (selected.length === 0) return selected;
    await reopenEvents(tx, selected);
    await recordAdminChange(tx, {
      action: 'system.replay_webhook',
      targetId: SYSTEM_ACTOR_ID,
      after: { events: selected.join(', ') },
      caller,
      clock,
    });
    return selected;
  });
  const endAt = performance.now() + REPLAY_MS;
  const result = { done: 0, failed: 0, left: events.length };
  const handleAll = async (): Promise<void> => {
    for (const eventId of events) {
      if (performance.now() > endAt) return;
      const outcome = await processEvent(parts, eventId);
      result[outcome === 'failed' ? 'failed' : 'done'] += 1;
      result.left -= 1;
    }
  };
  // One event may take longer than the admin waits, and is handled to its end.
  await Promise.race([handleAll(), sleep(REPLAY_MS, undefined, { ref: false })]);
  return { ...result };
};

/** Handles one event again, even one that was handled, after those of its customer that failed before it. */
export const replayEvent = (parts: RefreshParts, eventId: string, caller: Caller): Promise<ReplayedEvents> =>
  replay(parts, caller, async (tx) => {
    const event = await findEvent(tx, eventId);
    if (event === null) throw createError('billing.event_not_found');
    // Such as one of the other mode, about an object that this account does not have.
    if (event.status === 'ignored') throw createError('billing.event_ignored');
    const { customerId, receivedAt } = event;
    const earlier = customerId === null ? [] : await listFailedIdsUntil(tx, customerId, receivedAt);
    return [...earlier.filter((id) => id !== eventId), eventId];
  });

export const replayFailedEvents = (parts: RefreshParts, caller: Caller): Promise<ReplayedEvents> =>
  replay(parts, caller, (tx) => listFailedIds(tx, REPLAYED_MAX));
