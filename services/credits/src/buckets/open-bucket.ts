// How the plan's buckets open, with the first charge, a plan, a month of it or a reset, and how they end.
import { creditsReset } from '@shortlist/contracts/events/credits';
import { NO_PLAN, type PlanState } from '@shortlist/contracts/plan';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import {
  deleteCycles,
  findAccount,
  isDeleted,
  listDueCycles,
  listPlanStates,
  lockAccount,
  lockDueCycles,
  lockFreeCycle,
  upsertCycles,
} from '../accounts/queries.ts';
import {
  coverageInForce,
  monthInForce,
  type NewPlanBucket,
  nextFreeBucket,
  nextMonthAt,
  opensLater,
  periodEndOf,
  windowOf,
} from './plan-bucket.rules.ts';
import { findBucket, findCurrentBuckets, insertBuckets, listFreeEnds } from './queries.ts';

const emitReset = async (tx: Tx, bucket: NewPlanBucket, periodEnd: Date, clock: Clock): Promise<void> => {
  await emit(tx, creditsReset, { subject: bucket.userId, data: windowOf(bucket, periodEnd), clock });
};

/** Returns false, with nothing written, when the bucket's source has opened one before. */
export const openBucket = async (
  tx: Tx,
  bucket: NewPlanBucket,
  periodEnd: Date,
  clock: Clock,
): Promise<boolean> => {
  if ((await insertBuckets(tx, bucket)) === 0) return false;
  await emitReset(tx, bucket, periodEnd, clock);
  return true;
};

/** When a bucket of a user is due next: the free one, or that of the next month of the plan. Null for none. */
const nextDue = (state: PlanState, freeEnd: Date | undefined, now: Date): Date | null => {
  const month = nextMonthAt(state, now);
  return freeEnd === undefined || (month !== null && month < freeEnd) ? month : freeEnd;
};

/** Notes when the next month of a plan is due. The caller has locked the account. */
export const scheduleMonth = async (tx: Tx, userId: string, state: PlanState, now: Date): Promise<void> => {
  if (nextMonthAt(state, now) === null) return;
  const dueAt = nextDue(state, (await listFreeEnds(tx, [userId])).get(userId), now);
  if (dueAt !== null) await upsertCycles(tx, [{ userId, dueAt }]);
};

/**
 * Opens the bucket that the next charge counts in, and returns whether it did. Concurrent first charges wait for the lock and find the one that
 * the first has opened. That of a plan's month opens under the lock of the plan, so that none opens after the plan has ended.
 */
export const openNextBucket = async (tx: Tx, userId: string, clock: Clock): Promise<boolean> => {
  const now = clock();
  const isPremium = coverageInForce((await findAccount(tx, userId)).planState, now) !== null;
  if (isPremium && !(await lockAccount(tx, userId))) throw createError('credits.user_not_found');
  await lockFreeCycle(tx, userId, now);
  if (await isDeleted(tx, userId)) throw createError('credits.user_not_found');
  const { isOpen, plan, state } = await findCurrentBuckets(tx, userId, clock());
  if (isOpen) return false;
  await openBucket(tx, plan, periodEndOf(plan, state, now), clock);
  if (plan.plan === 'free') await upsertCycles(tx, [{ userId, dueAt: plan.endsAt }]);
  else await scheduleMonth(tx, userId, state, now);
  return true;
};

/** Opens the months that are due of plans. Returns how many; a concurrent run or a charge may have been faster. */
const openDueMonths = async (db: Db, clock: Clock, limit: number): Promise<number> => {
  const due = await listDueCycles(db.manager, clock(), limit);
  let opened = 0;
  for (const [userId, state] of await listPlanStates(db.manager, due))
    if (opensLater(state) && coverageInForce(state, clock()) !== null)
      opened += Number(await inTransaction(db, (tx) => openNextBucket(tx, userId, clock)));
  return opened;
};

/** Whether the month in force has no bucket yet: a run that began before it was due has not opened it. */
const lacksMonth = async (tx: Tx, userId: string, state: PlanState, now: Date): Promise<boolean> => {
  const month = opensLater(state) ? monthInForce(state, now) : null;
  return month !== null && (await findBucket(tx, userId, month.key)) === null;
};

/**
 * Opens the next bucket of users whose free one or whose month of the plan has ended, only the one in force however long the downtime. Concurrent runs
 * take different chunks.
 */
export const resetDue = async (
  db: Db,
  clock: Clock,
  limit: number,
): Promise<{ reset: number; more: boolean }> => {
  const months = await openDueMonths(db, clock, limit);
  const { reset, more } = await resetFree(db, clock, limit);
  return { reset: reset + months, more };
};

const resetFree = (db: Db, clock: Clock, limit: number): Promise<{ reset: number; more: boolean }> =>
  inTransaction(db, async (tx) => {
    const now = clock();
    const due = await lockDueCycles(tx, now, limit);
    const ends = await listFreeEnds(tx, due);
    const next = [...ends]
      .filter(([, end]) => end <= now)
      .map(([userId, end]) => nextFreeBucket(userId, end, now));
    await insertBuckets(tx, ...next);
    for (const { userId, endsAt } of next) ends.set(userId, endsAt);
    const states = await listPlanStates(tx, due);
    const cycles: { userId: string; dueAt: Date }[] = [];
    // A cycle without anything due is left by a charge that did not commit, or by a premium one.
    const others: string[] = [];
    for (const userId of due) {
      const state = states.get(userId) ?? NO_PLAN;
      const dueAt = nextDue(state, ends.get(userId), now);
      if (await lacksMonth(tx, userId, state, now)) continue; // stays due for the next run
      if (dueAt === null) others.push(userId);
      else cycles.push({ userId, dueAt });
    }
    await upsertCycles(tx, cycles);
    await deleteCycles(tx, others);
    for (const bucket of next) await emitReset(tx, bucket, bucket.endsAt, clock);
    return { reset: next.length, more: due.length === limit };
  });
