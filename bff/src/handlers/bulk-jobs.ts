import { once } from 'node:events';
import type { Response } from 'express';
import {
  bulkEndpoints,
  bulkRecordEndpoint,
  type BulkStep,
  type ItemView,
  JOB_PERMISSIONS,
  type JobKind,
  type JobView,
  type NamedItem,
  type NamedJob,
  type NewJob,
  publicBulkEndpoints,
  UNDO_KINDS,
} from '@shortlist/contracts/api/bulk';
import { may } from '@shortlist/contracts/admin-permissions';
import { describeResult } from '@shortlist/contracts/bulk-results';
import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { DIRECTORY_PAGE_MAX } from '@shortlist/contracts/limits';
import { BYTE_ORDER_MARK, csvHeaders, csvLine } from '@shortlist/kit/data/csv.rules';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { composed, type Route, streamed } from '../http/endpoint.ts';
import { type Services, unlessAway } from '../services.ts';
import type { Session } from '../session/session.ts';
import { findIds } from './user-search.ts';

type Parts = { services: Services; log: Log };

/** An admin changes many users only in ways in which they may change one. */
const assertMay = (kind: JobKind, { adminRole }: Session): void => {
  if (!may(adminRole, JOB_PERMISSIONS[kind])) throw createError('session.permission_missing');
};

/** The jobs with the names of their admins, as far as identity responds. */
const nameJobs = async (
  { services, log }: Parts,
  jobs: readonly JobView[],
  caller: Caller,
): Promise<NamedJob[]> => {
  const admins = await unlessAway(log, services.identity(identityEndpoints.listAdmins, {}, { caller }));
  return jobs.map((job) => {
    const author = admins?.data.find(({ userId }) => userId === job.createdBy);
    return { ...job, author: author?.name ?? author?.email ?? '' };
  });
};

const nameJob = async (parts: Parts, job: JobView, caller: Caller): Promise<{ data: NamedJob }> => {
  const [data = { ...job, author: '' }] = await nameJobs(parts, [job], caller);
  return { data };
};

const nameItems = async (
  { services, log }: Parts,
  items: readonly ItemView[],
  caller: Caller,
): Promise<NamedItem[]> => {
  if (items.length === 0) return [];
  const ids = items.map(({ userId }) => userId).join(',');
  const known = await unlessAway(log, services.profile(directoryEndpoints.listNames, { ids }, { caller }));
  const users = new Map(known?.data.map((user) => [user.id, user]));
  return items.map((item) => {
    const { name = '', email = '' } = users.get(item.userId) ?? {};
    return { ...item, name, email };
  });
};

/** What is searched by a reference or a former email becomes ids, as in the list. */
const withIds = async (
  services: Services,
  { filter, ...order }: NewJob & { jobId: string },
  caller: Caller,
): Promise<NewJob & { jobId: string }> => {
  if (filter === undefined) return order;
  const search = filter.search?.trim() ?? '';
  const ids = search === '' ? [] : await findIds(services, search, caller);
  return { ...order, filter: ids.length === 0 ? filter : { ...filter, search: ids.join(' ') } };
};

const STATES = { waiting: 'Waiting', done: 'Done', skipped: 'Skipped', failed: 'Failed' } as const;

const COLUMNS: Record<string, (item: NamedItem) => string> = {
  Name: ({ name }) => name,
  Email: ({ email }) => email,
  'User (id)': ({ userId }) => userId,
  Result: ({ state }) => STATES[state],
  Reason: ({ why }) => (why === null ? '' : describeResult(why)),
};

type Results = { jobId: string; caller: Caller };

/** A page of the results after a position, from the first on. */
const readResults = async (
  parts: Parts,
  { jobId, caller }: Results,
  after?: number,
): Promise<NamedItem[]> => {
  const page = { jobId, limit: DIRECTORY_PAGE_MAX, ...(after === undefined ? {} : { after }) };
  const { data } = await parts.services.worker(bulkEndpoints.listItems, page, { caller });
  return nameItems(parts, data, caller);
};

