// What the dashboards show. `make docs` writes them as the JSON that Grafana imports.

type Unit = 's' | 'short' | 'percentunit' | 'reqps' | 'bytes' | 'bool_on_off' | 'eps';
/** An expression and the legend of its series. */
type Query = readonly [expr: string, legend: string];
type Kind = 'timeseries' | 'stat';
export type Panel = { title: string; description: string; unit: Unit; queries: readonly Query[]; kind: Kind };
export type Dashboard = { uid: string; title: string; description: string; panels: readonly Panel[] };

type Options = { description: string; unit: Unit; kind?: Kind };

const panel = (
  title: string,
  { description, unit, kind = 'timeseries' }: Options,
  ...queries: Query[]
): Panel => ({ title, description, unit, kind, queries });

const RATE = '$__rate_interval';
const REQUESTS = 'http_request_duration_seconds';
const ALL_REQUESTS = `sum by (service) (rate(${REQUESTS}_count[${RATE}]))`;

const OVERVIEW: Dashboard = {
  uid: 'shortlist-overview',
  title: 'Shortlist: overview',
  description: 'Rate, errors and duration of requests, by service and endpoint',
  panels: [
    panel(
      'Services',
      { description: 'Processes that are scraped, by version', unit: 'short', kind: 'stat' },
      ['count by (service, version) (app_info)', '{{service}} {{version}}'],
    ),
    panel(
      'Dependencies',
      { description: 'Whether each process reaches what it requires', unit: 'bool_on_off', kind: 'stat' },
      ['min by (service, dependency) (dependency_up)', '{{service}} {{dependency}}'],
    ),
    panel('Requests', { description: 'By service', unit: 'reqps' }, [ALL_REQUESTS, '{{service}}']),
    panel('Errors', { description: 'Share of requests that end with 500 or above', unit: 'percentunit' }, [
      // 0 without errors, so that "No data" means that nothing is measured.
      `(sum by (service) (rate(${REQUESTS}_count{status=~"5.."}[${RATE}])) or 0 * ${ALL_REQUESTS}) / ${ALL_REQUESTS}`,
      '{{service}}',
    ]),
    panel(
      'Duration',
      { description: 'Median and 99th percentile of all endpoints', unit: 's' },
      [
        `histogram_quantile(0.5, sum by (service, le) (rate(${REQUESTS}_bucket[${RATE}])))`,
        '{{service}} median',
      ],
      [
        `histogram_quantile(0.99, sum by (service, le) (rate(${REQUESTS}_bucket[${RATE}])))`,
        '{{service}} 99 %',
      ],
    ),
    panel('Requests by endpoint', { description: 'The ten most frequent ones of bff', unit: 'reqps' }, [
      `topk(10, sum by (method, route) (rate(${REQUESTS}_count{service="bff"}[${RATE}])))`,
      '{{method}} {{route}}',
    ]),
    panel('Slowest endpoints', { description: '99th percentile, the ten highest', unit: 's' }, [
      `topk(10, histogram_quantile(0.99, sum by (service, route, le) (rate(${REQUESTS}_bucket[${RATE}]))))`,
      '{{service}} {{route}}',
    ]),
    panel('Refusals', { description: 'Requests that end with 4xx, by status, at bff', unit: 'reqps' }, [
      `sum by (status) (rate(${REQUESTS}_count{service="bff", status=~"4.."}[${RATE}]))`,
      '{{status}}',
    ]),
    panel('Log-ins', { description: 'By last step and outcome', unit: 'eps' }, [
      `sum by (method, outcome) (rate(log_ins_total[${RATE}]))`,
      '{{method}} {{outcome}}',
    ]),
    panel('Open pages', { description: 'Pages that receive live updates', unit: 'short' }, [
      'sum(live_pages)',
      'pages',
    ]),
  ],
};

