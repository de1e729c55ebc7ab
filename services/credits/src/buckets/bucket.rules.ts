// A user's credits are in buckets, one row each. The `kind` of a bucket says what its credits are, and its `source` where they came from. A
// source opens only one bucket:
//   plan    the credits of the plan in a period (plan-bucket.rules.ts): its source is the invoice or the admin's grant of the plan, or
//           `free:` and the start of a free period
//   grant   credits that an admin gave: the id of the grant
//   pack    credits that were bought: the id of the pack. A pack does not end
// `credits` is what the bucket began with, and `usable` how many of them may be charged: of a pack as many as are paid for, of a revoked
// grant none, of the plan's all that no refund took back. Only charges and returns change `used`. So a refund takes back what is left, a dispute that is won gives
// back exactly that, and events may arrive in any order. Available is what is usable and not used, never below zero, until the bucket ends.
//
// One of the plan's buckets is in force at a time. A charge takes from that one, the grants and the packs: from what ends first; the plan's
// comes first among those that end together, and packs come last, the oldest first. Returned credits go back to where they came from, the
// part that was charged last first.
//
// A charge or a return is one entry of the ledger. The entry names the plan's bucket that was in force; its parts name each grant or pack
// that it changed. The rest of its amount is the plan's, so an entry about the plan's bucket alone, the common case, has no parts.
// An entry states the balance after it: the use and the limit of the plan's bucket, and what is available in all.
//
// The account's `bucket_version` grows when a grant or a pack may have gained credits. A charge of a user who has none of those left is one
// UPDATE that tests this version and that of the plan; any other locks the account and reads all buckets.
import type { BalanceReason, CreditsAmounts } from '@shortlist/contracts/api/credits';
import type { CreditBucketData } from '@shortlist/contracts/events/credits';
import type { Bucket } from './bucket.entity.ts';

export type NewBucket = Omit<Bucket, 'id'>;
type Opening = Pick<NewBucket, 'userId' | 'kind' | 'source' | 'credits' | 'startsAt'>;

/** All credits of a new bucket may be charged unless `opening` says less. */
export const newBucket = <O extends Opening & Partial<NewBucket>>(opening: O) => ({
  ...{ plan: null, endsAt: null, version: 0, reason: null, grantedBy: null },
  ...{ usable: opening.credits, used: 0 },
  ...opening,
});

export const availableIn = ({ usable, used, endsAt }: NewBucket, now: Date): number =>
  endsAt !== null && endsAt <= now ? 0 : Math.max(0, usable - used);

export const sumAvailable = (buckets: readonly NewBucket[], now: Date): number =>
  buckets.reduce((sum, bucket) => sum + availableIn(bucket, now), 0);

/** The credits of the plan in a balance: those that may be charged, and never fewer than were. */
export const limitOf = ({ usable, used }: Pick<NewBucket, 'usable' | 'used'>): number =>
  Math.max(usable, used);

export const balanceOf = (plan: NewBucket, others: readonly NewBucket[], now: Date): CreditsAmounts => ({
  used: plan.used,
  available: sumAvailable([plan, ...others], now),
  limit: limitOf(plan),
});

export const balanceReasonOf = (kind: Bucket['kind'], added: number, isNew: boolean): BalanceReason => {
  if (kind === 'plan') return added > 0 ? 'plan_restored' : 'plan_withdrawn';
  if (kind === 'grant') return added > 0 ? 'credits_granted' : 'credits_revoked';
  if (added < 0) return 'pack_withdrawn';
  return isNew ? 'pack_bought' : 'pack_restored';
};

export const dataOf = ({ source, kind, credits, usable, used, endsAt }: NewBucket): CreditBucketData => ({
  bucketId: source,
  kind: kind === 'grant' ? 'grant' : 'pack',
  credits,
  usable,
  used,
  endsAt: endsAt?.toISOString() ?? null,
});

const compare = <T extends number | string>(one: T, other: T): number =>
  one === other ? 0 : one < other ? -1 : 1;

const endOf = ({ endsAt }: NewBucket): number => endsAt?.getTime() ?? Number.POSITIVE_INFINITY;

/** The order in which buckets are charged. Source: docs/product.md. */
export const inChargingOrder = <B extends NewBucket>(buckets: readonly B[]): B[] =>
  buckets.toSorted(
    (one, other) =>
      compare(endOf(one), endOf(other)) ||
      Number(other.kind === 'plan') - Number(one.kind === 'plan') ||
      compare(one.startsAt.getTime(), other.startsAt.getTime()) ||
      compare(one.source, other.source),
  );

/**
 * What an operation charged to a bucket, or returned to it. `position` is the order of charging: 0 for the plan's bucket, below 0 before it
 * and above 0 after it.
 */
export type Part = { source: string; position: number; amount: number };

/** Fills the parts, which have the room in each bucket, in their order. Null when they have too little room for `amount`. */
const fill = (room: readonly Part[], amount: number): Part[] | null => {
  let rest = amount;
  const filled = room.map((part) => {
    const placed = Math.min(rest, part.amount);
    rest -= placed;
    return { ...part, amount: placed };
  });
  return rest === 0 ? filled.filter((part) => part.amount > 0 || part.position === 0) : null;
};

/** Null when the buckets have too few credits. */
export const divideCharge = (buckets: readonly NewBucket[], amount: number, now: Date): Part[] | null => {
  const ordered = inChargingOrder(buckets);
  const planAt = ordered.findIndex(({ kind }) => kind === 'plan');
  const room = ordered.map((bucket, index) => ({
    source: bucket.source,
    position: index - planAt,
    amount: availableIn(bucket, now),
  }));
  return fill(room, amount);
};

export const divideReturn = (charged: readonly Part[], amount: number): Part[] => {
  const parts = fill(
    charged.toSorted((one, other) => other.position - one.position),
    amount,
  );
  if (parts === null) throw new Error('more credits are returned than were charged');
  return parts;
};
