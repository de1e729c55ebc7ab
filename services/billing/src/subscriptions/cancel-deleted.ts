import type { ProcessParts } from '../stripe/process-event.ts';
import { listUncanceledDeleted } from './queries.ts';
import { refreshSubscriber } from './refresh-subscriber.ts';

const WAIT_MS = 2_000;

/** Ends the provider's subscription of a person who is gone: reading a customer who is gone ends what goes on. */
export const cancelDeletedUser = async (parts: ProcessParts, userId: string): Promise<void> => {
  await refreshSubscriber(parts, userId, { by: 'deletion', reason: 'user deleted', waitMs: WAIT_MS });
};

/** The same for all whose subscription could not be ended when they went. What cannot be ended now is found again. */
export const cancelDeleted = async (parts: ProcessParts): Promise<void> => {
  for (const userId of await listUncanceledDeleted(parts.db.manager)) {
    await cancelDeletedUser(parts, userId).catch((error: unknown) =>
      parts.log.warn({ err: error, userId }, 'not canceled yet'),
    );
  }
};
