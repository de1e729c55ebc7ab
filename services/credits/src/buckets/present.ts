import type { BucketRecord, CreditBucket, UserBuckets } from '@shortlist/contracts/api/credit-buckets';
import type { CreditsBalance, CreditsView } from '@shortlist/contracts/api/credits';
import type { Tx } from '@shortlist/kit/data/db';
import { countCharges } from '../ledger/sum-queries.ts';
import { type CurrentWindow, findCurrentWindow } from '../windows/credit-window.ts';
import { findNewestWindow } from '../windows/queries.ts';
import { availableIn, inChargingOrder, isBefore } from './bucket.rules.ts';
import { type BucketRow, listBucketsOf, listUsable } from './queries.ts';

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
const presentBuckets = (
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

const amounts = ({ open, next }: CurrentWindow) => {
  if (open !== null)
    return {
      plan: open.plan,
      limit: open.limit,
      used: open.used,
      startsAt: open.startsAt,
      endsAt: open.periodEnd,
      chargedUntil: open.endsAt,
    };
  // A free window has no dates before its first charge; a premium window has the dates of its coverage.
  const dates =
    next.plan === 'premium'
      ? { startsAt: next.startsAt, endsAt: next.periodEnd }
      : { startsAt: null, endsAt: null };
  return { plan: next.plan, limit: next.limit, used: 0, ...dates, chargedUntil: next.endsAt };
};

const isoOf = (moment: Date | null): string | null => moment?.toISOString() ?? null;

/** The balance of a user at `now`, with the window of the plan in it. */
const readBalance = async (tx: Tx, userId: string, now: Date) => {
  const window = await findCurrentWindow(tx, userId, now);
  const current = amounts(window);
  const others = window.holdings.inBuckets === 0 ? [] : await listUsable(tx, userId, now);
  const buckets = presentBuckets({ ...current, endsAt: isoOf(current.endsAt) }, others, now);
  const { plan, limit, used, startsAt, endsAt } = current;
  const available = buckets.reduce((sum, bucket) => sum + bucket.available, 0);
  const dates = { windowStart: isoOf(startsAt), windowEnd: isoOf(endsAt) };
  const balance: CreditsBalance = { plan, limit, used, available, ...dates, buckets };
  return { window, balance };
};

/** What a user can charge at `now`. */
export const presentBalance = async (tx: Tx, userId: string, now: Date): Promise<CreditsBalance> =>
  (await readBalance(tx, userId, now)).balance;

/** A user's credits at `now`. */
export const presentCredits = async (tx: Tx, userId: string, now: Date): Promise<CreditsView> => {
  const { window, balance } = await readBalance(tx, userId, now);
  const isExhausted = balance.available === 0;
  const [premium, free] = await Promise.all([
    findNewestWindow(tx, userId, 'premium'),
    findNewestWindow(tx, userId, 'free'),
  ]);
  return {
    ...balance,
    exhausted: isExhausted,
    premiumUsed: premium?.used ?? 0,
    freeUsed: free && free.endsAt > now ? free.used : 0,
    usedFor: isExhausted && window.open !== null ? await countCharges(tx, window.open.id) : null,
  };
};

/** The same for an admin, with every grant and pack. */
export const presentUserBuckets = async (tx: Tx, userId: string, now: Date): Promise<UserBuckets> => {
  const {
    balance: { available, buckets },
  } = await readBalance(tx, userId, now);
  const records = await listBucketsOf(tx, userId);
  return { available, buckets, records: records.map((bucket) => recordOf(bucket, now)) };
};
