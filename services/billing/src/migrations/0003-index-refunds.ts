import { migration } from '@shortlist/kit/migration';

export const indexRefunds = migration('IndexRefunds1763700005000', [
  // Refunds are looked at by invoice; without this, one person's refunds wait for the locks of everybody's.
  'ALTER TABLE refunds ADD KEY IF NOT EXISTS refunds_invoice (invoice_id)',
]);
