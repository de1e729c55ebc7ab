import { webhookEndpoints } from '@shortlist/contracts/api/webhooks';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  renewSecret,
  type WebhookParts,
} from './change-webhook.ts';
import { recordTry, stopFailing } from './failing-webhooks.ts';
import { listOn, listWebhooks, presentWebhook } from './queries.ts';
import { signingSecrets } from './webhook-secrets.ts';

/** The endpoints that worker calls to send webhooks. */
const addSenderEndpoints = (router: Router, { db, clock, keys }: WebhookParts & { db: Db }): void => {
  router.add(webhookEndpoints.listTargets, async ({ input: { userId } }) => {
    const rows = await listOn(db.manager, userId);
    return {
      data: rows.map((row) => ({
        id: row.id,
        url: row.url,
        events: row.events,
        secrets: signingSecrets(keys, row, clock()),
      })),
    };
  });

  router.add(webhookEndpoints.recordTry, async ({ input: { endpointId, userId, outcome, at } }) => {
    const ended = { id: endpointId, userId, outcome, at: new Date(at), clock };
    await inTransaction(db, (tx) => recordTry(tx, ended));
    return { message: 'recorded' };
  });

  router.add(webhookEndpoints.stopFailingWebhooks, () => stopFailing(db, clock));
};

export const addWebhookEndpoints = (router: Router, parts: WebhookParts & { db: Db }): void => {
  const { db, ...rest } = parts;
  const present = (row: Parameters<typeof presentWebhook>[0]) => presentWebhook(row, rest.clock());
  addSenderEndpoints(router, parts);

  router.add(webhookEndpoints.listWebhooks, async ({ input: { userId } }) => ({
    data: (await listWebhooks(db.manager, userId)).map(present),
  }));

  router.add(webhookEndpoints.createWebhook, async ({ input, caller }) => {
    const { row, secret } = await inTransaction(db, (tx) => createWebhook(tx, { ...input, caller, ...rest }));
    return { data: present(row), secret };
  });

  router.add(webhookEndpoints.changeWebhook, async ({ input, caller }) => {
    const row = await inTransaction(db, (tx) => changeWebhook(tx, { ...input, caller, ...rest }));
    return { data: present(row) };
  });

  router.add(webhookEndpoints.deleteWebhook, async ({ input, caller }) => {
    await inTransaction(db, (tx) => removeWebhook(tx, { ...input, caller, ...rest }));
    return { message: 'deleted' };
  });

  router.add(webhookEndpoints.rotateWebhookSecret, async ({ input, caller }) => {
    const { row, secret } = await inTransaction(db, (tx) => renewSecret(tx, { ...input, caller, ...rest }));
    return { data: present(row), secret };
  });
};
