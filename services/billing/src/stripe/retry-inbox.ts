import { listDueEvents } from './inbox.ts';
import { processEvent, type ProcessParts } from './process-event.ts';

const CHUNK = 200;

/** Events that failed, or that nobody got to before the process ended. */
export const retryInbox = async (parts: ProcessParts): Promise<{ retried: number; failed: number }> => {
  const due = await listDueEvents(parts.db.manager, CHUNK);
  let failed = 0;
  for (const { eventId } of due) {
    if ((await processEvent(parts, eventId)) === 'failed') failed += 1;
  }
  return { retried: due.length, failed };
};
