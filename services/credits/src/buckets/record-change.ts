import { balanceChanged } from '@shortlist/contracts/events/credits';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { internalOperationId, insertBalanceEntry } from '../ledger/queries.ts';
import { findCurrentWindow } from '../windows/credit-window.ts';
import { raiseBucketVersion } from '../windows/queries.ts';
import { addedBy, balanceReasonOf, type BucketChange } from './bucket.rules.ts';
import type { BucketRow } from './queries.ts';

/** What a user may charge at `now`, from the window of the plan and all other buckets. */
const sumBalance = async (tx: Tx, userId: string, now: Date): Promise<number> => {
  const { open, next, holdings } = await findCurrentWindow(tx, userId, now);
  return holdings.inBuckets + (open === null ? next.limit : open.limit - open.used);
};

/**
 * Has charges see a bucket that changed. If it makes a difference to the balance, adds the change to the history and emits BalanceChanged,
 * once each. The caller has locked the account and stored the bucket.
 */
export const recordChange = async (tx: Tx, change: BucketChange<BucketRow>, clock: Clock): Promise<void> => {
  const { userId, id, kind, version, endsAt } = change.after;
  await raiseBucketVersion(tx, userId);
  const now = clock();
  const added = addedBy(change, now);
  if (added === 0) return;
  const reason = balanceReasonOf(change, added);
  const operationId = internalOperationId(`${reason}:${id}:${version}`);
  await insertBalanceEntry(tx, { userId, operationId, added, reason, createdAt: now });
  const available = await sumBalance(tx, userId, now);
  const data = { bucketId: id, kind, endsAt: endsAt?.toISOString() ?? null, added, available };
  await emit(tx, balanceChanged, { subject: userId, data, clock });
};
