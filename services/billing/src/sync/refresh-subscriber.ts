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
import {
  findSubscriber,
  type Lease,
  lockSubscriber,
  ownsLease,
  updateSubscriber,
} from '../subscriptions/queries.ts';
import type { SubscriberRow } from '../subscriptions/subscriber.entity.ts';
import { returnedSubscriptions } from '../subscriptions/subscription.rules.ts';
import { stateOf } from '../subscriptions/write-plan.ts';
import { type Limits, withLease } from './lease.ts';
import { readDeletedCustomer } from './read-deleted.ts';

export type RefreshParts = {
  db: Db;
  clock: Clock;
  stripe: StripeGateway;
  log: Log;
  limits?: Limits;
};
/** Who causes the refresh and why, for the events. `earlyEnd` is the reason if the refresh ends the plan before its time. */
export type Origin = { by: string; reason: string; earlyEnd?: PlanEndReason };

/** `isClosed`: Stripe can take no more money of a deleted user. */
type Read = { snapshot: CustomerSnapshot; isClosed: boolean };

/** Cancels subscriptions whose newest payment was returned, by a full refund or a lost dispute, and reads the result. */
const readAfterCancellations = async (stripe: StripeGateway, customerId: string): Promise<Read> => {
  const snapshot = await stripe.readCustomer(customerId);
  const toCancel = returnedSubscriptions(snapshot);
  if (toCancel.length === 0) return { snapshot, isClosed: false };
  for (const { id, reason } of toCancel) await stripe.cancelSubscription(id, CANCEL_REASONS[reason]);
  return { snapshot: await stripe.readCustomer(customerId), isClosed: false };
};

const NO_CUSTOMER: CustomerSnapshot = { subscriptions: [], invoices: [], disputes: [] };

const read = async (parts: RefreshParts, subscriber: SubscriberRow): Promise<Read> => {
  const { userId, customerId, deletedAt } = subscriber;
  if (customerId === null) return { snapshot: NO_CUSTOMER, isClosed: true };
  if (deletedAt !== null) return readDeletedCustomer(parts, { userId, customerId, deletedAt });
  return readAfterCancellations(parts.stripe, customerId);
};

/** Reads the user's customer from Stripe and writes the snapshot. The caller owns the lease. */
export const refreshWithLease = async (
  parts: RefreshParts,
  lease: Lease,
  origin: Origin,
): Promise<PlanState> => {
  const { db, clock, log } = parts;
  const subscriber = await findSubscriber(db.manager, lease.userId);
  if (subscriber === null) throw createError('billing.user_not_found');
  if (subscriber.customerId === null && !subscriber.closing) return stateOf(subscriber);
  const { snapshot, isClosed } = await read(parts, subscriber);
  const state = await inTransaction(db, async (tx) => {
    // An owner that paused for longer than its lease must not overwrite a newer snapshot.
    if (!(await ownsLease(tx, lease))) throw createError('billing.busy');
    const current = await lockSubscriber(tx, lease.userId);
    // A payment of a user who was deleted meanwhile must be refunded before it is recorded.
    if (current?.deletedAt?.getTime() !== subscriber.deletedAt?.getTime()) return null;
    if (subscriber.deletedAt !== null) await updateSubscriber(tx, lease.userId, { closing: !isClosed });
    return applySnapshot(tx, lease.userId, { snapshot, clock, log, ...origin });
  });
  return state ?? refreshWithLease(parts, lease, origin);
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
