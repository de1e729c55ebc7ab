import {
  type BulkOptions,
  ITEM_STATES,
  type ItemState,
  JOB_STATES,
  type JobKind,
  type JobProblem,
  type JobState,
  type UserFilter,
} from '@shortlist/contracts/api/bulk';
import { BULK_JOB_DAYS, BULK_JOBS_PAGE } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { change } from '@shortlist/kit/data/sql';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { In, LessThan, MoreThan } from 'typeorm';
import { uuidv7 } from 'uuidv7';

/** `filter` may name a person, so it is removed once all users are known. */
export const bulkJobEntity = defineEntity('bulk_job', 'bulk_jobs', {
  id: { ...column.uuid, primary: true },
  kind: column.varchar<JobKind>(20),
  state: column.enumOf(JOB_STATES),
  problem: column.nullable(column.varchar<JobProblem>(20)),
  reason: column.varchar(300),
  options: column.json<BulkOptions>(),
  filter: column.nullable(column.json<UserFilter>()),
  cursorText: column.nullable(column.text),
  /** The number of users that the admin typed. */
  expected: column.nullable(column.unsigned),
  createdBy: column.uuid,
  address: column.varchar(45),
  undoOf: column.nullable(column.uuid),
  total: { ...column.unsigned, default: 0 },
  done: { ...column.unsigned, default: 0 },
  skipped: { ...column.unsigned, default: 0 },
  failed: { ...column.unsigned, default: 0 },
  createdAt: column.dateTime,
  resolvedAt: column.nullable(column.dateTime),
  finishedAt: column.nullable(column.dateTime),
});
export type JobRow = RowOf<typeof bulkJobEntity>;

export const bulkItemEntity = defineEntity('bulk_item', 'bulk_items', {
  id: { ...column.uuid, primary: true },
  jobId: column.uuid,
  position: column.unsigned,
  userId: column.uuid,
  state: column.enumOf(ITEM_STATES),
  why: column.nullable(column.varchar(60)),
  tries: { ...column.unsigned, default: 0 },
  undoable: { ...column.boolean, default: false },
  ofItem: column.nullable(column.uuid),
  planVersion: column.nullable(column.unsigned),
  createdAt: column.dateTime,
});
export type ItemRow = RowOf<typeof bulkItemEntity>;

export const EXPIRED_JOBS: readonly PruneRule[] = ['bulk_items', 'bulk_jobs'].map((table) => ({
  days: BULK_JOB_DAYS,
  remove: `DELETE FROM ${table} WHERE created_at < ? ORDER BY created_at LIMIT ?`,
}));

const jobs = (tx: Tx) => tx.getRepository(bulkJobEntity);
const items = (tx: Tx) => tx.getRepository(bulkItemEntity);

export const findJob = (tx: Tx, id: string): Promise<JobRow | null> => jobs(tx).findOneBy({ id });

export const findUndoOf = (tx: Tx, id: string): Promise<JobRow | null> => jobs(tx).findOneBy({ undoOf: id });

export const lockJob = (tx: Tx, id: string): Promise<JobRow | null> =>
  jobs(tx).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });

/** A page of the jobs older than `before`, newest first. */
export const listJobs = (tx: Tx, before: string | undefined): Promise<JobRow[]> =>
  jobs(tx).find({
    where: before === undefined ? {} : { id: LessThan(before) },
    order: { id: 'DESC' },
    take: BULK_JOBS_PAGE,
  });

/** Those of the jobs that another one undoes. */
export const listUndone = async (tx: Tx, ids: readonly string[]): Promise<Set<string | null>> => {
  const undoing = await jobs(tx).find({ select: { undoOf: true }, where: { undoOf: In(ids) } });
  return new Set(undoing.map(({ undoOf }) => undoOf));
};

/** The oldest first. */
export const listRunningJobs = (tx: Tx): Promise<JobRow[]> =>
  jobs(tx).find({ where: { state: 'running' }, order: { id: 'ASC' } });

const IS_OPEN = { state: In(['running', 'paused'] satisfies JobState[]) };

