// What an admin sees of the running product, and what an owner does about what has failed.
import Joi from 'joi';
import { DISCARD_REASON_MAX, SYSTEM_PAGE_MAX } from '../limits.ts';
import * as rule from '../schemas/validation.ts';
import { addressesOf, forAdmins, operationsOf, toAdmins } from './operation.ts';
import { backlog, deadLetter, deadLetterDetail, position, processStatus, requestReport } from './status.ts';

export const PROCESSES = ['bff', 'identity', 'profile', 'billing', 'credits', 'worker'] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** Those that consume events. */
export const CONSUMERS = ['bff', 'profile', 'billing', 'credits', 'worker'] as const;
export type ConsumerName = (typeof CONSUMERS)[number];

/** A run of reconciliation. `repaired`: differences from Stripe; `failed`: subscribers that could not be repaired. */
const reconciliation = rule.view({
  endedAt: rule.time,
  checked: rule.count,
  repaired: rule.count,
  failed: rule.count,
});
export type Reconciliation = rule.TypeOf<typeof reconciliation>;

/** `today`: the last 24 hours. `calls`: to Stripe in the present second, of those that the budget allows. */
const stripeStatus = rule.view({
  events: rule.view({
    today: rule.count,
    handledToday: rule.count,
    waiting: rule.count,
    failed: rule.count,
    oldestSeconds: rule.count,
  }),
  reconciliation: rule.view({
    last: rule.nullable(reconciliation),
    lastRepair: rule.nullable(reconciliation),
  }),
  calls: rule.view({ used: rule.count, limit: rule.count }),
});
export type StripeStatus = rule.TypeOf<typeof stripeStatus>;

/** The mails of a template: `sent`, `notDelivered` and `lastAt` of those of the last 24 hours. */
const mailCounts = rule.view({
  template: rule.text,
  sent: rule.count,
  waiting: rule.count,
  notDelivered: rule.count,
  lastAt: rule.nullable(rule.time),
});
export type MailCounts = rule.TypeOf<typeof mailCounts>;

