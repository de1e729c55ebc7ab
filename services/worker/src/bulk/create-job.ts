import type { BulkOptions, NewJob } from '@shortlist/contracts/api/bulk';
import { BULK_OPEN_MAX } from '@shortlist/contracts/limits';
import { grantEndAt } from '@shortlist/contracts/plan-months';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { insertMailText } from '../mail/mail-text-queries.ts';
import { mailedPhrase } from '../mail/user-text.rules.ts';
import { hasEnded, templateOf, undoKindOf } from './job.rules.ts';
import {
  findJob,
  findUndoOf,
  hasUndoable,
  insertItems,
  insertJob,
  type JobRow,
  lockAndCountOpenJobs,
  lockJob,
  updateJob,
} from './queries.ts';

type By = { caller: Caller; clock: Clock };

/** Whether an email shows the text as it was typed, not without a line that has a link or a number to call. */
const isMailedWhole = (text: string): boolean =>
  text.split('\n').every((line) => line.trim() === '' || mailedPhrase(line) !== '');

const missing = (field: string) =>
  createFieldError('request.invalid', field, { message: 'This field is required' });

type Message = { subject: string; text: string };

const messageOf = ({ subject, text }: { [Name in keyof Message]: string | undefined }): Message => {
  if (subject === undefined) throw missing('subject');
  if (text === undefined) throw missing('text');
  for (const [field, value] of Object.entries({ subject, text }))
    if (!isMailedWhole(value)) throw createFieldError('worker.message_text', field);
  return { subject, text };
};

/** The end of all grants of a job, which its last users have no later than the first ones. */
const endOfGrants = ({ until }: BulkOptions, now: Date): string => {
  if (until === undefined) throw missing('until');
  const end = grantEndAt(until, now);
  if (end === null) throw createFieldError('billing.grant_end', 'until');
  return end.toISOString();
};

const selected = (ids: string): string[] => [...new Set(ids.toLowerCase().split(','))];

/** A deletion needs a selection or a filter, and the number of its users. */
const assertUsers = ({ kind, ids, filter = {}, count }: NewJob): void => {
  const isOfAll = ids === undefined && Object.values(filter).every((value) => value === undefined);
  if (kind !== 'delete') return;
  if (isOfAll) throw createError('worker.job_without_users');
  if (count === undefined || (ids !== undefined && count !== selected(ids).length))
    throw createFieldError('request.invalid', 'count', { message: 'This is not the number of users' });
};

const authorOf = ({ userId, address = '' }: Caller): Pick<JobRow, 'createdBy' | 'address'> => ({
  createdBy: userId ?? '',
  address,
});

const getJob = async (tx: Tx, id: string): Promise<JobRow> => {
  const job = await findJob(tx, id);
  if (job === null) throw createError('worker.job_not_found');
  return job;
};

const assertRoom = async (tx: Tx, id: string): Promise<void> => {
  const count = await lockAndCountOpenJobs(tx);
  // The same request, which came twice at once, may have taken the last room.
  if (count >= BULK_OPEN_MAX && (await findJob(tx, id)) === null) throw createError('worker.jobs_full');
};

/** Stores a job. The users of a selection are known at once, those of a filter are found later. */
export const createJob = async (
  tx: Tx,
  { jobId: id, ...order }: NewJob & { jobId: string },
  { caller, clock }: By,
): Promise<JobRow> => {
  const existing = await findJob(tx, id);
  if (existing !== null) return existing;
  const createdAt = clock();
  const { kind, reason, ids, filter = {}, count = null, subject, text, ...others } = order;
  const message = templateOf(kind) === null ? null : messageOf({ subject, text });
  const options = kind === 'grant' ? { ...others, until: endOfGrants(others, createdAt) } : others;
  assertUsers(order);
  await assertRoom(tx, id);
  const isNew = await insertJob(tx, {
    id,
    kind,
    state: 'running',
    reason,
    options,
    createdAt,
    filter: ids === undefined ? filter : null,
    cursorText: null,
    expected: count,
    undoOf: null,
    ...authorOf(caller),
  });
  // Once for the job, which all its emails share.
  if (isNew && message !== null) await insertMailText(tx, { id, data: message, createdAt });
  if (isNew && ids !== undefined) {
    const users = selected(ids).map((userId) => ({ userId }));
    const total = await insertItems(tx, { id, total: 0 }, { users, createdAt });
    await updateJob(tx, id, { total, resolvedAt: createdAt });
  }
  return getJob(tx, id);
};

/** The job that undoes another, which must have ended. */
export const undoJob = async (tx: Tx, jobId: string, { caller, clock }: By): Promise<JobRow> => {
  const job = await lockJob(tx, jobId);
  if (job === null) throw createError('worker.job_not_found');
  const existing = await findUndoOf(tx, jobId);
  if (existing !== null) return existing;
  const kind = undoKindOf(job);
  if (kind === null || !hasEnded(job) || !(await hasUndoable(tx, jobId)))
    throw createError('worker.job_not_undoable');
  const id = uuidv7();
  await assertRoom(tx, id);
  await insertJob(tx, {
    id,
    kind,
    state: 'running',
    reason: job.reason,
    options: {},
    createdAt: clock(),
    filter: null,
    cursorText: null,
    expected: null,
    undoOf: jobId,
    ...authorOf(caller),
  });
  return getJob(tx, id);
};

/** Pauses, continues or cancels a job. What is being done for a user is still finished. */
export const setJobState = async (
  tx: Tx,
  { jobId, state }: { jobId: string; state: 'running' | 'paused' | 'canceled' },
  { caller, clock }: By,
): Promise<JobRow> => {
  const job = await lockJob(tx, jobId);
  if (job === null) throw createError('worker.job_not_found');
  if (job.state === state) return job;
  if (hasEnded(job)) throw createError('worker.job_ended');
  // Who continues a job answers for the rest: their permissions count from now on, and their name is in the audit log.
  if (state === 'running') await updateJob(tx, jobId, { state, ...authorOf(caller) });
  else if (state === 'paused') await updateJob(tx, jobId, { state });
  else await updateJob(tx, jobId, { state, filter: null, address: '', finishedAt: clock() });
  return getJob(tx, jobId);
};