const MONEY: Dashboard = {
  uid: 'shortlist-money',
  title: 'Shortlist: money',
  description: 'Payments, webhooks, reconciliation and the ledger of credits',
  panels: [
    panel('Payments', { description: 'In an hour, from the events that billing publishes', unit: 'short' }, [
      'sum by (type) (increase(relay_sent_total{type=~"billing.Payment.*"}[1h]))',
      '{{type}}',
    ]),
    panel(
      'Plans',
      { description: 'Grants, revocations and changes of subscriptions in an hour', unit: 'short' },
      ['sum by (type) (increase(relay_sent_total{type=~"billing.(Plan|Subscription).*"}[1h]))', '{{type}}'],
    ),
    panel('Webhooks', { description: 'Deliveries of Stripe, by type', unit: 'eps' }, [
      `sum by (type) (rate(stripe_webhooks_received_total[${RATE}]))`,
      '{{type}}',
    ]),
    panel('Refused deliveries', { description: 'Wrong signatures', unit: 'eps' }, [
      `sum(rate(stripe_webhooks_refused_total[${RATE}]))`,
      'refused',
    ]),
    panel('Unprocessed events', { description: 'Of the inbox, by status', unit: 'short' }, [
      'max by (status) (stripe_inbox_events)',
      '{{status}}',
    ]),
    panel('Oldest unprocessed event', { description: '0 without one', unit: 's' }, [
      'max(stripe_inbox_oldest_seconds)',
      'age',
    ]),
    panel('Calls to Stripe', { description: 'By outcome; a repeated call counts again', unit: 'reqps' }, [
      `sum by (outcome) (rate(stripe_request_duration_seconds_count[${RATE}]))`,
      '{{outcome}}',
    ]),
    panel('Slowest calls to Stripe', { description: '99th percentile, the ten highest', unit: 's' }, [
      `topk(10, histogram_quantile(0.99, sum by (operation, le) (rate(stripe_request_duration_seconds_bucket[${RATE}]))))`,
      '{{operation}}',
    ]),
    panel(
      'Reconciliation',
      { description: 'Comparisons, repairs and failures in an hour', unit: 'short' },
      ['sum(increase(reconciliation_runs_total[1h]))', 'runs'],
      ['sum(increase(reconciliation_repairs_total[1h]))', 'repairs'],
      ['sum(increase(reconciliation_failures_total[1h]))', 'failures'],
    ),
    panel(
      'Ledger',
      {
        description: 'Windows whose use is not the sum of their ledger; always 0',
        unit: 'short',
        kind: 'stat',
      },
      ['max(ledger_drift_windows)', 'windows'],
    ),
    panel(
      'Price and set-up',
      { description: 'All must be 0', unit: 'short', kind: 'stat' },
      ['max(stripe_price_mismatch)', 'price differs'],
      ['max(stripe_price_missing)', 'price missing'],
      ['max(stripe_setup_failures)', 'failed checks'],
    ),
    panel(
      'Alerts for admins',
      { description: 'Disputes and the like that are not resolved', unit: 'short' },
      ['max by (kind) (billing_alerts_open)', '{{kind}}'],
    ),
  ],
};

