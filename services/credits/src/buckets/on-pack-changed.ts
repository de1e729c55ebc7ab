import type { CreditPackChanged } from '@shortlist/contracts/events/billing';
import { creditBucketChanged } from '@shortlist/contracts/events/credits';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { deleteAccount, isDeleted, lockAccount } from '../windows/queries.ts';
import { type BucketChange, dataOf } from './bucket.rules.ts';
import { type BucketRow, findBucket, insertBucketIfAbsent, updateOlderPack } from './queries.ts';
import { recordChange } from './record-change.ts';

const bucketOf = (userId: string, pack: CreditPackChanged): BucketRow => ({
  userId,
  id: pack.packId,
  kind: 'pack',
  credits: pack.credits,
  usable: pack.paidCredits,
  used: 0,
  endsAt: null,
  version: pack.version,
  reason: null,
  grantedBy: null,
  createdAt: new Date(pack.paidAt),
});

/** Returns null for a state that is not newer. Throws for an id that a grant has: the event is dead-lettered, not lost. */
const storePack = async (tx: Tx, pack: BucketRow): Promise<BucketChange<BucketRow> | null> => {
  if (await insertBucketIfAbsent(tx, pack)) return { before: null, after: pack };
  const before = await findBucket(tx, pack.userId, pack.id);
  if (before?.kind !== 'pack') throw new Error(`pack ${pack.id} has the id of a grant`);
  if (!(await updateOlderPack(tx, pack))) return null;
  return { before, after: { ...before, usable: pack.usable, version: pack.version } };
};

/**
 * Stores how many credits of a pack are paid for. States arrive in any order: an older version changes nothing, and one of a deleted user
 * creates nothing. What was charged stays charged, so a refund takes back what is left.
 */
export const applyPack = async (
  tx: Tx,
  userId: string,
  { pack, clock }: { pack: CreditPackChanged; clock: Clock },
): Promise<void> => {
  await lockAccount(tx, userId);
  if (await isDeleted(tx, userId)) return deleteAccount(tx, userId);
  const change = await storePack(tx, bucketOf(userId, pack));
  if (change === null) return;
  await recordChange(tx, change, clock);
  await emit(tx, creditBucketChanged, { subject: userId, data: dataOf(change.after), clock });
};

export const onPackChanged =
  (clock: Clock) =>
  (tx: Tx, { subject, data }: CloudEvent<CreditPackChanged>): Promise<void> =>
    applyPack(tx, subject, { pack: data, clock });
