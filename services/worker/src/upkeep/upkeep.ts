import { billingDoors } from '@shortlist/contracts/api/billing';
import { creditsDoors } from '@shortlist/contracts/api/credits';
import { profileDoors } from '@shortlist/contracts/api/profile';
import { UPKEEP_JOBS, type UpkeepJob } from '@shortlist/contracts/jobs';
import type { ServiceClient } from '@shortlist/kit/http-client';
import type { JobQueue } from '@shortlist/kit/jobs';
import type { Log } from '@shortlist/kit/log';

type Services = { profile: ServiceClient; billing: ServiceClient; credits: ServiceClient };
type Parts = Services & { log: Log; sweepMails: () => Promise<void> };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** When each job runs. A job asks its owner what is due, so a missed beat or a doubled one makes no difference. */
const SCHEDULE: Record<UpkeepJob, { every: number }> = {
  [UPKEEP_JOBS.resetCredits]: { every: MINUTE },
  [UPKEEP_JOBS.releaseCredits]: { every: MINUTE },
  // What no webhook told of heals within this: a run reads the provider's newest events and a stretch of its subscriptions.
  [UPKEEP_JOBS.reconcileStripe]: { every: 30 * SECOND },
  [UPKEEP_JOBS.retryStripeInbox]: { every: 5 * SECOND },
  [UPKEEP_JOBS.sweepPictures]: { every: 15 * MINUTE },
  [UPKEEP_JOBS.sweepMails]: { every: 5 * SECOND },
};

const asService = { caller: { role: 'service', userId: null }, timeoutMs: 10 * MINUTE } as const;

const resetCredits = async ({ credits, log }: Parts): Promise<void> => {
  let total = 0;
  for (let more = true; more;) {
    const chunk = await credits(creditsDoors.resetDue, {}, asService);
    total += chunk.reset;
    ({ more } = chunk);
  }
  if (total > 0) log.info({ total }, 'credits reset');
};

const releaseCredits = async ({ credits }: Parts): Promise<void> => {
  for (let more = true; more;) ({ more } = await credits(creditsDoors.releaseExpired, {}, asService));
};

/** The deed of each job: each is asked of its owner. */
export const createUpkeep = (parts: Parts): Record<UpkeepJob, () => Promise<unknown>> => ({
  [UPKEEP_JOBS.resetCredits]: () => resetCredits(parts),
  [UPKEEP_JOBS.releaseCredits]: () => releaseCredits(parts),
  [UPKEEP_JOBS.reconcileStripe]: () => parts.billing(billingDoors.reconcile, {}, asService),
  [UPKEEP_JOBS.retryStripeInbox]: () => parts.billing(billingDoors.retryInbox, {}, asService),
  [UPKEEP_JOBS.sweepPictures]: () => parts.profile(profileDoors.sweepPictures, {}, asService),
  [UPKEEP_JOBS.sweepMails]: parts.sweepMails,
});

export const scheduleUpkeep = async (queue: JobQueue<Record<never, never>>): Promise<void> => {
  for (const [job, every] of Object.entries(SCHEDULE)) await queue.schedule(job, every, {});
};
