import type { KeyObject } from 'node:crypto';
import { inTransaction } from '@shortlist/kit/data/db';
import { EXPORT_JOB, type ExportJob, QUEUES } from './jobs.ts';
import { type Clock, repeat } from '@shortlist/kit/process/clock';
import { type JobQueue, startWorker } from '@shortlist/kit/messaging/jobs';
import { measureQueue } from '@shortlist/kit/messaging/measure';
import type { Lifecycle } from '@shortlist/kit/process/lifecycle';
import type { Metrics } from '@shortlist/kit/process/metrics';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import type { Service } from '@shortlist/kit/service';
import { EXPIRED_JOBS } from './bulk/queries.ts';
import { addBulkEndpoints } from './bulk/routes.ts';
import { runBulkJobs } from './bulk/run-jobs.ts';
import { advanceDeletions } from './deletions/delete-due-accounts.ts';
import { advanceUnconfirmed } from './deletions/advance-unconfirmed.ts';
import { sweepExports } from './exports/sweep-exports.ts';
import { addEventWebhook } from './mail/event-webhook.ts';
import { addExampleEndpoints, type ExampleParts } from './mail/example-routes.ts';
import { type MailParts, startMailWorker } from './mail/send-mail.ts';
import { addNewsEndpoints } from './mail/news-routes.ts';
import { addSuppressionEndpoints, type SuppressionParts } from './mail/suppression-routes.ts';
import { OLD_SUPPRESSIONS } from './mail/suppression-queries.ts';
import { sweepMails } from './mail/sweep-mails.ts';
import { addUnsubscribeEndpoint, type UnsubscribeParts } from './mail/unsubscribe.ts';
import { eraseUser } from './erase-user.ts';
import { workerHandlers, type WorkerParts } from './consumers.ts';
import { schema } from './db.ts';
import { EXPIRED_MESSAGES } from './webhooks/queries.ts';
import { addWorkEndpoints } from './status/routes.ts';
import { addTimelineEndpoint } from './timeline/routes.ts';
import { addVerificationEndpoint } from './verifications/routes.ts';
import { addDeliveryEndpoints } from './webhooks/routes.ts';
import { startWebhookWorker, type WebhookParts } from './webhooks/send-webhooks.ts';
import { comparePayers } from './maintenance/compare-payers.ts';
import { sweepWebhooks } from './webhooks/sweep-webhooks.ts';
import { createMaintenance, runExclusively, scheduleMaintenance } from './maintenance/maintenance-jobs.ts';

type MaintenanceQueue = JobQueue<Record<never, never>>;

type Parts = MailParts &
  Pick<WebhookParts, 'receiver' | 'sharedClock' | 'webhookQueue'> & {
    clock: Clock;
    billing: ServiceClient;
    credits: ServiceClient;
    exportQueue: JobQueue<ExportJob>;
    maintenanceQueue: MaintenanceQueue;
  };
/** The Redis of the queues, and where their jobs are counted. */
type Queues = { url: string; metrics: Metrics };

type ServiceParts = WorkerParts &
  SuppressionParts &
  UnsubscribeParts &
  ExampleParts &
  Pick<WebhookParts, 'sharedClock'> & {
    maintenanceQueue: MaintenanceQueue;
    metrics: Metrics;
    eventKey: KeyObject | null;
  };

const queuesOf = ({
  mailQueue: mail,
  maintenanceQueue: maintenance,
  exportQueue: exports,
  webhookQueue: webhooks,
}: Pick<Parts, 'mailQueue' | 'maintenanceQueue' | 'exportQueue' | 'webhookQueue'>) => ({
  mail,
  maintenance,
  exports,
  webhooks,
});

/** worker: emails, exports, webhooks, and the schedule of maintenance. It consumes events and emits none. */
export const createWorker = (parts: ServiceParts): Service => ({
  name: 'worker',
  ...schema,
  handlers: workerHandlers(parts),
  eraseAgain: ({ userId, deletedAt }) => inTransaction(parts.db, (tx) => eraseUser(tx, userId, deletedAt)),
  rawRoutes: (app) => addEventWebhook(app, parts),
  endpoints: (router) => {
    addDeliveryEndpoints(router, parts);
    addSuppressionEndpoints(router, parts);
    addUnsubscribeEndpoint(router, parts);
    addNewsEndpoints(router, parts);
    addExampleEndpoints(router, parts);
    addTimelineEndpoint(router, parts);
    addBulkEndpoints(router, parts);
    addVerificationEndpoint(router, parts);
    addWorkEndpoints(router, { db: parts.db, queues: queuesOf(parts) });
  },
  prune: [...EXPIRED_MESSAGES, ...EXPIRED_JOBS, OLD_SUPPRESSIONS],
  checks: { queue: parts.mailQueue.check },
  descriptions: { queue: parts.mailQueue.describe },
});

/** The queue may lose its schedule, or a clock that jumped may have delayed it. */
const RESCHEDULE_MS = 10_000;
/** Exports that one process writes at a time: each reads from all services and compresses the data. */
const EXPORTS_AT_ONCE = 2;

/** Starts the queue workers for emails, exports, webhooks and maintenance, and maintains the maintenance schedule. */
export const startJobs = (parts: Parts, queue: Queues, lifecycle: Lifecycle): void => {
  const { log, clock, maintenanceQueue } = parts;
  const { metrics } = queue;
  for (const [name, measured] of Object.entries(queuesOf(parts))) measureQueue(metrics, name, measured);
  const jobs = createMaintenance({
    ...parts,
    sweepMails: () => sweepMails(parts),
    sweepExports: () => sweepExports(parts),
    sweepWebhooks: () => sweepWebhooks(parts),
    runBulkJobs: () => runBulkJobs(parts),
    advanceDeletions: () => advanceDeletions(parts),
    advanceUnconfirmed: () => advanceUnconfirmed(parts),
    comparePayers: () => comparePayers(parts),
  });
  const maintenance = runExclusively(parts.db, jobs);
  const mailWorker = startMailWorker(parts, queue);
  const exportWorker = startWorker<ExportJob>(QUEUES.exports, {
    ...queue,
    log,
    clock,
    concurrency: EXPORTS_AT_ONCE,
    handlers: {
      [EXPORT_JOB]: async ({ exportId }) => {
        // Loaded with the first export, as few processes write one: it takes 7 MB.
        const { writeExport } = await import('./exports/write-export.ts');
        await writeExport(parts, exportId);
      },
    },
  });
  const webhookWorker = startWebhookWorker(parts, queue);
  const maintenanceWorker = startWorker<Record<never, never>>(QUEUES.maintenance, {
    ...queue,
    log,
    clock,
    concurrency: Object.keys(maintenance).length,
    handlers: maintenance,
  });
  const scheduling = repeat(async () => {
    const isScheduled = await scheduleMaintenance(maintenanceQueue).then(
      () => true,
      (error: unknown) => log.warn({ err: error }, 'maintenance not scheduled, retrying'),
    );
    return isScheduled ? RESCHEDULE_MS : 1_000;
  });
  // Without waiting for Redis, which may be away.
  lifecycle.onStop('schedule', () => void scheduling.stop());
  lifecycle.onStop('jobs', () =>
    Promise.all([mailWorker.stop(), exportWorker.stop(), webhookWorker.stop(), maintenanceWorker.stop()]),
  );
};
