/** The queues and the names of their jobs. A job has ids at most; it reads its data from the owning service when it runs. */
export const QUEUES = {
  mail: 'mail',
  maintenance: 'maintenance',
  exports: 'exports',
  webhooks: 'webhooks',
} as const;

export const MAINTENANCE_JOBS = {
  resetCredits: 'credits.reset_due',
  releaseCredits: 'credits.release_expired',
  reconcileStripe: 'billing.reconcile_stripe',
  retryStripeInbox: 'billing.retry_stripe_inbox',
  endDuePlans: 'billing.end_due_plans',
  warnOfCards: 'billing.warn_of_cards',
  sweepPictures: 'profile.sweep_pictures',
  sweepMails: 'worker.sweep_mails',
  sweepExports: 'worker.sweep_exports',
  sweepWebhooks: 'worker.sweep_webhooks',
  runBulkJobs: 'worker.run_bulk_jobs',
  endDisabledConnections: 'identity.end_disabled_connections',
  stopFailingWebhooks: 'identity.stop_failing_webhooks',
  comparePayers: 'billing.compare_payers',
  advanceDeletions: 'identity.advance_deletions',
  advanceUnconfirmed: 'identity.advance_unconfirmed',
} as const;

export type MaintenanceJob = (typeof MAINTENANCE_JOBS)[keyof typeof MAINTENANCE_JOBS];

/** Writes the file of one export. */
export const EXPORT_JOB = 'export.write';
export type ExportJob = { exportId: string };
