// A user's credits are in buckets: the window of the plan, credits granted by an admin, and packs. A charge takes from what ends first;
// packs, which do not end, come last, the oldest first. What returns goes back to the bucket it came from, the part that was charged
// last first. `usable` says how many of a bucket's credits may be charged: those of a pack that are paid for, none of a revoked grant.
// `used` only changes by charges and returns. So a refund takes back what is left, and a dispute that is won gives back exactly that; the
// history has this difference of what may be charged, and nothing where there is none.
import type { CreditBucketData } from '@shortlist/contracts/events/credits';
import type { BalanceReason } from '@shortlist/contracts/schemas/credits';

export const BUCKET_KINDS = ['pack', 'grant'] as const;

/** Credits beside those of the plan. `endsAt` is null for a pack. */
export type Bucket = {
  id: string;
  kind: (typeof BUCKET_KINDS)[number];
  credits: number;
  usable: number;
  used: number;
  endsAt: Date | null;
  createdAt: Date;
};

/**
 * What an operation charged to a bucket, or returned to it. `position` is the order of charging: below 0 before the window, above 0
 * after it. What the parts leave of an operation is the window's.
 */
export type Part = { bucketId: string; position: number; amount: number };
export type Division = { inWindow: number; parts: Part[] };

export const availableIn = ({ usable, used, endsAt }: Bucket, now: Date): number =>
  endsAt !== null && endsAt <= now ? 0 : Math.max(0, usable - used);

export const sumAvailable = (buckets: readonly Bucket[], now: Date): number =>
  buckets.reduce((sum, bucket) => sum + availableIn(bucket, now), 0);

/** A bucket before a change, null for a new one, and after it. */
export type BucketChange<B extends Bucket = Bucket> = { before: B | null; after: B };

/** What a change adds to what may be charged at `now`; negative when it takes some away. */
export const addedBy = ({ before, after }: BucketChange, now: Date): number =>
  availableIn(after, now) - (before === null ? 0 : availableIn(before, now));

/** Why a bucket has gained or lost credits. */
export const balanceReasonOf = ({ before, after }: BucketChange, added: number): BalanceReason => {
  if (after.kind === 'grant') return added > 0 ? 'credits_granted' : 'credits_revoked';
  if (added < 0) return 'pack_withdrawn';
  return before === null ? 'pack_bought' : 'pack_restored';
};

/** What events say of a bucket. */
export const dataOf = ({ id, kind, credits, usable, used, endsAt }: Bucket): CreditBucketData => ({
  bucketId: id,
  kind,
  credits,
  usable,
  used,
  endsAt: endsAt?.toISOString() ?? null,
});

const timeOf = (moment: Date | null): number => moment?.getTime() ?? Number.POSITIVE_INFINITY;

const compare = (one: number, other: number): number => (one === other ? 0 : one - other);

/** The order in which buckets are charged. Source: docs/product.md. */
export const inChargingOrder = <B extends Bucket>(buckets: readonly B[]): B[] =>
  buckets.toSorted(
    (one, other) =>
      compare(timeOf(one.endsAt), timeOf(other.endsAt)) ||
      compare(one.createdAt.getTime(), other.createdAt.getTime()) ||
      (one.id < other.id ? -1 : 1),
  );

/** Whether a bucket is charged before a window that ends at `windowEnd`. */
export const isBefore = ({ endsAt }: Bucket, windowEnd: Date): boolean =>
  timeOf(endsAt) < windowEnd.getTime();

/** `bucketId` is null for the window. */
type Slot = { bucketId: string | null; position: number; left: number };

/** Fills slots in their order until `amount` is placed. Null when they have too little room. */
const fill = (slots: readonly Slot[], amount: number): Division | null => {
  const division: Division = { inWindow: 0, parts: [] };
  let rest = amount;
  for (const { bucketId, position, left } of slots) {
    const placed = Math.min(rest, left);
    rest -= placed;
    if (bucketId === null) division.inWindow = placed;
    else if (placed > 0) division.parts.push({ bucketId, position, amount: placed });
  }
  return rest === 0 ? division : null;
};

type Sources = { window: { left: number; endsAt: Date }; buckets: readonly Bucket[]; now: Date };

/** Divides a charge over what a user has. Null when that is too little. */
export const divideCharge = ({ window, buckets, now }: Sources, amount: number): Division | null => {
  const ordered = inChargingOrder(buckets);
  const before = ordered.filter((bucket) => isBefore(bucket, window.endsAt)).length;
  const slots: Slot[] = ordered.map((bucket, index) => ({
    bucketId: bucket.id,
    position: index < before ? index - before : index - before + 1,
    left: availableIn(bucket, now),
  }));
  return fill(slots.toSpliced(before, 0, { bucketId: null, position: 0, left: window.left }), amount);
};

/** Divides the return of `amount` of a charge. Throws when the charge was of less. */
export const divideReturn = (charged: Division, amount: number): Division => {
  const slots: Slot[] = [
    { bucketId: null, position: 0, left: charged.inWindow },
    ...charged.parts.map(({ amount: left, ...part }) => ({ ...part, left })),
  ];
  const division = fill(
    slots.toSorted((one, other) => other.position - one.position),
    amount,
  );
  if (division === null) throw new Error('more credits are returned than were charged');
  return division;
};
