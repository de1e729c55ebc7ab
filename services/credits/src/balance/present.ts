import type {
  BucketRecord,
  CreditBucket,
  CreditsBalance,
  CreditsView,
  SpendReason,
  UserBuckets,
} from '@shortlist/contracts/api/credits';
import type { Tx } from '@shortlist/kit/data/db';
import { sumUsage } from '../ledger/queries.ts';
import { availableIn, balanceOf, inChargingOrder, limitOf, type NewBucket } from '../buckets/bucket.rules.ts';
import { periodEndOf } from '../buckets/plan-bucket.rules.ts';
import {
  type CurrentBuckets,
  findCurrentBuckets,
  findNewestUse,
  listOtherBuckets,
} from '../buckets/queries.ts';

const present = (bucket: NewBucket, now: Date): CreditBucket => {
  const { source: id, kind, credits, used, endsAt } = bucket;
  return {
    id,
    kind,
    credits,
    used,
    available: availableIn(bucket, now),
    endsAt: endsAt?.toISOString() ?? null,
  };
};

/** A grant or a pack as an admin sees it. */
export const recordOf = (bucket: NewBucket, now: Date): BucketRecord => ({
  ...present(bucket, now),
  isOver: bucket.usable === 0 || (bucket.endsAt !== null && bucket.endsAt <= now),
  createdAt: bucket.startsAt.toISOString(),
  reason: bucket.reason,
  grantedBy: bucket.grantedBy,
});

const presentCurrent = (current: CurrentBuckets, now: Date): CreditsBalance => {
  const { plan, others, state, isOpen } = current;
  // A free bucket has no dates before its first charge; a premium one has those of its coverage.
  const hasDates = isOpen || plan.plan === 'premium';
  const windowStart = hasDates ? plan.startsAt.toISOString() : null;
  const windowEnd = hasDates ? periodEndOf(plan, state, now).toISOString() : null;
  const buckets = inChargingOrder<NewBucket>([plan, ...others]).map((bucket) =>
    bucket === plan
      ? { ...present(bucket, now), id: 'plan', credits: limitOf(plan), endsAt: windowEnd }
      : present(bucket, now),
  );
  return { plan: plan.plan, ...balanceOf(plan, others, now), windowStart, windowEnd, buckets };
};

export const presentBalance = async (tx: Tx, userId: string, now: Date): Promise<CreditsBalance> =>
  presentCurrent(await findCurrentBuckets(tx, userId, now), now);

/** What was charged while this bucket was in force, less what was returned; null if it has too many entries. */
const presentUse = async (tx: Tx, bucketId: number): Promise<CreditsView['usedFor']> => {
  const rows = await sumUsage(tx, { bucketId });
  const sumOf = (wanted: SpendReason): number =>
    (rows ?? [])
      .filter(({ reason }) => reason === wanted)
      .reduce((sum, { charged, returned }) => sum + charged - returned, 0);
  return rows && { messages: sumOf('message_composed'), emails: sumOf('email_found') };
};

export const presentCredits = async (tx: Tx, current: CurrentBuckets, now: Date): Promise<CreditsView> => {
  const balance = presentCurrent(current, now);
  const exhausted = balance.available === 0;
  const { premium, free } = await findNewestUse(tx, current.userId, now);
  return {
    ...balance,
    exhausted,
    premiumUsed: premium ?? 0,
    freeUsed: free ?? 0,
    usedFor: exhausted && current.isOpen ? await presentUse(tx, current.plan.id) : null,
  };
};

export const presentUserBuckets = async (tx: Tx, userId: string, now: Date): Promise<UserBuckets> => {
  const { available, buckets } = await presentBalance(tx, userId, now);
  const records = await listOtherBuckets(tx, userId);
  return { available, buckets, records: records.map((bucket) => recordOf(bucket, now)) };
};
