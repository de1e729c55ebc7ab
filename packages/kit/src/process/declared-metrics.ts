// The metrics of every process, whatever its service. Those of one service are declared in its `src/metrics.ts`.

/** A metric with its labels, each of which has few values: never ids, addresses or raw paths. */
export type MetricDeclaration<Label extends string> = {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** For docs/metrics.md and the `# HELP` line. */
  readonly help: string;
  readonly labels: readonly Label[];
  /** Upper bounds, in seconds, of a histogram. */
  readonly buckets?: readonly number[];
  /** The processes that have it; by default, those of the service that declares it. */
  readonly processes?: string;
};

type Options<Label extends string> = {
  help: string;
  labels?: readonly Label[];
  buckets?: readonly number[];
  processes?: string;
};

const declare =
  (type: MetricDeclaration<never>['type']) =>
  <const Label extends string = never>(
    name: string,
    { labels = [], ...options }: Options<Label>,
  ): MetricDeclaration<Label> => ({ name, type, labels, ...options });

export const defineCounter = declare('counter');
export const defineGauge = declare('gauge');
export const defineHistogram = declare('histogram');

/** From a single database row to a slow provider call. */
const LATENCY_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** Of a call to another company over the internet, up to the timeout of background work. */
export const CALL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

const ALL = 'All processes';
const RELAYS = 'Processes with a relay';
const CONSUMERS = 'Processes that consume events';
const QUEUES = 'Processes that run jobs';

export const appInfo = defineGauge('app_info', {
  processes: ALL,
  help: '1, with the version of the running code',
  labels: ['version'],
});

export const dependencyUp = defineGauge('dependency_up', {
  processes: ALL,
  help: '1 while a dependency that readiness requires responds, otherwise 0',
  labels: ['dependency'],
});

export const httpSeconds = defineHistogram('http_request_duration_seconds', {
  processes: ALL,
  help: 'Time from request to response (of a stream, to its first byte). Status 499: the client left',
  labels: ['method', 'route', 'status'],
  buckets: LATENCY_BUCKETS,
});

export const outboxRows = defineGauge('outbox_unsent_rows', {
  processes: RELAYS,
  help: 'Events committed and not yet published',
});

export const outboxAge = defineGauge('outbox_oldest_unsent_seconds', {
  processes: RELAYS,
  help: 'Age of the oldest unpublished event, 0 without one',
});

export const relaySent = defineCounter('relay_sent_total', {
  processes: RELAYS,
  help: 'Events published, by type',
  labels: ['type'],
});

export const relayFailures = defineCounter('relay_failures_total', {
  processes: RELAYS,
  help: 'Publishing attempts that failed',
});

export const eventsConsumed = defineCounter('events_consumed_total', {
  processes: CONSUMERS,
  help: 'Events consumed, by outcome (handled, dead_lettered)',
  labels: ['type', 'outcome'],
});

export const traceSpansDropped = defineCounter('trace_spans_dropped_total', {
  processes: ALL,
  help: 'Spans that did not reach the collector',
});

export const secretExpires = defineGauge('secret_expires_timestamp_seconds', {
  processes: ALL,
  help: 'When the first certificate ends: of the private authorities (private_authority), or of the servers of open connections (certificate_of_database, certificate_of_redis, certificate_of_kafka)',
  labels: ['secret'],
});

export const authoritiesCurrent = defineGauge('private_authorities_current', {
  processes: ALL,
  help: '1 while the process trusts what the file of the private authorities contains, 0 while that cannot be read',
});

export const consumerUp = defineGauge('consumer_up', {
  processes: CONSUMERS,
  help: '1 while the consumer is a member of its group and fetches, otherwise 0',
  labels: ['consumer'],
});

export const consumerLag = defineGauge('consumer_lag_messages', {
  processes: CONSUMERS,
  help: 'Messages of a topic that the group has not consumed',
  labels: ['consumer', 'topic'],
});

export const deadLettersUnresolved = defineGauge('dead_letters_unresolved', {
  processes: CONSUMERS,
  help: 'Dead letters that have been neither replayed nor settled, without unreadable batches',
  labels: ['consumer'],
});

export const unreadableBatches = defineGauge('unreadable_batches_unresolved', {
  processes: CONSUMERS,
  help: 'Batches of a topic that the consumer could not read and that have not been settled',
  labels: ['consumer'],
});

export const queueJobs = defineGauge('queue_jobs', {
  processes: QUEUES,
  help: 'Jobs in a queue, by state (waiting, active, delayed, failed)',
  labels: ['queue', 'state'],
});

export const queueAge = defineGauge('queue_oldest_waiting_seconds', {
  processes: QUEUES,
  help: 'Age of the job that has waited longest, 0 without one',
  labels: ['queue'],
});

export const jobSeconds = defineHistogram('job_duration_seconds', {
  processes: QUEUES,
  help: 'Time of a run of a job, by outcome (completed, failed)',
  labels: ['queue', 'job', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 600],
});
