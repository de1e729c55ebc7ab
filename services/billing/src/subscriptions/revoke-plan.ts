import type { PlanState } from '@shortlist/contracts/plan';
import { recordChange } from '@shortlist/audit/audit-log';
import { inTransaction, type Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import type { Caller } from '@shortlist/kit/http/service-token';
import { withLease } from './lease.ts';
import { findSubscriber, lockSubscriber } from './queries.ts';
import { refreshHolding, type RefreshParts } from './refresh-subscriber.ts';
import { endGrant, liveSubscriptions } from './subscription.rules.ts';
import { stateOf, writePlan } from './write-plan.ts';

const REASON = 'unsubscribed by an admin';
const WAIT_MS = 4_000;

const endGrantOf = async (
  tx: Tx,
  userId: string,
  { caller, before, clock }: { caller: Caller; before: PlanState } & Pick<RefreshParts, 'clock'>,
): Promise<PlanState> => {
  const current = await lockSubscriber(tx, userId);
  if (current === null) throw createError('billing.user_not_found');
  const change = { paid: current.paid, granted: endGrant(current.granted, clock()) };
  const by = caller.userId ?? 'admin';
  const after = await writePlan(tx, { current, change, by, reason: REASON, tell: [], clock });
  await recordChange(tx, { action: 'plan.revoke', targetId: userId, before, after, caller, clock });
  return after;
};

// All that could take money, as the provider lists it now: what we hold may be older than that.
const endSubscriptions = async ({ db, stripe }: RefreshParts, userId: string): Promise<void> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (!subscriber?.customerId) return;
  const state = await stripe.readCustomer(subscriber.customerId);
  for (const subscriptionId of liveSubscriptions(state)) await stripe.cancelSubscription(subscriptionId);
};

/**
 * Ends whatever makes a person premium: the provider's subscription first, since that is where money would go on being
 * taken, then an admin's grant.
 */
export const revokePlan = async (parts: RefreshParts, userId: string, caller: Caller): Promise<PlanState> => {
  const why = { by: caller.userId ?? 'admin', reason: REASON };
  const subscriber = await findSubscriber(parts.db.manager, userId);
  if (subscriber === null || subscriber.deletedAt !== null) throw createError('billing.user_not_found');
  const before = stateOf(subscriber);
  return withLease(parts, { userId, waitMs: WAIT_MS }, async (holder) => {
    await endSubscriptions(parts, userId);
    await refreshHolding(parts, { userId, holder }, why);
    return inTransaction(parts.db, (tx) => endGrantOf(tx, userId, { caller, before, clock: parts.clock }));
  });
};
