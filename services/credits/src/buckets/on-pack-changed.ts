import type { CreditPackChanged } from '@shortlist/contracts/events/billing';
import { creditBucketChanged } from '@shortlist/contracts/events/credits';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { deleteAccount, isDeleted, lockAccount, raiseBucketVersion } from '../windows/queries.ts';
import { dataOf } from './bucket.rules.ts';
import { type BucketRow, findBucket, insertBucketIfAbsent, updateOlderPack } from './queries.ts';

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

/** Returns whether the state is newer than what was known. Throws for an id that a grant has: the event is dead-lettered, not lost. */
const storePack = async (tx: Tx, pack: BucketRow): Promise<boolean> => {
  if (await insertBucketIfAbsent(tx, pack)) return true;
  const stored = await findBucket(tx, pack.userId, pack.id);
  if (stored?.kind !== 'pack') throw new Error(`pack ${pack.id} has the id of a grant`);
  return updateOlderPack(tx, pack);
};

/**
 * Stores how many credits of a pack are paid for. Events arrive in any order: an older version changes nothing, and one of a deleted user
 * creates nothing. What was charged stays charged, so a refund takes back what is left.
 */
export const onPackChanged =
  (clock: Clock) =>
  async (tx: Tx, { subject: userId, data }: CloudEvent<CreditPackChanged>): Promise<void> => {
    await lockAccount(tx, userId);
    if (await isDeleted(tx, userId)) return deleteAccount(tx, userId);
    const pack = bucketOf(userId, data);
    if (!(await storePack(tx, pack))) return;
    await raiseBucketVersion(tx, userId);
    const stored = (await findBucket(tx, userId, pack.id)) ?? pack;
    await emit(tx, creditBucketChanged, { subject: userId, data: dataOf(stored), clock });
  };
