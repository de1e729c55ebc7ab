import { bulkEndpoints, type JobView } from '@shortlist/contracts/api/bulk';
import { BULK_ITEMS_PAGE, BULK_JOBS_PAGE } from '@shortlist/contracts/limits';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { createJob, setJobState, undoJob } from './create-job.ts';
import { hasEnded, undoKindOf } from './job.rules.ts';
import { findJob, hasUndoable, type JobRow, listItems, listJobs, listUndone } from './queries.ts';

const presentJob = (job: JobRow, canUndo: boolean): JobView => {
  const { id, kind, state, problem, reason, createdBy, total, done, skipped, failed, undoOf } = job;
  return {
    ...{ id, kind, state, problem, reason, createdBy, total, done, skipped, failed, undoOf },
    createdAt: job.createdAt.toISOString(),
    finishedAt: job.finishedAt?.toISOString() ?? null,
    isResolved: job.resolvedAt !== null,
    canUndo,
  };
};

const presentJobs = async (tx: Tx, rows: readonly JobRow[]): Promise<JobView[]> => {
  const undone = await listUndone(
    tx,
    rows.map(({ id }) => id),
  );
  return Promise.all(
    rows.map(async (job) => {
      const isOpen = undoKindOf(job) !== null && hasEnded(job) && !undone.has(job.id);
      return presentJob(job, isOpen && (await hasUndoable(tx, job.id)));
    }),
  );
};

const presentOne = async (tx: Tx, job: JobRow): Promise<{ data: JobView }> => {
  const [data] = await presentJobs(tx, [job]);
  if (data === undefined) throw createError('worker.job_not_found');
  return { data };
};

type Parts = { db: Db; clock: Clock };

const addChanges = (router: Router, { db, clock }: Parts): void => {
  const change = async (action: (tx: Tx) => Promise<JobRow>): Promise<{ data: JobView }> =>
    presentOne(db.manager, await inTransaction(db, action));
  const setState = (jobId: string, state: 'running' | 'paused' | 'canceled', caller: Caller) =>
    change((tx) => setJobState(tx, { jobId, state }, { caller, clock }));

  router.add(bulkEndpoints.createJob, ({ input, caller }) =>
    change((tx) => createJob(tx, input, { caller, clock })),
  );
  router.add(bulkEndpoints.pauseJob, ({ input, caller }) => setState(input.jobId, 'paused', caller));
  router.add(bulkEndpoints.continueJob, ({ input, caller }) => setState(input.jobId, 'running', caller));
  router.add(bulkEndpoints.cancelJob, ({ input, caller }) => setState(input.jobId, 'canceled', caller));
  router.add(bulkEndpoints.undoJob, ({ input, caller }) =>
    change((tx) => undoJob(tx, input.jobId, { caller, clock })),
  );
};

export const addBulkEndpoints = (router: Router, parts: Parts): void => {
  const { manager } = parts.db;

  router.add(bulkEndpoints.listJobs, async ({ input: { before } }) => {
    const rows = await listJobs(manager, before);
    const isFull = rows.length === BULK_JOBS_PAGE;
    return { data: await presentJobs(manager, rows), next: isFull ? (rows.at(-1)?.id ?? null) : null };
  });

  router.add(bulkEndpoints.getJob, async ({ input: { jobId } }) => {
    const job = await findJob(manager, jobId);
    if (job === null) throw createError('worker.job_not_found');
    return presentOne(manager, job);
  });

  router.add(bulkEndpoints.listItems, async ({ input: { limit = BULK_ITEMS_PAGE, ...query } }) => {
    const rows = await listItems(manager, { ...query, limit });
    const data = rows.map(({ userId, position, state, why }) => ({ userId, position, state, why }));
    return { data, next: rows.length === limit ? (rows.at(-1)?.position ?? null) : null };
  });

  addChanges(router, parts);
};
