import { deliveryEndpoints, TEST_EVENT, webhookEndpoints } from '@shortlist/contracts/api/webhooks';
import { WEBHOOK_LOG_PAGE } from '@shortlist/contracts/limits';
import { inTransaction } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import type { Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { insertMessage } from './messages.ts';
import { findDelivery, insertDeliveries, listDeliveries, markSpread, makeDue } from './queries.ts';
import { enqueueEndpoint, type WebhookParts } from './send-webhooks.ts';

type Parts = Pick<WebhookParts, 'db' | 'clock' | 'sharedClock' | 'log' | 'identity' | 'webhookQueue'>;
type OfEndpoint = { userId: string; endpointId: string };

/** Throws `identity.webhook_not_found` unless the endpoint is the user's and turned on. */
const assertOn = async ({ identity }: Parts, { userId, endpointId }: OfEndpoint): Promise<void> => {
  const { data } = await identity(webhookEndpoints.listTargets, { userId }, asService());
  if (!data.some(({ id }) => id === endpointId)) throw createError('identity.webhook_not_found');
};

/** Stores a test event for one endpoint, whichever events it wants. */
const storeTest = ({ db, sharedClock }: Parts, { userId, endpointId }: OfEndpoint): Promise<void> =>
  inTransaction(db, async (tx) => {
    const messageId = uuidv7();
    const at = await sharedClock(tx);
    await insertMessage(tx, { id: messageId, userId, event: TEST_EVENT, data: {}, at, cause: messageId });
    await insertDeliveries(tx, [{ id: uuidv7(), messageId, endpointId, userId }], at);
    await markSpread(tx, messageId, at);
  });

export const addDeliveryEndpoints = (router: Router, parts: Parts): void => {
  const { db, sharedClock } = parts;

  router.add(deliveryEndpoints.listDeliveries, async ({ input }) => {
    const data = await listDeliveries(db.manager, input);
    const isFull = data.length === WEBHOOK_LOG_PAGE;
    return { data, next: isFull ? (data.at(-1)?.id ?? null) : null };
  });

  router.add(deliveryEndpoints.sendTestEvent, async ({ input }) => {
    await assertOn(parts, input);
    await storeTest(parts, input);
    await enqueueEndpoint(parts, input);
    return { message: 'queued' };
  });

  router.add(deliveryEndpoints.redeliver, async ({ input: { deliveryId: id, ...endpoint } }) => {
    await assertOn(parts, endpoint);
    if ((await findDelivery(db.manager, { id, ...endpoint })) === null)
      throw createError('worker.delivery_not_found');
    if (!(await inTransaction(db, async (tx) => makeDue(tx, id, await sharedClock(tx)))))
      throw createError('worker.delivery_pending');
    await enqueueEndpoint(parts, endpoint);
    return { message: 'queued' };
  });
};
