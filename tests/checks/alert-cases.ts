// For each alert, series by which it fires, and series just below, by which it does not. Values are those of `promtool test rules`:
// `a+bxn` is a sequence that begins with a and grows by b for each minute.

export type AlertCase = {
  alert: string;
  fires: Readonly<Record<string, string>>;
  quiet: Readonly<Record<string, string>>;
  /** When the alert is checked; default 30m. */
  at?: string;
};

const requests = (service: string, status: number): string =>
  `http_request_duration_seconds_count{service="${service}", route="/a", method="GET", status="${status}"}`;
const bucket = (le: string): string =>
  `http_request_duration_seconds_bucket{service="bff", route="/a", method="GET", status="200", le="${le}"}`;
const mails = (outcome: string): string => `mails_total{template="welcome", outcome="${outcome}"}`;
const stripe = (outcome: string): string =>
  `stripe_request_duration_seconds_count{operation="GET /v1/a", outcome="${outcome}"}`;
const events = (type: string): string => `relay_sent_total{service="billing", type="billing.${type}.v1"}`;

const running = (...services: string[]): Record<string, string> =>
  Object.fromEntries(services.map((service) => [`app_info{service="${service}", version="1"}`, '1x60']));

const above = (series: string, value: number, limit: number) => ({
  fires: { [series]: `${value}x90` },
  quiet: { [series]: `${limit}x90` },
});

export const ALERT_CASES: readonly AlertCase[] = [
  { alert: 'ProcessDown', ...above('up{job="shortlist", instance="one"}', 0, 1) },
  {
    alert: 'ServiceMissing',
    fires: running('bff', 'identity', 'profile', 'billing', 'credits'),
    quiet: running('bff', 'identity', 'profile', 'billing', 'credits', 'worker'),
  },
  { alert: 'DependencyDown', ...above('dependency_up{service="identity", dependency="database"}', 0, 1) },
  {
    alert: 'HighErrorRate',
    fires: { [requests('billing', 200)]: '0+300x60', [requests('billing', 503)]: '0+7x60' },
    quiet: { [requests('billing', 200)]: '0+300x60', [requests('billing', 503)]: '0+5x60' },
  },
  {
    alert: 'SlowRequests',
    fires: {
      [bucket('1')]: '0+98x60',
      [bucket('2.5')]: '0+99x60',
      [bucket('+Inf')]: '0+100x60',
      [requests('bff', 200)]: '0+100x60',
    },
    quiet: {
      [bucket('1')]: '0+98.9x60',
      [bucket('2.5')]: '0+100x60',
      [bucket('+Inf')]: '0+100x60',
      [requests('bff', 200)]: '0+100x60',
    },
  },
  { alert: 'OutboxStuck', ...above('outbox_oldest_unsent_seconds{service="billing"}', 61, 60) },
  { alert: 'ConsumerDown', ...above('consumer_up{service="credits", consumer="credits"}', 0, 1) },
  {
    alert: 'ConsumerLagging',
    ...above('consumer_lag_messages{consumer="credits", topic="a"}', 1_001, 1_000),
  },
  { alert: 'DeadLetters', ...above('dead_letters_unresolved{consumer="credits"}', 1, 0) },
  { alert: 'QueueStuck', ...above('queue_oldest_waiting_seconds{queue="mail"}', 301, 300) },
  { alert: 'MailsStuck', ...above('mails_oldest_unsent_seconds', 901, 900) },
  {
    alert: 'MailsFailing',
    fires: { [mails('sent')]: '0+9x60', [mails('postponed')]: '0+10x60' },
    quiet: { [mails('sent')]: '0+10x60', [mails('postponed')]: '0+10x60' },
  },
  {
    alert: 'StripeFailing',
    fires: { [stripe('ok')]: '0+89x60', [stripe('failed')]: '0+5x60', [stripe('unreachable')]: '0+6x60' },
    quiet: { [stripe('ok')]: '0+90x60', [stripe('failed')]: '0+10x60', [stripe('refused')]: '0+50x60' },
  },
  {
    alert: 'StripeFailing',
    fires: { [stripe('unauthorized')]: '0+1.3x60' },
    quiet: { [stripe('unauthorized')]: '0+1.1x60' },
  },
  { alert: 'WebhooksStuck', ...above('stripe_inbox_oldest_seconds', 301, 300) },
  {
    alert: 'WebhooksRefused',
    fires: { stripe_webhooks_refused_total: '0+0.4x60' },
    quiet: { stripe_webhooks_refused_total: '0+0.3x60' },
  },
  {
    alert: 'WebhooksMissing',
    fires: { reconciliation_repairs_total: '0+0.1x90' },
    quiet: { reconciliation_repairs_total: '0+0.08x90' },
    at: '80m',
  },
  {
    alert: 'ReconciliationStopped',
    fires: { reconciliation_runs_total: '7x60' },
    quiet: { reconciliation_runs_total: '7+0.1x60' },
  },
  { alert: 'LedgerDrift', ...above('ledger_drift_windows', 1, 0) },
  { alert: 'PriceMismatch', ...above('stripe_price_mismatch', 1, 0) },
  { alert: 'PriceMismatch', ...above('stripe_price_missing', 1, 0) },
  { alert: 'StripeSetupFailing', ...above('stripe_setup_failures', 1, 0) },
  {
    alert: 'PaymentsFailing',
    fires: { [events('PaymentFailed')]: '0+0.2x90', [events('PaymentSucceeded')]: '0+0.1x90' },
    quiet: { [events('PaymentFailed')]: '0+0.2x90', [events('PaymentSucceeded')]: '0+0.3x90' },
    at: '80m',
  },
  {
    alert: 'PaymentsFailing',
    fires: { [events('PaymentFailed')]: '0+0.2x90' },
    quiet: { [events('PaymentFailed')]: '0+0.08x90' },
    at: '80m',
  },
  { alert: 'HashQueueFull', ...above('hash_queue_waiting', 101, 100) },
  {
    alert: 'HashQueueFull',
    fires: { hash_queue_refused_total: '0+1x60' },
    quiet: { hash_queue_refused_total: '9x60' },
  },
  {
    alert: 'LogInsFailing',
    fires: { 'log_ins_total{method="password", outcome="failed"}': '0+61x60' },
    quiet: { 'log_ins_total{method="password", outcome="failed"}': '0+60x60' },
  },
  { alert: 'EventLoopBlocked', ...above('nodejs_eventloop_lag_p99_seconds{service="bff"}', 0.6, 0.5) },
];
