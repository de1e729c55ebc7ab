import { listDueEvents } from './inbox.ts';
import { processEvent, type ProcessParts } from './process-event.ts';

const CHUNK = 200;
/** A run ends after this, whatever is left: with a slow provider each event may take its time, and the next run is near. */
const RUN_MS = 20_000;

/** Events that failed, or that nobody got to before the process ended. */
export const retryInbox = async (parts: ProcessParts): Promise<{ retried: number; failed: number }> => {
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
