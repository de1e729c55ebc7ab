import type { BucketRecord, CreditBucket } from '@shortlist/contracts/api/credit-buckets';
import { availableIn, inChargingOrder, isBefore } from './bucket.rules.ts';
import type { BucketRow } from './queries.ts';

const present = (bucket: BucketRow, now: Date): CreditBucket => ({
  id: bucket.id,
  kind: bucket.kind,
  credits: bucket.credits,
  used: bucket.used,
  available: availableIn(bucket, now),
  endsAt: bucket.endsAt?.toISOString() ?? null,
});

export const recordOf = (bucket: BucketRow, now: Date): BucketRecord => ({
  ...present(bucket, now),
  isOver: bucket.usable === 0 || (bucket.endsAt !== null && bucket.endsAt <= now),
  createdAt: bucket.createdAt.toISOString(),
  reason: bucket.reason,
  grantedBy: bucket.grantedBy,
});

type Window = { limit: number; used: number; chargedUntil: Date; endsAt: string | null };

/** All buckets of a user in the order of charging. `chargedUntil` is the end by which the window has its place among them. */
export const presentBuckets = (
  { limit, used, chargedUntil, endsAt }: Window,
  buckets: readonly BucketRow[],
  now: Date,
): CreditBucket[] => {
  const plan: CreditBucket = {
    id: 'plan',
    kind: 'plan',
    credits: limit,
    used,
    available: limit - used,
    endsAt,
  };
  const ordered = inChargingOrder(buckets);
  const before = ordered.filter((bucket) => isBefore(bucket, chargedUntil)).length;
  return ordered.map((bucket) => present(bucket, now)).toSpliced(before, 0, plan);
};
