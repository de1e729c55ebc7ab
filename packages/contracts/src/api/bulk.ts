// Changes of many users at a time. worker makes them one user after the other, as the admin who asked for them, by the operations that
// change one user.
import type { Permission } from '../admin-permissions.ts';
import { BULK_REASON_MAX, BULK_SUBJECT_MAX, BULK_TEXT_MAX, DIRECTORY_PAGE_MAX } from '../limits.ts';
import { grantRules, unsubscribeRules } from '../plan.ts';
import * as rule from '../schemas/validation.ts';
import { userFilters } from './directory.ts';
import { FORM_BYTES, forAdmins, operationsOf } from './operation.ts';

/**
 * `message` is about the service, and every user gets it; who turned news and tips off gets no `news`. They are two kinds and not one with a
 * field, because a process that does not know a field drops it, and would send news to everybody.
 */
export const BULK_KINDS = ['grant', 'revoke', 'end_sessions', 'message', 'news', 'delete'] as const;
export type BulkKind = (typeof BULK_KINDS)[number];

/** `take_back` ends the grants of another job, `resume` lets the subscriptions renew again that another job has set to end. */
export const JOB_KINDS = [...BULK_KINDS, 'take_back', 'resume'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** What the role of an admin must include: the same as for one user. */
export const JOB_PERMISSIONS: Record<JobKind, Permission> = {
  grant: 'plan.grant',
  revoke: 'plan.revoke',
  end_sessions: 'sessions.end',
  message: 'users.edit',
  news: 'users.edit',
  delete: 'users.delete',
  take_back: 'plan.revoke',
  resume: 'plan.grant',
};

/** The kind of job that undoes another. Of `revoke`, only a stop of the renewal can be undone. */
export const UNDO_KINDS: Partial<Record<JobKind, JobKind>> = { grant: 'take_back', revoke: 'resume' };

export const JOB_STATES = ['running', 'paused', 'canceled', 'done'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Why worker canceled a job. `count`: other than the number of users that the admin typed match by now. */
export const JOB_PROBLEMS = ['permission', 'count'] as const;
export type JobProblem = (typeof JOB_PROBLEMS)[number];

export const ITEM_STATES = ['waiting', 'done', 'skipped', 'failed'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** Why there was nothing to do for a user. Other results without a change have an error code. */
export const SKIP_REASONS = [
  'already_premium',
  'already_free',
  'already_ending',
  'grant_over',
  'turned_off',
  'leaving',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** What is done. Fields of other kinds are ignored. A grant needs `until`, by the rule for one user (`grantEndAt` of plan-months.ts). */
const options = {
  until: grantRules.until,
  when: unsubscribeRules.when,
  withAccess: rule.mayLack(rule.flag),
  subject: rule.mayLack(rule.line({ required: 'Please enter a subject' }, { max: BULK_SUBJECT_MAX })),
  text: rule.mayLack(rule.paragraphs({ required: 'Please enter a text' }, { max: BULK_TEXT_MAX })),
};
export type BulkOptions = rule.TypeOf<typeof options>;

const filter = rule.view(userFilters);
export type UserFilter = rule.TypeOf<typeof filter>;

/** `ids`: the selected users; without them, all that match the filter. `count`: their number, which a deletion requires. */
const newJob = {
  kind: rule.oneOf(BULK_KINDS),
  reason: rule.line({ required: 'Please enter a reason' }, { max: BULK_REASON_MAX }),
  ids: rule.mayLack(rule.idList(DIRECTORY_PAGE_MAX)),
  filter: rule.mayLack(filter),
  count: rule.mayLack(rule.count),
  ...options,
};
export type NewJob = rule.TypeOf<typeof newJob>;

const job = {
  id: rule.uuid,
  kind: rule.oneOf(JOB_KINDS),
  state: rule.oneOf(JOB_STATES),
  problem: rule.nullable(rule.oneOf(JOB_PROBLEMS)),
  reason: rule.text,
  createdBy: rule.uuid,
  createdAt: rule.time,
  finishedAt: rule.nullable(rule.time),
  /** Whether all users of the job are known. Nothing is done before. */
  isResolved: rule.flag,
  total: rule.count,
  done: rule.count,
  skipped: rule.count,
  failed: rule.count,
  undoOf: rule.nullable(rule.uuid),
  canUndo: rule.flag,
};
const jobView = rule.view(job);
export type JobView = rule.TypeOf<typeof jobView>;

/** `author`: the admin's name or, without one, email; empty for a former admin. */
const namedJob = rule.view({ ...job, author: rule.text });
export type NamedJob = rule.TypeOf<typeof namedJob>;

/** `why`: a skip reason or an error code. */
const item = {
  userId: rule.uuid,
  position: rule.count,
  state: rule.oneOf(ITEM_STATES),
  why: rule.nullable(rule.text),
};
const itemView = rule.view(item);
export type ItemView = rule.TypeOf<typeof itemView>;

/** `name` and `email` are empty for a deleted user. */
const namedItem = rule.view({ ...item, name: rule.text, email: rule.text });
export type NamedItem = rule.TypeOf<typeof namedItem>;

const itemsQuery = {
  state: rule.mayLack(rule.oneOf(ITEM_STATES).empty('')),
  /** A position. */
  after: rule.mayLack(rule.wholeNumber.min(0)),
  limit: rule.mayLack(rule.wholeNumber.min(1).max(DIRECTORY_PAGE_MAX)),
};

/** The id of the last job of the page before. */
const jobsQuery = { before: rule.mayLack(rule.uuid) };
const nextItem = rule.nullable(rule.count);
const nextJob = rule.nullable(rule.uuid);

const byAdmin = operationsOf('worker', { roles: ['admin'] });
const JOB_PATH = '/api/admin/jobs/:jobId';

export const bulkEndpoints = {
  /** The newest first. */
  listJobs: byAdmin('GET /bulk-jobs', {
    input: jobsQuery,
    reply: { data: rule.listOf(jobView), next: nextJob },
  }),
  /** Throws `worker.job_not_found`. */
  getJob: byAdmin('GET /bulk-jobs/:jobId', { reply: { data: jobView } }),
  listItems: byAdmin('GET /bulk-jobs/:jobId/items', {
    input: itemsQuery,
    reply: { data: rule.listOf(itemView), next: nextItem },
  }),
  /** The client chooses the id, so that a repeated request creates one job. */
  createJob: byAdmin('PUT /bulk-jobs/:jobId', { input: newJob, reply: { data: jobView } }),
  pauseJob: byAdmin('POST /bulk-jobs/:jobId/pause', { reply: { data: jobView } }),
  continueJob: byAdmin('POST /bulk-jobs/:jobId/continue', { reply: { data: jobView } }),
  cancelJob: byAdmin('POST /bulk-jobs/:jobId/cancel', { reply: { data: jobView } }),
  /** Returns the job that undoes this one, also if it exists already. Throws `worker.job_not_undoable`. */
  undoJob: byAdmin('POST /bulk-jobs/:jobId/undo', { reply: { data: jobView } }),
} as const;

export const BULK_STEPS = ['start', 'pause', 'continue', 'cancel', 'undo', 'export'] as const;
export type BulkStep = (typeof BULK_STEPS)[number];

/** Adds an audit entry about what an admin does with a job, before it is done. The changes of the users have entries of their own. */
export const bulkRecordEndpoint = operationsOf('identity')('POST /bulk-jobs/:jobId/steps', {
  roles: ['admin'],
  input: {
    step: rule.oneOf(BULK_STEPS),
    kind: rule.oneOf(JOB_KINDS),
    reason: rule.mayLack(rule.text),
  },
});

const read = { permission: 'users.read' } as const;
const reply = { data: namedJob };

/** bff also compares the role of the admin with `JOB_PERMISSIONS`, by the kind of the job. */
export const publicBulkEndpoints = {
  bulkJobs: forAdmins('GET /api/admin/jobs', {
    ...read,
    input: jobsQuery,
    reply: { data: rule.listOf(namedJob), next: nextJob },
  }),
  bulkJob: forAdmins(`GET ${JOB_PATH}`, { ...read, reply }),
  bulkItems: forAdmins(`GET ${JOB_PATH}/items`, {
    ...read,
    input: itemsQuery,
    reply: { data: rule.listOf(namedItem), next: nextItem },
  }),
  exportBulkItems: forAdmins(`GET ${JOB_PATH}/items.csv`, {
    permission: 'users.export',
    recent: true,
    reply: 'text',
  }),
  createBulkJob: forAdmins(`PUT ${JOB_PATH}`, {
    ...read,
    recent: true,
    bodyBytes: 6 * FORM_BYTES,
    input: newJob,
    reply,
  }),
  pauseBulkJob: forAdmins(`POST ${JOB_PATH}/pause`, { ...read, reply }),
  continueBulkJob: forAdmins(`POST ${JOB_PATH}/continue`, { ...read, recent: true, reply }),
  cancelBulkJob: forAdmins(`POST ${JOB_PATH}/cancel`, { ...read, reply }),
  undoBulkJob: forAdmins(`POST ${JOB_PATH}/undo`, { ...read, recent: true, reply }),
} as const;