const EVENTS: Dashboard = {
  uid: 'shortlist-events',
  title: 'Shortlist: events and jobs',
  description: 'The path of an event from outbox to consumer, and queues and mails',
  panels: [
    panel('Published', { description: 'Events, by type', unit: 'eps' }, [
      `sum by (type) (rate(relay_sent_total[${RATE}]))`,
      '{{type}}',
    ]),
    panel('Publishing failures', { description: 'Attempts that failed', unit: 'eps' }, [
      `sum by (service) (rate(relay_failures_total[${RATE}]))`,
      '{{service}}',
    ]),
    panel('Outbox', { description: 'Events that are not published', unit: 'short' }, [
      'max by (service) (outbox_unsent_rows)',
      '{{service}}',
    ]),
    panel('Oldest event in the outbox', { description: '0 without one', unit: 's' }, [
      'max by (service) (outbox_oldest_unsent_seconds)',
      '{{service}}',
    ]),
    panel('Consumed', { description: 'Events, by service and outcome', unit: 'eps' }, [
      `sum by (service, outcome) (rate(events_consumed_total[${RATE}]))`,
      '{{service}} {{outcome}}',
    ]),
    panel('Lag', { description: 'Messages that a group has not consumed', unit: 'short' }, [
      'max by (consumer, topic) (consumer_lag_messages)',
      '{{consumer}} {{topic}}',
    ]),
    panel(
      'Consumers',
      { description: 'Whether a member of each group consumes', unit: 'bool_on_off', kind: 'stat' },
      ['max by (consumer) (consumer_up)', '{{consumer}}'],
    ),
    panel('Dead letters', { description: 'Not replayed', unit: 'short', kind: 'stat' }, [
      'max by (consumer) (dead_letters_unresolved)',
      '{{consumer}}',
    ]),
    panel('Jobs', { description: 'In each queue, by state', unit: 'short' }, [
      'max by (queue, state) (queue_jobs)',
      '{{queue}} {{state}}',
    ]),
    panel('Longest wait for a worker', { description: 'By queue', unit: 's' }, [
      'max by (queue) (queue_oldest_waiting_seconds)',
      '{{queue}}',
    ]),
    panel('Runs of jobs', { description: 'By job and outcome', unit: 'eps' }, [
      `sum by (job, outcome) (rate(job_duration_seconds_count[${RATE}]))`,
      '{{job}} {{outcome}}',
    ]),
    panel('Mails', { description: 'Attempts, by outcome', unit: 'eps' }, [
      `sum by (outcome) (rate(mails_total[${RATE}]))`,
      '{{outcome}}',
    ]),
    panel(
      'Calls to the mail provider',
      { description: 'By outcome, and the 99th percentile of their duration', unit: 'short' },
      [`sum by (outcome) (rate(mail_request_duration_seconds_count[${RATE}]))`, '{{outcome}} each second'],
      [
        `histogram_quantile(0.99, sum by (le) (rate(mail_request_duration_seconds_bucket[${RATE}])))`,
        'seconds',
      ],
    ),
    panel('Oldest unsent mail', { description: '0 without one', unit: 's' }, [
      'max(mails_oldest_unsent_seconds)',
      'age',
    ]),
  ],
};

const PROCESSES: Dashboard = {
  uid: 'shortlist-processes',
  title: 'Shortlist: processes',
  description: 'Memory, processors and event loops',
  panels: [
    panel('Memory', { description: 'Resident memory of each process', unit: 'bytes' }, [
      'process_resident_memory_bytes{job="shortlist"}',
      '{{service}} {{instance}}',
    ]),
    panel('Processor', { description: '1 is one processor', unit: 'percentunit' }, [
      `rate(process_cpu_seconds_total{job="shortlist"}[${RATE}])`,
      '{{service}} {{instance}}',
    ]),
    panel(
      'Event loop',
      {
        description: '99th percentile of its delay; at rest 0.1 s, the resolution of the measurement',
        unit: 's',
      },
      ['max by (service, instance) (nodejs_eventloop_lag_p99_seconds)', '{{service}} {{instance}}'],
    ),
    panel('Heap', { description: 'In use', unit: 'bytes' }, [
      'nodejs_heap_size_used_bytes{job="shortlist"}',
      '{{service}} {{instance}}',
    ]),
    panel('Garbage collection', { description: 'Share of the time', unit: 'percentunit' }, [
      `sum by (service, instance) (rate(nodejs_gc_duration_seconds_sum[${RATE}]))`,
      '{{service}} {{instance}}',
    ]),
    panel('Open files', { description: 'Connections and files', unit: 'short' }, [
      'process_open_fds{job="shortlist"}',
      '{{service}} {{instance}}',
    ]),
    panel('Passwords that wait', { description: 'For a processor to hash them', unit: 'short' }, [
      'max by (instance) (hash_queue_waiting)',
      '{{instance}}',
    ]),
    panel(
      'Wait for a hash',
      { description: '99th percentile, and refused requests', unit: 's' },
      [`histogram_quantile(0.99, sum by (le) (rate(hash_queue_wait_seconds_bucket[${RATE}])))`, 'wait'],
      [`sum(rate(hash_queue_refused_total[${RATE}]))`, 'refused each second'],
    ),
  ],
};

export const DASHBOARDS: readonly Dashboard[] = [OVERVIEW, MONEY, EVENTS, PROCESSES];
