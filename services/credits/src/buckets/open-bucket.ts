// How the plan's buckets open, with the first charge, a plan or a reset, and how they end.
import { creditsReset } from '@shortlist/contracts/events/credits';
import { type Coverage, type PlanState } from '@shortlist/contracts/plan';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import {
  deleteCycles,
  isDeleted,
  lockAccount,
  lockDueCycles,
  lockFreeCycle,
  updateOlderPlanState,
  upsertCycles,
} from '../accounts/queries.ts';
import {
  type NewPlanBucket,
  nextFreeBucket,
  periodEndOf,
  premiumBucket,
  windowOf,
} from './plan-bucket.rules.ts';
import { endOtherPremium, findCurrentBuckets, insertBuckets, listFreeEnds, updateBucket } from './queries.ts';

const emitReset = async (tx: Tx, bucket: NewPlanBucket, periodEnd: Date, clock: Clock): Promise<void> => {
  await emit(tx, creditsReset, { subject: bucket.userId, data: windowOf(bucket, periodEnd), clock });
};

/** Returns false, with nothing written, when the bucket's source has opened one before. */
const openBucket = async (tx: Tx, bucket: NewPlanBucket, periodEnd: Date, clock: Clock): Promise<boolean> => {
  if ((await insertBuckets(tx, bucket)) === 0) return false;
  await emitReset(tx, bucket, periodEnd, clock);
  return true;
};

/** Opens the bucket that the next charge counts in. Concurrent first charges wait for the lock and find the one that the first has opened. */
export const openNextBucket = async (tx: Tx, userId: string, clock: Clock): Promise<void> => {
  const now = clock();
  await lockFreeCycle(tx, userId, now);
  if (await isDeleted(tx, userId)) throw createError('credits.user_not_found');
  const { isOpen, plan, state } = await findCurrentBuckets(tx, userId, clock());
  if (isOpen) return;
  await openBucket(tx, plan, periodEndOf(plan, state, now), clock);
  if (plan.plan === 'free') await upsertCycles(tx, [{ userId, dueAt: plan.endsAt }]);
};

/**
 * Brings the plan's buckets in line with a plan state. A coverage opens its bucket once, whichever event carries it; a bucket without a
 * coverage ends; charges stay in the bucket in which they were counted. A state that is not newer than the stored one changes nothing.
 */
export const applyPlanState = async (
  tx: Tx,
  userId: string,
  state: PlanState,
  clock: Clock,
): Promise<void> => {
  if (!(await lockAccount(tx, userId)) || !(await updateOlderPlanState(tx, userId, state))) return;
  const coverages = [state.paid, state.granted].filter((coverage): coverage is Coverage => coverage !== null);
  for (const coverage of coverages) {
    const bucket = premiumBucket(userId, coverage);
    if (!(await openBucket(tx, bucket, new Date(coverage.end), clock)))
      await updateBucket(tx, bucket, { endsAt: bucket.endsAt });
  }
  const paidKeys = coverages.map(({ key }) => key);
  await endOtherPremium(tx, userId, paidKeys, clock());
};

/** Opens the next bucket of users whose free one has ended, only one each however long the downtime. Concurrent runs take different chunks. */
export const resetDue = (db: Db, clock: Clock, limit: number): Promise<{ reset: number; more: boolean }> =>
  inTransaction(db, async (tx) => {
    const now = clock();
    const due = await lockDueCycles(tx, now, limit);
    const ends = await listFreeEnds(tx, due);
    const next = [...ends]
      .filter(([, end]) => end <= now)
      .map(([userId, end]) => nextFreeBucket(userId, end, now));
    await insertBuckets(tx, ...next);
    for (const { userId, endsAt } of next) ends.set(userId, endsAt);
    const cycles = [...ends].map(([userId, dueAt]) => ({ userId, dueAt }));
    await upsertCycles(tx, cycles);
    // A cycle without a free bucket is left by a charge that did not commit, or by a premium one.
    const others = due.filter((userId) => !ends.has(userId));
    await deleteCycles(tx, others);
    for (const bucket of next) await emitReset(tx, bucket, bucket.endsAt, clock);
    return { reset: next.length, more: due.length === limit };
  });
