import { QUEUES } from './jobs.ts';
import { createServiceClient } from '@shortlist/kit/http/http-client';
import { createServicePool } from '@shortlist/kit/http/service-pool';
import { createQueue } from '@shortlist/kit/messaging/jobs';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { run } from '@shortlist/kit/process/lifecycle';
import { createServiceDb, openService } from '@shortlist/kit/service';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import { startJobs } from './app.ts';
import { readConfig, serviceTokenKeys } from './config.ts';
import { workerHandlers } from './consumers.ts';
import { schema } from './db.ts';
import type { ExportJob } from './exports/write-export.ts';
import { createMailProvider, type MailJob } from './mail/send-mail.ts';
import { measureMails, measureProvider } from './mail/sweep-mails.ts';

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
    const provider = createMailProvider({
      key: config.SENDGRID_API_KEY,
      apiBase: config.MAIL_API_BASE,
      from: { email: config.MAIL_FROM, name: config.BRAND },
    });
    const identity = client('identity', config.IDENTITY_URL);
    const queue = createQueue<MailJob>(QUEUES.mail, { url: config.QUEUE_REDIS_URL, log, clock });
    lifecycle.onStop('mail queue', queue.close);
    const exportQueue = createQueue<ExportJob>(QUEUES.exports, { url: config.QUEUE_REDIS_URL, log, clock });
    lifecycle.onStop('export queue', exportQueue.close);
    await openService(
      { lifecycle, config, clock, db, metrics },
      {
        name: 'worker',
        ...schema,
        handlers: workerHandlers({ db, clock, log, queue, exportQueue, identity }),
        checks: { queue: queue.check },
      },
    );
    startJobs({
      lifecycle,
      metrics,
      count: measureMails(metrics, db),
      db,
      clock,
      log,
      queue,
      exportQueue,
      queueUrl: config.QUEUE_REDIS_URL,
      identity,
      profile: client('profile', config.PROFILE_URL),
      billing: client('billing', config.BILLING_URL),
      credits: client('credits', config.CREDITS_URL),
      provider: measureProvider(metrics, provider),
      brand: config.BRAND,
      publicUrl: config.PUBLIC_URL,
    });
  },
});
