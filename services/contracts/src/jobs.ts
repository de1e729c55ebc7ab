/** Work for later: the queues and the names of their jobs. What a job needs is read from its owner when it runs. */
export const QUEUES = { mail: 'mail', upkeep: 'upkeep' } as const;

export const UPKEEP_JOBS = {
  resetCredits: 'credits.reset_due',
  releaseCredits: 'credits.release_expired',
  reconcileStripe: 'billing.reconcile_stripe',
  retryStripeInbox: 'billing.retry_stripe_inbox',
  sweepPictures: 'profile.sweep_pictures',
  sweepMails: 'worker.sweep_mails',
} as const;

export type UpkeepJob = (typeof UPKEEP_JOBS)[keyof typeof UPKEEP_JOBS];
