import type { PlanState } from '@shortlist/contracts/plan';
import { recordChange } from '@shortlist/audit/audit-log';
import { inTransaction, type Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import type { Caller } from '@shortlist/kit/http/service-token';
import { expireCheckouts } from '../intents/expire-checkouts.ts';
import { findSubscriber, lockSubscriber } from '../subscriptions/queries.ts';
import { endGrant, liveSubscriptions } from '../subscriptions/subscription.rules.ts';
import { stateOf, writePlan } from '../subscriptions/write-plan.ts';
import { withLease } from '../sync/lease.ts';
import { refreshWithLease, type RefreshParts } from '../sync/refresh-subscriber.ts';

const REASON = 'unsubscribed by an admin';
const EARLY_END = 'unsubscribed';
const WAIT_MS = 4_000;

const endGrantOf = async (
  tx: Tx,
  userId: string,
  { caller, before, clock }: { caller: Caller; before: PlanState } & Pick<RefreshParts, 'clock'>,
): Promise<PlanState> => {
  const current = await lockSubscriber(tx, userId);
  if (current === null) throw createError('billing.user_not_found');
  const columns = { paid: current.paid, granted: endGrant(current.granted, clock()) };
  const by = caller.userId ?? 'admin';
  const after = await writePlan(tx, {
    current,
    columns,
    by,
    reason: REASON,
    events: [],
    earlyEnd: EARLY_END,
    clock,
  });
  await recordChange(tx, { action: 'plan.revoke', targetId: userId, before, after, caller, clock });
  return after;
};

// Every subscription that Stripe lists now: the stored state may be older.
const endSubscriptions = async ({ db, stripe }: RefreshParts, userId: string): Promise<void> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (!subscriber?.customerId) return;
  const snapshot = await stripe.readCustomer(subscriber.customerId);
  for (const subscriptionId of liveSubscriptions(snapshot)) await stripe.cancelSubscription(subscriptionId);
};

/**
 * Ends everything that makes a user premium or could: open checkouts, then the subscriptions at Stripe, which would go on
 * charging, then the grant.
 */
export const revokePlan = async (parts: RefreshParts, userId: string, caller: Caller): Promise<PlanState> => {
  const origin = { by: caller.userId ?? 'admin', reason: REASON, earlyEnd: EARLY_END } as const;
  const subscriber = await findSubscriber(parts.db.manager, userId);
  if (subscriber === null || subscriber.deletedAt !== null) throw createError('billing.user_not_found');
  const before = stateOf(subscriber);
  return withLease(parts, { userId, waitMs: WAIT_MS }, async (lease) => {
    // The open checkouts first: a payment on an open page would start another subscription.
    await expireCheckouts(parts, subscriber);
    await endSubscriptions(parts, userId);
    await refreshWithLease(parts, lease, origin);
    return inTransaction(parts.db, (tx) => endGrantOf(tx, userId, { caller, before, clock: parts.clock }));
  });
};
