import {
  type FailedJob,
  jobEndpoints,
  QUEUE_NAMES,
  type QueueName,
  type QueueStatus,
  type WorkStatus,
} from '@shortlist/contracts/api/system';
import { FAILED_JOBS_MAX } from '@shortlist/contracts/limits';
import type { Db } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { JobQueue } from '@shortlist/kit/messaging/jobs';
import { createError, isUnavailable } from '@shortlist/kit/process/errors';
import { maskSecrets } from '@shortlist/kit/process/mask-secrets';
import { findReport } from '../backups/queries.ts';
import { findVerification } from '../verifications/queries.ts';
import { countMailsByTemplate, measureUnsent } from '../mail/queries.ts';

type Watched = Pick<JobQueue<never>, 'measure' | 'listFailed' | 'retry'>;
type Parts = { db: Db; queues: Readonly<Record<QueueName, Watched>> };

const ERROR_MAX = 300;

const readQueue = async (name: QueueName, queue: Watched): Promise<QueueStatus> => {
  const { jobs, oldestMs } = await queue.measure();
  const { waiting, failed } = jobs;
  return { name, waiting, failed, oldestSeconds: Math.round(oldestMs / 1_000) };
};

/** null while Redis is away: the mails and backups are in the database. */
const readQueuesUnlessAway = async ({ queues }: Parts): Promise<WorkStatus['queues']> => {
  try {
    return await Promise.all(QUEUE_NAMES.map((name) => readQueue(name, queues[name])));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return null;
  }
};

const readStatus = async (parts: Parts): Promise<WorkStatus> => {
  const { manager } = parts.db;
  const [queues, unsent, mails, newest, verified, verification] = await Promise.all([
    readQueuesUnlessAway(parts),
    measureUnsent(manager),
    countMailsByTemplate(manager),
    findReport(manager, 'backup'),
    findReport(manager, 'verified'),
    findVerification(manager),
  ]);
  const backups = { newest: newest?.toISOString() ?? null, verified: verified?.toISOString() ?? null };
  const { count: waiting, oldestSeconds } = unsent;
  return { queues, unsent: { waiting, oldestSeconds }, mails, backups, verification };
};

const listFailed = async ({ queues }: Parts): Promise<FailedJob[]> => {
  const lists = await Promise.all(
    QUEUE_NAMES.map(async (queue) =>
      (await queues[queue].listFailed(FAILED_JOBS_MAX)).map(({ id, error, failedAt, ...job }) => ({
        ...job,
        queue,
        jobId: id,
        error: maskSecrets(error).slice(0, ERROR_MAX),
        failedAt: failedAt?.toISOString() ?? null,
      })),
    ),
  );
  return lists.flat().toSorted((one, other) => (other.failedAt ?? '').localeCompare(one.failedAt ?? ''));
};

/** What the System screen shows of the queues, the emails and the backups, and has tried again. */
export const addWorkEndpoints = (router: Router, parts: Parts): void => {
  router.add(jobEndpoints.getWorkStatus, async () => ({ data: await readStatus(parts) }));

  router.add(jobEndpoints.listFailedJobs, async () => ({ data: await listFailed(parts) }));

  router.add(jobEndpoints.retryJob, async ({ input: { queue, jobId } }) => {
    if (!(await parts.queues[queue].retry(jobId))) throw createError('worker.job_not_failed');
    return {};
  });
};
