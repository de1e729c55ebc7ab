import type { Tx } from '@shortlist/kit/data/db';
import { internalOperationId, insertBalanceEntry } from '../ledger/queries.ts';
import { raiseBucketVersion } from '../windows/queries.ts';
import { addedBy, balanceReasonOf, type BucketChange } from './bucket.rules.ts';
import type { BucketRow } from './queries.ts';

/**
 * Has charges see a bucket that changed, and adds the change to the history if it makes a difference to the balance. The caller has
 * locked the account and stored the bucket.
 */
export const recordChange = async (tx: Tx, change: BucketChange<BucketRow>, now: Date): Promise<void> => {
  const { userId, id, version } = change.after;
  await raiseBucketVersion(tx, userId);
  const added = addedBy(change, now);
  if (added === 0) return;
  const reason = balanceReasonOf(change, added);
  const operationId = internalOperationId(`${reason}:${id}:${version}`);
  await insertBalanceEntry(tx, { userId, operationId, added, reason, createdAt: now });
};
