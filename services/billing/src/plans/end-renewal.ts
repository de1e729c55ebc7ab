import type { PlanState } from '@shortlist/contracts/plan';
import { type AuditRecord, recordAdminChange } from '@shortlist/audit/audit-log';
import { inTransaction } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import { expireOrder } from '../refresh/settle-customer.ts';
import type { CustomerSnapshot, SubscriptionSnapshot } from '../stripe/snapshot.ts';
import { awaitsPayment, isFinal, liveSubscriptions } from '../subscriptions/subscription.rules.ts';
import { continuationOf } from '../subscriptions/plan.rules.ts';
import { findSubscriber, lockSubscriber } from '../subscriptions/queries.ts';
import {
  applyWithLease,
  readWithLease,
  type RefreshParts,
  withChanges,
} from '../refresh/refresh-subscriber.ts';
import { type Cause, originOf, withReason, withSubscriber } from './grant-plan.ts';

const REASONS = { admin: 'set to end by an admin', user: 'set to end by the user' } as const;

/**
 * Stops every renewal, and returns Stripe's responses for `withChanges`. A subscription that awaits a payment has no paid period to run out, so it
 * ends at once.
 */
const stopRenewals = async (
  { stripe }: RefreshParts,
  snapshot: CustomerSnapshot,
): Promise<(SubscriptionSnapshot | null)[]> => {
  const changed: (SubscriptionSnapshot | null)[] = [];
  const live = new Set(liveSubscriptions(snapshot));
  for (const subscription of snapshot.subscriptions.filter((one) => live.has(one.id)))
    if (awaitsPayment(subscription.status)) changed.push(await stripe.cancelSubscription(subscription.id));
    else if (subscription.renews) changed.push(await stripe.endAtPeriodEnd(subscription));
  return changed;
};

/** Whether Stripe still collects payments from a user, even while another period, such as a grant, covers the plan. */
const isCollected = async ({ db }: RefreshParts, userId: string): Promise<boolean> => {
  const subscriber = await findSubscriber(db.manager, userId);
  return subscriber !== null && subscriber.renews && !isFinal(subscriber.subscriptionStatus);
};

/** Adds an audit entry about what an admin has changed at Stripe. Throws `billing.user_not_found`. */
export const recordRenewal = (
  { db, clock }: RefreshParts,
  entry: AuditRecord & { caller: Caller },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    // A concurrent deletion has already redacted the entries about the user.
    if ((await lockSubscriber(tx, entry.targetId))?.deletedAt !== null)
      throw createError('billing.user_not_found');
    await recordAdminChange(tx, { ...entry, clock });
  });

/**
 * Lets the paid period of a user run out: the subscription no longer renews at Stripe, and the user stays premium until then. Changes nothing for
 * a free user, or for a plan that ends by itself without a subscription. Throws `billing.period_not_paid` while a renewal is being collected.
 */
export const endRenewal = (
  parts: RefreshParts,
  userId: string,
  { caller, reason }: Cause,
): Promise<PlanState> => {
  const origin = originOf(caller, REASONS);
  return withSubscriber(parts, userId, async ({ customerId }, lease) => {
    // The stored state may be older than a failed renewal or a cancellation in the portal.
    const first = await readWithLease(parts, lease);
    const before = await applyWithLease(parts, lease, { ...origin, reading: first });
    const current = continuationOf(before, parts.clock());
    if (current?.continuation === 'collecting') throw createError('billing.period_not_paid');
    if (current === null || customerId === null) return before;
    if (current.continuation !== 'renews' && !(await isCollected(parts, userId))) return before;
    const hadOrder = await expireOrder(parts, { userId, customerId });
    const reading = hadOrder ? await readWithLease(parts, lease) : first;
    const changed = await withChanges(parts, reading, await stopRenewals(parts, reading.snapshot));
    const after = await applyWithLease(parts, lease, { ...origin, reading: changed });
    const states = { before, after: withReason(after, reason) };
    await recordRenewal(parts, { action: 'plan.end_renewal', targetId: userId, ...states, caller });
    return after;
  });
};
