import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { DIRECTORY_PAGE_MAX } from '@shortlist/contracts/limits';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { insertItems, type ItemUser, type JobRow, listUndoable, lockJob, updateJob } from './queries.ts';

type Parts = { db: Db; clock: Clock; profile: ServiceClient };
/** `next`: the cursor of the next page; null after the last one. */
type Page = { users: ItemUser[]; next: string | null };

/** A page for a list of any length takes longer than one on a screen. */
const TIMEOUT_MS = 10_000;

const MISCOUNTED = { state: 'canceled', problem: 'count', address: '' } as const;

const readFilter = async ({ profile }: Parts, job: JobRow, caller: Caller): Promise<Page> => {
  const { data, next } = await profile(
    directoryEndpoints.listDirectory,
    {
      ...job.filter,
      limit: DIRECTORY_PAGE_MAX,
      ...(job.cursorText === null ? {} : { cursor: job.cursorText }),
    },
    { caller, timeoutMs: TIMEOUT_MS },
  );
  return { users: data.map(({ id }) => ({ userId: id })), next };
};

const readUndoable = async ({ db }: Parts, jobId: string, cursor: string | null): Promise<Page> => {
  const page = { jobId, after: Number(cursor ?? -1), limit: DIRECTORY_PAGE_MAX };
  const rows = await listUndoable(db.manager, page);
  const last = rows.length === DIRECTORY_PAGE_MAX ? rows.at(-1) : undefined;
  return {
    users: rows.map(({ id, userId, planVersion }) => ({ userId, ofItem: id, planVersion })),
    next: last === undefined ? null : String(last.position),
  };
};

/**
 * Finds the next page of a job's users. All are found before anything is done, because a change such as a grant moves users out of the filter
 * while it is read.
 */
export const resolveUsers = async (parts: Parts, job: JobRow, caller: Caller): Promise<void> => {
  const { users, next } =
    job.undoOf === null
      ? await readFilter(parts, job, caller)
      : await readUndoable(parts, job.undoOf, job.cursorText);
  const now = parts.clock();
  await inTransaction(parts.db, async (tx) => {
    const current = await lockJob(tx, job.id);
    // Paused or canceled meanwhile, or another process has stored this page.
    if (current?.state !== 'running' || current.cursorText !== job.cursorText || current.resolvedAt !== null)
      return;
    const total = current.total + (await insertItems(tx, current, { users, createdAt: now }));
    if (next !== null) return updateJob(tx, job.id, { total, cursorText: next });
    const isUnexpected = current.kind === 'delete' && total !== current.expected;
    await updateJob(tx, job.id, {
      total,
      cursorText: null,
      filter: null,
      resolvedAt: now,
      ...(isUnexpected && { ...MISCOUNTED, finishedAt: now }),
    });
  });
};
