import { type ExportJob, QUEUES } from './jobs.ts';
import { databaseNow } from '@shortlist/kit/data/db';
import { createServiceClient } from '@shortlist/kit/http/http-client';
import { createServicePool } from '@shortlist/kit/http/service-pool';
import { createQueue } from '@shortlist/kit/messaging/jobs';
import { createMetrics } from '@shortlist/kit/process/metrics';
import type { Clock } from '@shortlist/kit/process/clock';
import { type Lifecycle, run } from '@shortlist/kit/process/lifecycle';
import { createServiceDb, openService } from '@shortlist/kit/service';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import { createWorker, startJobs } from './app.ts';
import { measureBackups } from './backups/measure-backups.ts';
import { measureVerifications } from './verifications/measure-verifications.ts';
import { readConfig, serviceTokenKeys } from './config.ts';
import { schema } from './db.ts';
import { readPublicKey } from './mail/event-webhook.ts';
import type { MailJob } from './mail/send-mail.ts';
import { createMailProvider, createUnsuppress } from './mail/sendgrid.ts';
import { createUnsubscribeTokens } from './mail/unsubscribe.ts';
import { createReceiver } from './webhooks/receiver.ts';
import type { WebhookJob } from './webhooks/send-webhooks.ts';
import { measureMails, measureProvider } from './mail/sweep-mails.ts';

const openQueues = ({ log, onStop }: Lifecycle, url: string, clock: Clock) => {
  const open = <Data>(name: string) => {
    const queue = createQueue<Data>(name, { url, log, clock });
    onStop(`queue ${name}`, queue.close);
    return queue;
  };
  return {
    mailQueue: open<MailJob>(QUEUES.mail),
    exportQueue: open<ExportJob>(QUEUES.exports),
    webhookQueue: open<WebhookJob>(QUEUES.webhooks),
    maintenanceQueue: open<Record<never, never>>(QUEUES.maintenance),
  };
};

run('worker', {
  env: process.env,
  start: async (lifecycle) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const { log } = lifecycle;
    const db = createServiceDb(config, schema);
    const metrics = createMetrics('worker', config.VERSION);
    const sign = createTokenSigner({ keys: serviceTokenKeys(config), clock });
    const client = (audience: string, url: string) =>
      createServiceClient({ audience, pool: createServicePool(url), sign });
    const account = { key: config.SENDGRID_API_KEY, apiBase: config.MAIL_API_BASE };
    const publicKey = config.SENDGRID_WEBHOOK_PUBLIC_KEY;
    const events = { metrics, eventKey: publicKey === undefined ? null : readPublicKey(publicKey) };
    const provider = createMailProvider({
      ...account,
      from: { email: config.MAIL_FROM, name: config.BRAND },
    });
    const identity = client('identity', config.IDENTITY_URL);
    const queues = openQueues(lifecycle, config.QUEUE_REDIS_URL, clock);
    const receiver = createReceiver({ clock, targets: config.WEBHOOK_TARGETS });
    lifecycle.onStop('webhook connections', receiver.close);
    const called = {
      ...{ db, clock, sharedClock: databaseNow, log, identity },
      credits: client('credits', config.CREDITS_URL),
      unsubscribeTokens: createUnsubscribeTokens(config.WORKER_TOKEN_KEYS),
    };
    await openService(
      { lifecycle, config, clock, db, metrics, tokenKeys: config.WORKER_TOKEN_KEYS },
      createWorker({
        ...called,
        ...queues,
        ...events,
        unsuppress: createUnsuppress(account),
        brand: config.BRAND,
        publicUrl: config.PUBLIC_URL,
      }),
    );
    measureBackups(metrics, db);
    measureVerifications(metrics, db);
    const jobs = {
      count: measureMails(metrics, db),
      ...called,
      ...queues,
      receiver,
      profile: client('profile', config.PROFILE_URL),
      billing: client('billing', config.BILLING_URL),
      provider: measureProvider(metrics, provider),
      brand: config.BRAND,
      publicUrl: config.PUBLIC_URL,
    };
    startJobs(jobs, { url: config.QUEUE_REDIS_URL, metrics }, lifecycle);
  },
});
