import type { PlanState } from '@shortlist/contracts/plan';
import type { Clock } from '@shortlist/kit/process/clock';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import type { StripeGateway } from '../stripe/gateway.ts';
import { applyProviderState } from './apply-provider-state.ts';
import { withLease } from './lease.ts';
import { findSubscriber, type Holding, ownsLease } from './queries.ts';
import { liveSubscriptions, type ProviderState, refundedSubscriptions } from './subscription.rules.ts';
import { stateOf } from './write-plan.ts';

export type RefreshParts = { db: Db; clock: Clock; stripe: StripeGateway };
type Why = { by: string; reason: string };

/**
 * What the provider says of a customer, after ending what must not go on: all of it for a person who is gone, and what was
 * refunded in full.
 */
const readSettled = async (
  stripe: StripeGateway,
  customerId: string,
  isGone: boolean,
): Promise<ProviderState> => {
  const state = await stripe.readCustomer(customerId);
  const ending = isGone ? liveSubscriptions(state) : refundedSubscriptions(state);
  if (ending.length === 0) return state;
  for (const subscriptionId of ending) await stripe.cancelSubscription(subscriptionId);
  return stripe.readCustomer(customerId);
};

/** For a holder of the lease: reads everything about this person from the provider and writes it. */
export const refreshHolding = async (
  { db, clock, stripe }: RefreshParts,
  { userId, holder }: Holding,
  why: Why,
): Promise<PlanState> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (subscriber === null) throw createError('billing.user_not_found');
  if (subscriber.customerId === null) return stateOf(subscriber);
  const state = await readSettled(stripe, subscriber.customerId, subscriber.deletedAt !== null);
  return inTransaction(db, async (tx) => {
    // A holder that was away for longer than its lease may have been overtaken by a newer reading.
    if (!(await ownsLease(tx, userId, holder))) throw createError('billing.busy');
    return applyProviderState(tx, userId, { state, clock, ...why });
  });
};

/**
 * Brings our state in line with the provider's. Webhooks, the success page and the reconciliation all come here, so
 * their order, repetition and loss make no difference to where it ends.
 */
export const refreshSubscriber = (
  parts: RefreshParts,
  userId: string,
  why: Why & { waitMs: number },
): Promise<PlanState> =>
  withLease(parts, { userId, waitMs: why.waitMs }, (holder) =>
    refreshHolding(parts, { userId, holder }, why),
  );
