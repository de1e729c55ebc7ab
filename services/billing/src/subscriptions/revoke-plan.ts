import type { PlanState } from '@shortlist/contracts/plan';
import { inTransaction, type Tx } from '@shortlist/kit/db';
import { coded } from '@shortlist/kit/errors';
import { withLease } from './lease.ts';
import { findSubscriber, lockSubscriber } from './queries.ts';
import { refreshHolding, type RefreshParts } from './refresh-subscriber.ts';
import { endGrant, isGoingOn } from './subscription.rules.ts';
import { writePlan } from './write-plan.ts';

const REASON = 'unsubscribed by an admin';
const WAIT_MS = 4_000;

const endGrantOf = async (
  tx: Tx,
  userId: string,
  { by, clock }: { by: string } & Pick<RefreshParts, 'clock'>,
): Promise<PlanState> => {
  const current = await lockSubscriber(tx, userId);
  if (current === null) throw coded('billing.user_not_found');
  const change = { paid: current.paid, granted: endGrant(current.granted, clock()) };
  return writePlan(tx, { current, change, by, reason: REASON, tell: [], clock });
};

/**
 * Ends whatever makes a person premium: the provider's subscription first, since that is where money would go on being
 * taken, then an admin's grant.
 */
export const revokePlan = async (parts: RefreshParts, userId: string, by: string): Promise<PlanState> => {
  const subscriber = await findSubscriber(parts.db.manager, userId);
  if (subscriber === null || subscriber.deletedAt !== null) throw coded('billing.user_not_found');
  return withLease(parts, { userId, waitMs: WAIT_MS }, async (holder) => {
    await refreshHolding(parts, { userId, holder }, { by, reason: REASON });
    const { subscriptionId, subscriptionStatus } =
      (await findSubscriber(parts.db.manager, userId)) ?? subscriber;
    if (subscriptionId !== null && isGoingOn(subscriptionStatus)) {
      await parts.stripe.cancelSubscription(subscriptionId);
      await refreshHolding(parts, { userId, holder }, { by, reason: REASON });
    }
    return inTransaction(parts.db, (tx) => endGrantOf(tx, userId, { by, clock: parts.clock }));
  });
};
