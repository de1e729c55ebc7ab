import { setTimeout as sleep } from 'node:timers/promises';
import { may } from '@shortlist/contracts/admin-permissions';
import { JOB_PERMISSIONS } from '@shortlist/contracts/api/bulk';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { seconds } from '@shortlist/contracts/durations';
import { inTransaction } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import type { Caller } from '@shortlist/kit/http/service-token';
import { AppError } from '@shortlist/kit/process/errors';
import { settleAll } from '@shortlist/kit/process/settle-all';
import { type Senders, wakeSender } from '../mail/send-mail.ts';
import { type ChangeParts, changeUser, storeMessage } from './change-user.ts';
import { isPaced, templateOf } from './job.rules.ts';
import {
  claimItems,
  type ItemRow,
  type JobRow,
  listRunningJobs,
  lockJob,
  settleItem,
  type Settlement,
  updateJob,
} from './queries.ts';
import { resolveUsers } from './resolve-users.ts';

type Parts = ChangeParts & Senders & { pauseMs?: number };

/** How long a run goes on. The next one follows soon. */
const RUN_MS = seconds(20);
/** Users in hand when a job is paused or canceled, or its admin loses the permission. */
const CHUNK = 10;
const PACED_CHUNK = 2;
/** Between users for whom Stripe is called: each takes a few calls of a hundred a second, or of 25 in test mode. */
const PAUSE_MS = 500;
/** Attempts for one user while a service is away. There is one in two seconds at most, so a service may be away for ten minutes. */
const TRIES_MAX = 300;

/** The services record what the admin of the job does as if it came from the page. */
const callerOf = ({ createdBy, address }: JobRow): Caller => ({
  role: 'admin',
  userId: createdBy,
  ...(address === '' ? {} : { address }),
});

const isAllowed = async ({ identity }: Parts, { createdBy, kind }: JobRow): Promise<boolean> => {
  const { data: admins } = await identity(identityEndpoints.listAdmins, {}, asService());
  const role = admins.find(({ userId }) => userId === createdBy)?.role ?? null;
  return may(role, JOB_PERMISSIONS[kind]);
};

/** Ends a job unless it was paused or canceled meanwhile. */
const endJob = ({ db, clock }: Parts, { id }: JobRow, values: Pick<JobRow, 'state' | 'problem'>) =>
  inTransaction(db, async (tx) => {
    if ((await lockJob(tx, id))?.state !== 'running') return;
    await updateJob(tx, id, { ...values, filter: null, address: '', finishedAt: clock() });
  });

const settle = async ({ db }: Parts, job: JobRow, item: ItemRow, settlement: Settlement): Promise<void> =>
  inTransaction(db, async (tx) => {
    const isFirst = await settleItem(tx, item, settlement);
    if (isFirst && settlement.state === 'done') await storeMessage(tx, job, item);
  });

/** Returns whether there is a result. Without one, the user waits for another attempt. */
const changeItem = async (parts: Parts, job: JobRow, item: ItemRow): Promise<boolean> => {
  try {
    await settle(parts, job, item, await changeUser(parts, { job, item, caller: callerOf(job) }));
    return true;
  } catch (error) {
    parts.log.warn({ err: error, jobId: job.id, itemId: item.id }, 'user of a job not changed');
    if (item.tries < TRIES_MAX) return false;
    const why = error instanceof AppError ? error.code : 'service.failed';
    await settle(parts, job, item, { state: 'failed', why, undoable: item.undoable });
    return true;
  }
};

const changeItems = async (parts: Parts, job: JobRow): Promise<boolean> => {
  const isSlow = isPaced(job.kind);
  const items = await claimItems(parts.db, job.id, isSlow ? PACED_CHUNK : CHUNK);
  if (items.length === 0) {
    await endJob(parts, job, { state: 'done', problem: null });
    return true;
  }
  if (!isSlow) {
    const results = await settleAll(items.map((item) => changeItem(parts, job, item)));
    if (templateOf(job.kind) !== null) await wakeSender(parts);
    return results.every(Boolean);
  }
  let hasResults = true;
  for (const item of items) {
    hasResults = (await changeItem(parts, job, item)) && hasResults;
    await sleep(parts.pauseMs ?? PAUSE_MS);
  }
  return hasResults;
};

/** Goes on with a job for a moment. Returns false if it must wait for a service. */
const advanceJob = async (parts: Parts, job: JobRow): Promise<boolean> => {
  try {
    if (!(await isAllowed(parts, job))) {
      await endJob(parts, job, { state: 'canceled', problem: 'permission' });
      return true;
    }
    if (job.resolvedAt !== null) return await changeItems(parts, job);
    await resolveUsers(parts, job, callerOf(job));
    return true;
  } catch (error) {
    parts.log.warn({ err: error, jobId: job.id }, 'job waits');
    return false;
  }
};

/**
 * Goes on with all jobs by turns, so that a short one need not wait for a long one. The caller makes sure that one process at a time does, which
 * also keeps the pace; should two, the results of the first one count.
 */
export const runBulkJobs = async (parts: Parts): Promise<void> => {
  const endsAt = parts.clock().getTime() + RUN_MS;
  for (let isGoing = true; isGoing && parts.clock().getTime() < endsAt;) {
    isGoing = false;
    for (const job of await listRunningJobs(parts.db.manager))
      isGoing = (await advanceJob(parts, job)) || isGoing;
  }
};
