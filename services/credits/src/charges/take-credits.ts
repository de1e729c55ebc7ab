import type { CreditsAmounts } from '@shortlist/contracts/api/credits';
import { creditsExhausted, creditsLow, creditsSpent } from '@shortlist/contracts/events/credits';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { findWantsMails } from '../accounts/queries.ts';
import { balanceOf, type Bucket, divideCharge, type Part } from '../buckets/bucket.rules.ts';
import { findCurrentBuckets, isSameSelection, type OpenBuckets } from '../buckets/current-buckets.ts';
import { periodEndOf, thresholdReached, windowOf } from '../buckets/plan-bucket.rules.ts';
import { changeUse, insertWarningIfAbsent, takeFromPlan } from '../buckets/queries.ts';

const WARNINGS = { 80: creditsLow, 100: creditsExhausted } as const;

/** Emits CreditsSpent, and CreditsLow or CreditsExhausted, each once for a bucket of the plan, when few or no credits are left. */
const emitCharged = async (tx: Tx, charged: OpenBuckets, amount: number, clock: Clock): Promise<void> => {
  const { userId, state, plan, others } = charged;
  const now = clock();
  const data = windowOf(plan, periodEndOf(plan, state, now));
  await emit(tx, creditsSpent, { subject: userId, data, clock });
  const { available, limit } = balanceOf(plan, others, now);
  const threshold = thresholdReached(limit, available, amount);
  // Only a charge that reaches a threshold sends a statement.
  if (threshold === null || !(await insertWarningIfAbsent(tx, { bucketId: plan.id, threshold, userId })))
    return;
  const warning = { ...data, available, mail: await findWantsMails(tx, userId) };
  await emit(tx, WARNINGS[threshold], { subject: userId, data: warning, clock });
};

/** The buckets after a charge that takes `parts`. */
const afterCharge = (buckets: OpenBuckets, parts: readonly Part[]): OpenBuckets => {
  const taken = new Map(parts.map(({ bucketId, amount }) => [bucketId, amount]));
  const use = <B extends Bucket>(bucket: B): B => ({
    ...bucket,
    used: bucket.used + (taken.get(bucket.id) ?? 0),
  });
  return { ...buckets, plan: use(buckets.plan), others: buckets.others.map(use) };
};

/** The credits that a charge took, and the balance after it. */
type Taken = { balance: CreditsAmounts; parts: Part[] };

/**
 * Takes credits of what was selected, all or none, with their events. Returns null, with nothing taken, when there are too few, or when the
 * selection is not the current one any more.
 */
export const takeCredits = async (
  tx: Tx,
  selected: OpenBuckets,
  amount: number,
  clock: Clock,
): Promise<Taken | null> => {
  const now = clock();
  let charged: OpenBuckets;
  let parts: Part[] | null = [];
  if (selected.others.length === 0) {
    const used = await takeFromPlan(tx, selected, amount, now);
    if (used === null) return null;
    charged = { ...selected, plan: { ...selected.plan, used } };
  } else {
    const current = await findCurrentBuckets(tx, selected.userId, now, 'FOR UPDATE');
    if (!current.isOpen || !isSameSelection(current, selected)) return null;
    parts = divideCharge([current.plan, ...current.others], amount, now);
    if (parts === null) return null;
    for (const part of parts) if (part.amount > 0) await changeUse(tx, part.bucketId, part.amount);
    charged = afterCharge(current, parts);
  }
  await emitCharged(tx, charged, amount, clock);
  return { balance: balanceOf(charged.plan, charged.others, now), parts };
};
