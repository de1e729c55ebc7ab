// What a user can charge at a time: the plan's bucket in force beside the grants and packs with credits left.
import type { Tx } from '@shortlist/kit/data/db';
import type { PlanState } from '@shortlist/contracts/plan';
import type { Bucket } from './bucket.rules.ts';
import {
  coverageInForce,
  freeBucket,
  isPlanBucket,
  type NewPlanBucket,
  nextFreeBucket,
  type PlanBucket,
  planInForce,
  premiumBucket,
} from './plan-bucket.rules.ts';
import { findNewestPlanBucket, readHoldings } from './queries.ts';

/** The buckets of a user with what they were selected by: the plan state, and the version of grants and packs. */
type Selection<Plan> = {
  userId: string;
  state: PlanState;
  bucketVersion: number;
  plan: Plan;
  others: Bucket[];
};
export type OpenBuckets = Selection<PlanBucket> & { isOpen: true };
/** `plan` is not stored yet unless `isOpen`: the next charge opens it. */
export type CurrentBuckets = OpenBuckets | (Selection<NewPlanBucket> & { isOpen: false });

const findNextFree = async (tx: Tx, userId: string, now: Date): Promise<NewPlanBucket> => {
  const last = await findNewestPlanBucket(tx, userId, 'free');
  return last?.endsAt ? nextFreeBucket(userId, last.endsAt, now) : freeBucket(userId, now);
};

/** The buckets at `now`: one read when the plan's is open. */
export const findCurrentBuckets = async (
  tx: Tx,
  userId: string,
  now: Date,
  lock: '' | 'FOR UPDATE' = '',
): Promise<CurrentBuckets> => {
  const { state, bucketVersion, buckets } = await readHoldings(tx, userId, now, lock);
  const coverage = coverageInForce(state, now);
  const others = buckets.filter((bucket) => !isPlanBucket(bucket));
  const selection = { userId, state, bucketVersion, others };
  const open = planInForce(buckets.filter(isPlanBucket), coverage);
  if (open !== null) return { ...selection, plan: open, isOpen: true };
  const next = coverage ? premiumBucket(userId, coverage) : await findNextFree(tx, userId, now);
  return { ...selection, plan: next, isOpen: false };
};

/** Whether two selections are of the same bucket of the plan, by the same versions. */
export const isSameSelection = (one: CurrentBuckets, other: CurrentBuckets): boolean =>
  one.isOpen &&
  other.isOpen &&
  one.plan.id === other.plan.id &&
  one.state.version === other.state.version &&
  one.bucketVersion === other.bucketVersion;