/** Counts the open jobs. They are locked before, so that one opened by another request in the meantime is among them. */
export const lockAndCountOpenJobs = async (tx: Tx): Promise<number> => {
  await jobs(tx).find({
    select: { id: true },
    where: IS_OPEN,
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  return jobs(tx).countBy(IS_OPEN);
};

type NewJob = Omit<JobRow, 'total' | 'done' | 'skipped' | 'failed' | 'resolvedAt' | 'finishedAt' | 'problem'>;

/** Returns false if the job exists. */
export const insertJob = async (tx: Tx, job: NewJob): Promise<boolean> =>
  (await insertIfAbsent(tx, bulkJobEntity, job)) === 1;

export const updateJob = async (tx: Tx, id: string, values: Partial<JobRow>): Promise<void> => {
  await jobs(tx).update({ id }, values);
};

/** A user of a new item; of an undo, with what it undoes. */
export type ItemUser = Pick<ItemRow, 'userId'> & Partial<Pick<ItemRow, 'ofItem' | 'planVersion'>>;

/** Adds users to a job, each once, and returns how many were new. */
export const insertItems = (
  tx: Tx,
  { id: jobId, total }: Pick<JobRow, 'id' | 'total'>,
  { users, createdAt }: { users: readonly ItemUser[]; createdAt: Date },
): Promise<number> =>
  insertIfAbsent(
    tx,
    bulkItemEntity,
    users.map((user, index) => ({
      id: uuidv7(),
      jobId,
      position: total + index,
      state: 'waiting' as const,
      createdAt,
      ...user,
    })),
  );

type ItemsQuery = { jobId: string; state?: ItemState | undefined; after?: number | undefined; limit: number };

/** A page of the users of a job after a position, in the order in which they were found. */
export const listItems = (tx: Tx, { jobId, state, after, limit }: ItemsQuery): Promise<ItemRow[]> =>
  items(tx).find({
    where: {
      jobId,
      ...(state === undefined ? {} : { state }),
      ...(after === undefined ? {} : { position: MoreThan(after) }),
    },
    order: { position: 'ASC' },
    take: limit,
  });

/** Of a job, a page of what can be undone. */
export const listUndoable = (
  tx: Tx,
  { jobId, after, limit }: Pick<ItemsQuery, 'jobId' | 'limit'> & { after: number },
): Promise<ItemRow[]> =>
  items(tx).find({
    where: { jobId, state: 'done', undoable: true, position: MoreThan(after) },
    order: { position: 'ASC' },
    take: limit,
  });

export const hasUndoable = (tx: Tx, jobId: string): Promise<boolean> =>
  items(tx).existsBy({ jobId, state: 'done', undoable: true });

/**
 * The next users of a job. Each is counted as tried before the attempt: one that ends the process, or whose service is away, comes last and
 * holds up no other.
 */
export const claimItems = (db: Db, jobId: string, limit: number): Promise<ItemRow[]> =>
  inTransaction(db, async (tx) => {
    const due = await items(tx).find({
      where: { jobId, state: 'waiting' },
      order: { tries: 'ASC', position: 'ASC' },
      take: limit,
      lock: { mode: 'pessimistic_write' },
    });
    await items(tx).update({ id: In(due.map(({ id }) => id)) }, { tries: () => 'tries + 1' });
    return due.map((item) => ({ ...item, tries: item.tries + 1 }));
  });

/** Before a change that can be undone, so that a repeated attempt knows that it made the change. */
export const markUndoable = async (tx: Tx, id: string): Promise<void> => {
  await items(tx).update({ id }, { undoable: true });
};

/** `planVersion`: that of the plan after a change that can be undone only while nothing else changes the plan. */
export type Settlement = {
  state: Exclude<ItemState, 'waiting'>;
  why: string | null;
  undoable: boolean;
  planVersion?: number;
};

/** Records the result for one user and counts it, once. */
export const settleItem = async (
  tx: Tx,
  { id, jobId }: Pick<ItemRow, 'id' | 'jobId'>,
  settlement: Settlement,
): Promise<boolean> => {
  const { affected } = await items(tx).update({ id, state: 'waiting' }, settlement);
  if (affected !== 1) return false;
  const { state } = settlement; // the name of its count
  await change(tx, { sql: `UPDATE bulk_jobs SET ${state} = ${state} + 1 WHERE id = ?`, values: [jobId] });
  return true;
};
