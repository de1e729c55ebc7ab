import { seconds } from '@shortlist/contracts/durations';
import { listDueEndpoints, listUnspread } from './queries.ts';
import { enqueueEndpoint, SPREAD_JOB, type WebhookParts } from './send-webhooks.ts';

/** The age at which a message without deliveries counts as lost. */
const LOST_MS = seconds(5);
/** Messages and endpoints that one run enqueues. */
const CHUNK = 500;

/**
 * Enqueues jobs for messages whose jobs were lost, and for endpoints with a due delivery. The tables determine what is sent; the queue only
 * speeds it up.
 */
export const sweepWebhooks = async (
  parts: Pick<WebhookParts, 'db' | 'clock' | 'sharedClock' | 'log' | 'webhookQueue'>,
): Promise<void> => {
  const { db, sharedClock, webhookQueue } = parts;
  const now = await sharedClock(db.manager);
  for (const messageId of await listUnspread(db.manager, new Date(now.getTime() - LOST_MS), CHUNK))
    await webhookQueue.add(SPREAD_JOB, { messageId }, { id: `${messageId}-${now.getTime()}` });
  for (const endpoint of await listDueEndpoints(db.manager, now, CHUNK))
    await enqueueEndpoint(parts, endpoint);
};
