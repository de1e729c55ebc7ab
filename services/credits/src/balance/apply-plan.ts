// Brings the plan's buckets in line with what billing says of the plan.
import type { Coverage, PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { lockAccount, updateOlderPlanState } from '../accounts/queries.ts';
import { availableIn, balanceReasonOf } from '../buckets/bucket.rules.ts';
import { openBucket, scheduleMonth } from '../buckets/open-bucket.ts';
import {
  monthOf,
  type NewPlanBucket,
  opensNow,
  premiumBucket,
  usableOf,
} from '../buckets/plan-bucket.rules.ts';
import { endOtherPremium, findBucket, updateBucket } from '../buckets/queries.ts';
import { insertLedgerEntry, internalOperationId, OF_NO_CHARGE } from '../ledger/queries.ts';

/**
 * Gives the bucket of a month its end and its usable credits, of which a refund may have taken some. How many it began with stays, whatever
 * plans include now. The caller has locked the account.
 */
const changeBucket = async (
  tx: Tx,
  { userId, source, endsAt }: NewPlanBucket,
  { withdrawn, version }: { withdrawn: Coverage['withdrawn'] | undefined; version: number },
  clock: Clock,
): Promise<void> => {
  const before = await findBucket(tx, userId, source);
  if (before === null) return;
  const usable = usableOf(before.credits, withdrawn);
  await updateBucket(tx, before, { endsAt, usable });
  const now = clock();
  const added = availableIn({ ...before, endsAt, usable }, now) - availableIn({ ...before, endsAt }, now);
  if (added === 0) return;
  const reason = balanceReasonOf('plan', added, false);
  const operationId = internalOperationId(`${reason}:${source}:${version}`);
  const requestedAmount = Math.abs(added);
  const entry = { ...OF_NO_CHARGE, userId, operationId, added, requestedAmount, reason, createdAt: now };
  await insertLedgerEntry(tx, entry);
};

/**
 * Brings the plan's buckets in line with a plan state. A coverage opens its bucket once, whichever event carries it, and that of a later month
 * only while the month is in force; a bucket without a coverage ends; charges stay in the bucket in which they were counted. A state that is
 * not newer than the stored one changes nothing.
 */
export const applyPlanState = async (
  tx: Tx,
  userId: string,
  state: PlanState,
  clock: Clock,
): Promise<void> => {
  if (!(await lockAccount(tx, userId)) || !(await updateOlderPlanState(tx, userId, state))) return;
  const now = clock();
  const months = [state.paid, state.granted]
    .filter((coverage): coverage is Coverage => coverage !== null)
    .map((coverage) => monthOf(coverage, now));
  for (const month of months) {
    const bucket = premiumBucket(userId, month);
    const isNew = opensNow(state, month, now) && (await openBucket(tx, bucket, new Date(month.end), clock));
    if (!isNew) await changeBucket(tx, bucket, { withdrawn: month.withdrawn, version: state.version }, clock);
  }
  const paidKeys = months.map(({ key }) => key);
  await endOtherPremium(tx, userId, paidKeys, clock());
  await scheduleMonth(tx, userId, state, now);
};