export const QUEUE_NAMES = ['mail', 'maintenance', 'exports', 'webhooks'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** The jobs of a queue. `failed`: those that failed for good; of a schedule, those that no later run has made up for. */
const queueStatus = rule.view({
  name: rule.oneOf(QUEUE_NAMES),
  failed: rule.count,
  ...backlog,
});
export type QueueStatus = rule.TypeOf<typeof queueStatus>;

/** A condition of `shortlist verify` that does not hold, and in how many places. */
const breached = rule.view({ invariant: rule.text, about: rule.text, breaches: rule.count });
const verified = { checked: rule.count, unchecked: rule.count };

/** The newest run of `shortlist verify` over every database. `heldAt`: when one last found every condition to hold. */
const verification = rule.view({
  endedAt: rule.time,
  ...verified,
  breached: rule.listOf(breached),
  heldAt: rule.nullable(rule.time),
});
export type Verification = rule.TypeOf<typeof verification>;

/**
 * `queues` is null while their Redis does not respond. `unsent`: the mails that wait. `backups`: the newest, and the newest that a trial restore
 * found in order. `verification`: null before the first; the release before lacks it.
 */
const workStatus = rule.view({
  queues: rule.nullable(rule.listOf(queueStatus)),
  unsent: rule.view(backlog),
  mails: rule.listOf(mailCounts),
  backups: rule.view({ newest: rule.nullable(rule.time), verified: rule.nullable(rule.time) }),
  verification: rule.mayLack(rule.nullable(verification)),
});
export type WorkStatus = rule.TypeOf<typeof workStatus>;

/** `status` is null if the process did not respond in time; `seenAt` says when one last did, and `requests` what it then said of them. */
const systemStatus = rule.view({
  checkedAt: rule.time,
  processes: rule.listOf(
    rule.view({
      name: rule.oneOf(PROCESSES),
      status: rule.nullable(processStatus),
      seenAt: rule.nullable(rule.time),
      requests: rule.nullable(requestReport),
    }),
  ),
  stripe: rule.nullable(stripeStatus),
  work: rule.nullable(workStatus),
});
export type SystemStatus = rule.TypeOf<typeof systemStatus>;

export const STRIPE_EVENT_STATES = ['failed', 'pending', 'done', 'ignored'] as const;
export type StripeEventState = (typeof STRIPE_EVENT_STATES)[number];

/** A webhook that Stripe sent. `error`: why it failed, or why it has no effect. */
const stripeEvent = {
  eventId: rule.text,
  type: rule.text,
  state: rule.oneOf(STRIPE_EVENT_STATES),
  customerId: rule.nullable(rule.text),
  attempts: rule.count,
  error: rule.nullable(rule.text),
  receivedAt: rule.time,
};
const stripeEventView = rule.view(stripeEvent);
export type StripeEventView = rule.TypeOf<typeof stripeEventView>;

/** `payload`: what is stored of it, as JSON, without personal data or secrets. */
const stripeEventDetail = rule.view({ ...stripeEvent, payload: rule.text });

/** Where the events that follow a page begin. */
const eventPage = {
  state: rule.oneOf(STRIPE_EVENT_STATES),
  before: rule.optionalText(
    Joi.string()
      .pattern(/^\d{1,14}\.\w{1,64}$/)
      .messages({ 'string.pattern.base': 'Must be the cursor of a page' }),
  ),
  limit: rule.mayLack(rule.wholeNumber.min(1).max(SYSTEM_PAGE_MAX)),
};
export type StripeEventQuery = rule.TypeOf<typeof eventPage>;

const eventId = rule.textLike(/^\w{1,64}$/);
const replayed = rule.view({ done: rule.count, failed: rule.count, left: rule.count });
export type ReplayedEvents = rule.TypeOf<typeof replayed>;

const EVENTS = '/api/admin/system/stripe-events';
const toOwner = { permission: 'system.manage', recent: true } as const;

export const stripeEventEndpoints = {
  getStripeStatus: operationsOf('billing')('GET /stripe/status', {
    roles: ['admin'],
    reply: { data: stripeStatus },
  }),
  /** The newest first. */
  listStripeEvents: operationsOf('billing')('GET /stripe/events', {
    roles: ['admin'],
    input: eventPage,
    reply: { data: rule.listOf(stripeEventView), next: rule.nextCursor },
    public: { stripeEvents: toAdmins(EVENTS, { permission: 'system.read' }) },
  }),
  /** Throws `billing.event_not_found`. Not for every admin: the payload has amounts. */
  getStripeEvent: operationsOf('billing')('GET /stripe/events/:eventId', {
    roles: ['admin'],
    input: { eventId },
    reply: { data: stripeEventDetail },
    public: { stripeEvent: toAdmins(`${EVENTS}/:eventId`, { permission: 'revenue.read' }) },
  }),
  /** Handles an event again, after those of its customer that failed before it. Throws `billing.event_ignored`. */
  replayStripeEvent: operationsOf('billing')('POST /stripe/events/:eventId/replay', {
    roles: ['admin'],
    input: { eventId },
    reply: { data: replayed },
    public: { replayStripeEvent: toAdmins(`${EVENTS}/:eventId/replay`, toOwner) },
  }),
  /** Handles the failed events again, the oldest first; `left` of them follow within seconds. */
  replayStripeEvents: operationsOf('billing')('POST /stripe/events/replay', {
    roles: ['admin'],
    reply: { data: replayed },
    public: { replayStripeEvents: toAdmins(`${EVENTS}/replay`, toOwner) },
  }),
} as const;

/** A job that failed for good. */
const failedJob = rule.view({
  queue: rule.oneOf(QUEUE_NAMES),
  jobId: rule.text,
  name: rule.text,
  attempts: rule.count,
  error: rule.text,
  failedAt: rule.nullable(rule.time),
});
export type FailedJob = rule.TypeOf<typeof failedJob>;

const jobKey = { queue: rule.oneOf(QUEUE_NAMES), jobId: rule.textLike(/^[\x21-\x7e]{1,200}$/) };

export const jobEndpoints = {
  getWorkStatus: operationsOf('worker')('GET /jobs/status', {
    roles: ['admin'],
    reply: { data: workStatus },
  }),
  /** The newest FAILED_JOBS_MAX of each queue, newest first. */
  listFailedJobs: operationsOf('worker')('GET /jobs/failed', {
    roles: ['admin'],
    reply: { data: rule.listOf(failedJob) },
    public: { failedJobs: toAdmins('/api/admin/system/jobs', { permission: 'system.read' }) },
  }),
  /** Throws `worker.job_not_failed` if it is not among the failed ones any more. */
  retryJob: operationsOf('worker')('POST /jobs/:queue/:jobId/retry', { roles: ['admin'], input: jobKey }),
} as const;

/** More than `shortlist verify` has conditions. */
const BREACHED_MAX = 100;

/** What a run of `shortlist verify` found. */
const verificationReport = {
  ...verified,
  breached: rule.ofType<rule.TypeOf<typeof breached>[]>(rule.listOf(breached).max(BREACHED_MAX)),
};
export type VerificationReport = rule.TypeOf<typeof verificationReport>;

export const verificationEndpoints = {
  /** Records the result of a run that ends now. */
  reportVerification: operationsOf('worker')('POST /verifications', {
    roles: ['service'],
    input: verificationReport,
    reply: {},
  }),
} as const;

/** What bff records in identity's audit log before it is done, since neither a topic nor a queue can be changed in one transaction with it. */
const SYSTEM_ACTIONS = [
  'system.replay_dead_letter',
  'system.discard_dead_letter',
  'system.retry_job',
] as const;

const systemRecord = {
  action: rule.oneOf(SYSTEM_ACTIONS),
  details: rule.ofType<Record<string, string>>(
    Joi.object()
      .pattern(/^[a-z][A-Za-z]{0,30}$/, Joi.string().max(DISCARD_REASON_MAX).allow(''))
      .max(8)
      .required(),
  ),
};
export type SystemRecord = rule.TypeOf<typeof systemRecord>;

export const systemRecordEndpoint = operationsOf('identity')('POST /audit/system', {
  roles: ['admin'],
  input: systemRecord,
  reply: {},
});

const DEAD = '/api/admin/system/dead-letters';
const letterKey = { consumer: rule.oneOf(CONSUMERS), ...position };
const reason = rule.line({ required: 'Please enter a reason' }, { max: DISCARD_REASON_MAX });

export const publicSystemEndpoints = {
  ...addressesOf(stripeEventEndpoints),
  ...addressesOf(jobEndpoints),
  systemStatus: forAdmins('GET /api/admin/system/status', {
    permission: 'system.read',
    reply: { data: systemStatus },
  }),
  /** `missing`: consumers whose dead letters could not be read. */
  deadLetters: forAdmins(`GET ${DEAD}`, {
    permission: 'system.read',
    reply: {
      data: rule.listOf(rule.view({ consumer: rule.oneOf(CONSUMERS), ...deadLetter })),
      missing: rule.listOf(rule.oneOf(CONSUMERS)),
    },
  }),
  /** For owners alone: an event may name a person. */
  deadLetter: forAdmins(`GET ${DEAD}/:consumer/:position`, {
    permission: 'system.manage',
    input: letterKey,
    reply: { data: deadLetterDetail },
  }),
  replayDeadLetter: forAdmins(`POST ${DEAD}/:consumer/:position/replay`, {
    ...toOwner,
    input: letterKey,
    reply: rule.noData,
  }),
  discardDeadLetter: forAdmins(`POST ${DEAD}/:consumer/:position/discard`, {
    ...toOwner,
    input: { ...letterKey, reason },
    reply: rule.noData,
  }),
  retryJob: forAdmins('POST /api/admin/system/jobs/:queue/:jobId/retry', {
    ...toOwner,
    input: jobKey,
    reply: rule.noData,
  }),
} as const;
