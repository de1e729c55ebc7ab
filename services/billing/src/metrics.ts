import {
  CALL_BUCKETS,
  defineCounter,
  defineGauge,
  defineHistogram,
} from '@shortlist/kit/process/declared-metrics';

export const stripeSeconds = defineHistogram('stripe_request_duration_seconds', {
  help: 'Time of a call to Stripe, by outcome (ok; refused, such as a declined card; unauthorized, the key is wrong; limited, too many calls; failed at Stripe; unreachable)',
  labels: ['operation', 'outcome'],
  buckets: CALL_BUCKETS,
});

export const webhooksReceived = defineCounter('stripe_webhooks_received_total', {
  help: 'Deliveries of Stripe that were stored or known, by type of event; `other` has no effect',
  labels: ['type'],
});

export const webhooksRefused = defineCounter('stripe_webhooks_refused_total', {
  help: 'Deliveries whose signature did not match',
});

export const inboxEvents = defineGauge('stripe_inbox_events', {
  help: 'Unprocessed events of Stripe, by status (pending, failed)',
  labels: ['status'],
});

export const inboxAge = defineGauge('stripe_inbox_oldest_seconds', {
  help: 'Age of the oldest unprocessed event of Stripe, 0 without one',
});

export const setupFailures = defineGauge('stripe_setup_failures', {
  help: 'Checks of the set-up at Stripe that fail',
});

export const alertsOpen = defineGauge('billing_alerts_open', {
  help: 'Unresolved alerts of the admin area, by kind',
  labels: ['kind'],
});

export const priceMismatch = defineGauge('stripe_price_mismatch', {
  help: "1 while Stripe's price differs from the configured price and checkouts are refused",
});

export const priceMissing = defineGauge('stripe_price_missing', {
  help: '1 while Stripe has no price of the plan and checkouts are refused',
});

export const reconciliationRuns = defineCounter('reconciliation_runs_total', {
  help: 'Runs of reconciliation that ended; one starts every 30 seconds',
});

export const reconciliationRepairs = defineCounter('reconciliation_repairs_total', {
  help: 'Differences from Stripe that reconciliation repaired',
});

export const reconciliationFailures = defineCounter('reconciliation_failures_total', {
  help: 'Subscribers that reconciliation could not repair',
});