/** Writes the results page by page, and waits while the client reads. What fails before the first page is an error, not half a file. */
const writeResults = async (parts: Parts, results: Results, to: Response): Promise<void> => {
  let items = await readResults(parts, results);
  to.set(csvHeaders('results.csv'));
  to.write(BYTE_ORDER_MARK + csvLine(Object.keys(COLUMNS)));
  while (items.length > 0 && !to.destroyed) {
    const lines = items.map((item) => csvLine(Object.values(COLUMNS).map((cellOf) => cellOf(item))));
    if (!to.write(lines.join(''))) await Promise.race([once(to, 'drain'), once(to, 'close')]);
    items = await readResults(parts, results, items.at(-1)?.position);
  }
  to.end();
};

const readEndpoints = (parts: Parts): Route[] => {
  const { worker, identity } = parts.services;
  return [
    composed(publicBulkEndpoints.bulkJobs, async ({ input, caller }) => {
      const { data, next } = await worker(bulkEndpoints.listJobs, input, { caller });
      return { data: await nameJobs(parts, data, caller), next };
    }),

    composed(publicBulkEndpoints.bulkJob, async ({ input, caller }) => {
      const { data } = await worker(bulkEndpoints.getJob, input, { caller });
      return nameJob(parts, data, caller);
    }),

    composed(publicBulkEndpoints.bulkItems, async ({ input, caller }) => {
      const { data, next } = await worker(bulkEndpoints.listItems, input, { caller });
      return { data: await nameItems(parts, data, caller), next };
    }),

    streamed(publicBulkEndpoints.exportBulkItems, async ({ input: { jobId }, caller, response }) => {
      // An unknown one is 404, not an empty file. Without the record there is no file.
      const { kind, reason } = (await worker(bulkEndpoints.getJob, { jobId }, { caller })).data;
      await identity(bulkRecordEndpoint, { jobId, step: 'export', kind, reason }, { caller });
      await writeResults(parts, { jobId, caller }, response);
    }),
  ];
};

const changeEndpoints = (parts: Parts): Route[] => {
  const { services } = parts;
  const { worker, identity } = services;
  type Step = { jobId: string; step: BulkStep; caller: Caller; session: Session };

  /** Throws unless the admin may, and records the step: without the record there is none. */
  const begin = async ({ jobId, step, caller, session }: Step): Promise<void> => {
    const { data } = await worker(bulkEndpoints.getJob, { jobId }, { caller });
    const { kind, reason } = data;
    // An undo is a change of another kind.
    const change = step === 'undo' ? UNDO_KINDS[kind] : kind;
    if (change === undefined) throw createError('worker.job_not_undoable');
    assertMay(change, session);
    await identity(bulkRecordEndpoint, { jobId, step, kind, reason }, { caller });
  };

  return [
    composed(publicBulkEndpoints.createBulkJob, async ({ input, caller, session }) => {
      const { jobId, kind, reason } = input;
      assertMay(kind, session);
      const order = await withIds(services, input, caller);
      await identity(bulkRecordEndpoint, { jobId, step: 'start', kind, reason }, { caller });
      const { data } = await worker(bulkEndpoints.createJob, order, { caller });
      return nameJob(parts, data, caller);
    }),

    composed(publicBulkEndpoints.pauseBulkJob, async ({ input: { jobId }, caller, session }) => {
      await begin({ jobId, step: 'pause', caller, session });
      const { data } = await worker(bulkEndpoints.pauseJob, { jobId }, { caller });
      return nameJob(parts, data, caller);
    }),

    composed(publicBulkEndpoints.continueBulkJob, async ({ input: { jobId }, caller, session }) => {
      await begin({ jobId, step: 'continue', caller, session });
      const { data } = await worker(bulkEndpoints.continueJob, { jobId }, { caller });
      return nameJob(parts, data, caller);
    }),

    composed(publicBulkEndpoints.cancelBulkJob, async ({ input: { jobId }, caller, session }) => {
      await begin({ jobId, step: 'cancel', caller, session });
      const { data } = await worker(bulkEndpoints.cancelJob, { jobId }, { caller });
      return nameJob(parts, data, caller);
    }),

    composed(publicBulkEndpoints.undoBulkJob, async ({ input: { jobId }, caller, session }) => {
      await begin({ jobId, step: 'undo', caller, session });
      const { data } = await worker(bulkEndpoints.undoJob, { jobId }, { caller });
      return nameJob(parts, data, caller);
    }),
  ];
};

/** The changes of many users, which worker makes. */
export const bulkJobEndpoints = (parts: Parts): Route[] => [
  ...readEndpoints(parts),
  ...changeEndpoints(parts),
];
