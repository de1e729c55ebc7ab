import { planAt, type PlanState } from '@shortlist/contracts/plan';
import { recordChange } from '@shortlist/audit/audit-log';
import { inTransaction, type Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import type { Caller } from '@shortlist/kit/http/service-token';
import { expireCheckouts } from '../intents/expire-checkouts.ts';
import { findSubscriber, type Lease, lockSubscriber } from '../subscriptions/queries.ts';
import type { SubscriberRow } from '../subscriptions/subscriber.entity.ts';
import { endGrant, isFinal, liveSubscriptions } from '../subscriptions/subscription.rules.ts';
import { stateOf, writePlan } from '../subscriptions/write-plan.ts';
import { refreshWithLease, type RefreshParts } from '../sync/refresh-subscriber.ts';
import { withSubscriber } from './with-subscriber.ts';

const REASONS = { admin: 'unsubscribed by an admin', user: 'unsubscribed by the user' } as const;
const EARLY_END = 'unsubscribed';

/** Who ends a plan, and the reason for the audit log. */
export type Revocation = { caller: Caller; reason: string | undefined };

/** The reason in the events and in the history of the subscription. */
const reasonOf = ({ role }: Caller): string => REASONS[role === 'user' ? 'user' : 'admin'];

/** The state in an audit entry, with the admin's reason. */
export const withReason = (state: PlanState, reason: string | undefined): object =>
  reason === undefined ? state : { ...state, reason };

/** Whether there is nothing to end: the user is free, and Stripe has no subscription that could make the user premium. */
const isFree = (subscriber: SubscriberRow, now: Date): boolean =>
  planAt(stateOf(subscriber), now).plan === 'free' && isFinal(subscriber.subscriptionStatus);

/** The same with what Stripe knows: a payment on an open page may not have arrived here yet. */
const isFreeAtStripe = async (parts: RefreshParts, lease: Lease, stored: SubscriberRow): Promise<boolean> => {
  if (!isFree(stored, parts.clock())) return false;
  await refreshWithLease(parts, lease, { by: 'unsubscription', reason: 'read from Stripe' });
  const current = await findSubscriber(parts.db.manager, lease.userId);
  return current !== null && isFree(current, parts.clock());
};

const endGrantOf = async (
  tx: Tx,
  userId: string,
  { caller, reason, before, clock }: Revocation & { before: PlanState } & Pick<RefreshParts, 'clock'>,
): Promise<PlanState> => {
  const current = await lockSubscriber(tx, userId);
  // A deletion that came meanwhile has redacted the entries about the user.
  if (current === null || current.deletedAt !== null) throw createError('billing.user_not_found');
  const columns = { paid: current.paid, granted: endGrant(current.granted, clock()) };
  const by = caller.userId ?? 'admin';
  const after = await writePlan(tx, {
    current,
    columns,
    by,
    reason: reasonOf(caller),
    events: [],
    earlyEnd: EARLY_END,
    clock,
  });
  const details = { before, after: withReason(after, reason) };
  await recordChange(tx, { action: 'plan.revoke', targetId: userId, ...details, caller, clock });
  return after;
};

// Every subscription that Stripe lists now: the stored state may be older.
const endSubscriptions = async ({ stripe }: RefreshParts, customerId: string | null): Promise<void> => {
  if (customerId === null) return;
  const snapshot = await stripe.readCustomer(customerId);
  for (const subscriptionId of liveSubscriptions(snapshot)) await stripe.cancelSubscription(subscriptionId);
};

/**
 * Ends everything that makes a user premium or could: open checkouts, then the subscriptions at Stripe, which would go on
 * charging, then the grant. A free user is left alone.
 */
export const revokePlan = (
  parts: RefreshParts,
  userId: string,
  { caller, reason }: Revocation,
): Promise<PlanState> => {
  const origin = { by: caller.userId ?? 'admin', reason: reasonOf(caller), earlyEnd: EARLY_END } as const;
  return withSubscriber(parts, userId, async (subscriber, lease) => {
    const before = stateOf(subscriber);
    if (await isFreeAtStripe(parts, lease, subscriber)) return before;
    // The open checkouts first: a payment on an open page would start another subscription.
    await expireCheckouts(parts, subscriber);
    await endSubscriptions(parts, subscriber.customerId);
    await refreshWithLease(parts, lease, origin);
    return inTransaction(parts.db, (tx) =>
      endGrantOf(tx, userId, { caller, reason, before, clock: parts.clock }),
    );
  });
};
