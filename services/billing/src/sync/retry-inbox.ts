import type { SyncParts } from './event-action.ts';
import { processEvent } from './process-event.ts';
import { listDueEvents } from './queries.ts';

const CHUNK = 200;
/** A run ends after this time: with a slow Stripe each event may take long, and the next run follows soon. */
const RUN_MS = 20_000;

/** Processes events that failed, and events that were pending when a process ended. */
export const retryInbox = async (parts: SyncParts): Promise<{ retried: number; failed: number }> => {
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
