import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { toolEndpoints } from '@shortlist/contracts/api/connected-apps';
import { webhookEndpoints } from '@shortlist/contracts/api/webhooks';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { minutes, seconds } from '@shortlist/contracts/durations';
import { MAINTENANCE_JOBS, type MaintenanceJob } from '../jobs.ts';
import type { Db } from '@shortlist/kit/data/db';
import { withLock } from '@shortlist/kit/data/named-lock';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { JobQueue } from '@shortlist/kit/messaging/jobs';
import type { Log } from '@shortlist/kit/process/log';

type Services = {
  identity: ServiceClient;
  profile: ServiceClient;
  billing: ServiceClient;
  credits: ServiceClient;
};
/** worker's own jobs. */
type OwnJobs = Record<
  | 'sweepMails'
  | 'sweepExports'
  | 'sweepWebhooks'
  | 'runBulkJobs'
  | 'advanceDeletions'
  | 'advanceUnconfirmed'
  | 'comparePayers',
  () => Promise<void>
>;
type Parts = Services & OwnJobs & { log: Log };

/** The interval of each job. The owning service finds what is due, so a missed or repeated run makes no difference. */
const SCHEDULE: Record<MaintenanceJob, { every: number }> = {
  [MAINTENANCE_JOBS.resetCredits]: { every: minutes(1) },
  [MAINTENANCE_JOBS.releaseCredits]: { every: minutes(1) },
  // Limits how long a lost webhook goes unnoticed: a run reads Stripe's newest events and some pages of subscriptions.
  [MAINTENANCE_JOBS.reconcileStripe]: { every: seconds(30) },
  [MAINTENANCE_JOBS.retryStripeInbox]: { every: seconds(5) },
  [MAINTENANCE_JOBS.endDuePlans]: { every: seconds(30) },
  [MAINTENANCE_JOBS.warnOfCards]: { every: minutes(15) },
  [MAINTENANCE_JOBS.sweepPictures]: { every: minutes(15) },
  [MAINTENANCE_JOBS.sweepMails]: { every: seconds(5) },
  [MAINTENANCE_JOBS.sweepExports]: { every: seconds(30) },
  [MAINTENANCE_JOBS.sweepWebhooks]: { every: seconds(5) },
  // How long a new job waits at most. A run ends after some seconds of work, so that a process can stop.
  [MAINTENANCE_JOBS.runBulkJobs]: { every: seconds(2) },
  [MAINTENANCE_JOBS.endDisabledConnections]: { every: seconds(5) },
  [MAINTENANCE_JOBS.stopFailingWebhooks]: { every: minutes(15) },
  // Reads every payer.
  [MAINTENANCE_JOBS.comparePayers]: { every: minutes(30) },
  [MAINTENANCE_JOBS.advanceDeletions]: { every: seconds(30) },
  [MAINTENANCE_JOBS.advanceUnconfirmed]: { every: minutes(1) },
};

const CALL = asService({ timeoutMs: minutes(10) });

const resetCredits = async ({ credits, log }: Parts): Promise<void> => {
  let total = 0;
  let chunk;
  do {
    chunk = await credits(creditsEndpoints.resetDue, {}, CALL);
    total += chunk.reset;
  } while (chunk.more);
  if (total > 0) log.info({ total }, 'credits reset');
};

const releaseCredits = async ({ credits }: Parts): Promise<void> => {
  let chunk;
  do chunk = await credits(creditsEndpoints.releaseExpired, {}, CALL);
  while (chunk.more);
};

const endDisabledConnections = async ({ identity }: Parts): Promise<void> => {
  let chunk;
  do chunk = await identity(toolEndpoints.endDisabledConnections, {}, CALL);
  while (chunk.more);
};

/** Each job calls the service that owns the data. */
export const createMaintenance = (parts: Parts): Record<MaintenanceJob, () => Promise<unknown>> => ({
  [MAINTENANCE_JOBS.resetCredits]: () => resetCredits(parts),
  [MAINTENANCE_JOBS.releaseCredits]: () => releaseCredits(parts),
  [MAINTENANCE_JOBS.reconcileStripe]: () => parts.billing(billingEndpoints.reconcile, {}, CALL),
  [MAINTENANCE_JOBS.retryStripeInbox]: () => parts.billing(billingEndpoints.retryInbox, {}, CALL),
  [MAINTENANCE_JOBS.endDuePlans]: () => parts.billing(billingEndpoints.endDuePlans, {}, CALL),
  [MAINTENANCE_JOBS.warnOfCards]: () => parts.billing(billingEndpoints.warnOfCards, {}, CALL),
  [MAINTENANCE_JOBS.sweepPictures]: () => parts.profile(profileEndpoints.sweepPictures, {}, CALL),
  [MAINTENANCE_JOBS.sweepMails]: parts.sweepMails,
  [MAINTENANCE_JOBS.sweepExports]: parts.sweepExports,
  [MAINTENANCE_JOBS.sweepWebhooks]: parts.sweepWebhooks,
  [MAINTENANCE_JOBS.runBulkJobs]: parts.runBulkJobs,
  [MAINTENANCE_JOBS.endDisabledConnections]: () => endDisabledConnections(parts),
  [MAINTENANCE_JOBS.stopFailingWebhooks]: () =>
    parts.identity(webhookEndpoints.stopFailingWebhooks, {}, CALL),
  [MAINTENANCE_JOBS.comparePayers]: parts.comparePayers,
  [MAINTENANCE_JOBS.advanceDeletions]: parts.advanceDeletions,
  [MAINTENANCE_JOBS.advanceUnconfirmed]: parts.advanceUnconfirmed,
});

export const scheduleMaintenance = async (queue: JobQueue<Record<never, never>>): Promise<void> => {
  for (const [job, every] of Object.entries(SCHEDULE)) await queue.schedule(job, every, {});
};

/**
 * Makes at most one job of each kind run at a time across all processes. A job whose kind is already running is skipped: its next scheduled run
 * follows soon, and a hanging job delays no other kind. When a process dies, its kinds are free at once.
 */
export const runExclusively = <Name extends string>(
  db: Db,
  jobs: Record<Name, () => Promise<unknown>>,
): Record<Name, () => Promise<unknown>> => {
  const exclusive = Object.entries<() => Promise<unknown>>(jobs).map(([name, job]) => [
    name,
    () => withLock(db, name, job),
  ]);
  return Object.fromEntries(exclusive) as Record<Name, () => Promise<unknown>>;
};
