import type { PlanEndReason } from '@shortlist/contracts/events/billing';
import type { PlanState } from '@shortlist/contracts/plan';
import type { Clock } from '@shortlist/kit/process/clock';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Log } from '@shortlist/kit/process/log';
import { createError } from '@shortlist/kit/process/errors';
import { CANCEL_REASONS } from '../stripe/from-stripe.ts';
import type { StripeGateway } from '../stripe/gateway.ts';
import type { CustomerSnapshot } from '../stripe/snapshot.ts';
import { applySnapshot } from '../subscriptions/apply-snapshot.ts';
import { findSubscriber, type Lease, ownsLease } from '../subscriptions/queries.ts';
import { liveSubscriptions, returnedSubscriptions } from '../subscriptions/subscription.rules.ts';
import { stateOf } from '../subscriptions/write-plan.ts';
import { withLease } from './lease.ts';

export type RefreshParts = { db: Db; clock: Clock; log: Log; stripe: StripeGateway };
/** Who causes the refresh and why, for the events. `earlyEnd` is the reason if the refresh ends the plan before its time. */
export type Origin = { by: string; reason: string; earlyEnd?: PlanEndReason };

/** What must not continue: all subscriptions of a deleted user, and those whose newest payment was returned. */
const toBeCanceled = (
  snapshot: CustomerSnapshot,
  isDeleted: boolean,
): { id: string; reason: keyof typeof CANCEL_REASONS }[] =>
  isDeleted
    ? liveSubscriptions(snapshot).map((id) => ({ id, reason: 'deleted' }))
    : returnedSubscriptions(snapshot);

/** Cancels what must not continue and reads the result. */
const readAfterCancellations = async (
  stripe: StripeGateway,
  customerId: string,
  isDeleted: boolean,
): Promise<CustomerSnapshot> => {
  const snapshot = await stripe.readCustomer(customerId);
  const toCancel = toBeCanceled(snapshot, isDeleted);
  if (toCancel.length === 0) return snapshot;
  for (const { id, reason } of toCancel) await stripe.cancelSubscription(id, CANCEL_REASONS[reason]);
  return stripe.readCustomer(customerId);
};

/** Reads the user's customer from Stripe and writes the snapshot. The caller owns the lease. */
export const refreshWithLease = async (
  { db, clock, log, stripe }: RefreshParts,
  lease: Lease,
  origin: Origin,
): Promise<PlanState> => {
  const subscriber = await findSubscriber(db.manager, lease.userId);
  if (subscriber === null) throw createError('billing.user_not_found');
  if (subscriber.customerId === null) return stateOf(subscriber);
  const snapshot = await readAfterCancellations(stripe, subscriber.customerId, subscriber.deletedAt !== null);
  return inTransaction(db, async (tx) => {
    // An owner that paused for longer than its lease must not overwrite a newer snapshot.
    if (!(await ownsLease(tx, lease))) throw createError('billing.busy');
    return applySnapshot(tx, lease.userId, { snapshot, clock, log, ...origin });
  });
};

/**
 * Brings the stored state in line with Stripe's. Webhooks, the success page and reconciliation all call it, so their order,
 * repetition and loss make no difference to the final state.
 */
export const refreshSubscriber = (
  parts: RefreshParts,
  userId: string,
  { waitMs, ...origin }: Origin & { waitMs: number },
): Promise<PlanState> =>
  withLease(parts, { userId, waitMs }, (lease) => refreshWithLease(parts, lease, origin));
