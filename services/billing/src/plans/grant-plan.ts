import { randomUUID } from 'node:crypto';
import { recordAdminChange } from '@shortlist/audit/audit-log';
import { type PlanEndReason, planGranted } from '@shortlist/contracts/events/billing';
import { type GrantInput, planAt, type PlanState } from '@shortlist/contracts/plan';
import { grantEndAt } from '@shortlist/contracts/plan-months';
import { inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { SubscriptionSnapshot } from '../stripe/snapshot.ts';
import { expireOrder } from '../refresh/settle-customer.ts';
import {
  endGrant,
  grantCoverage,
  grantKey,
  nextPlan,
  planEvent,
  stateOf,
} from '../subscriptions/plan.rules.ts';
import {
  findSubscriber,
  insertSubscriberIfAbsent,
  type Lease,
  lockSubscriber,
  type SubscriberRow,
  updateSubscriber,
  writePlan,
} from '../subscriptions/queries.ts';
import { isFinal, liveSubscriptions } from '../subscriptions/subscription.rules.ts';
import {
  applyWithLease,
  LEASE_WAIT_MS,
  type Reading,
  readWithLease,
  type RefreshParts,
  refreshWithLease,
  withChanges,
  withLease,
} from '../refresh/refresh-subscriber.ts';

const EARLY_END: PlanEndReason = 'unsubscribed';

const getSubscriber = async ({ db }: RefreshParts, userId: string): Promise<SubscriberRow> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (subscriber === null || subscriber.deletedAt !== null) throw createError('billing.user_not_found');
  return subscriber;
};

/** Runs `work` under the user's lease with the current subscriber. Throws `billing.user_not_found`. */
export const withSubscriber = async <T>(
  parts: RefreshParts,
  userId: string,
  work: (subscriber: SubscriberRow, lease: Lease) => Promise<T>,
): Promise<T> => {
  await getSubscriber(parts, userId); // an unknown user has no lease to wait for
  return withLease(parts, { userId, waitMs: LEASE_WAIT_MS.interactive }, async (lease) =>
    work(await getSubscriber(parts, userId), lease),
  );
};

/** The state in an audit entry, with the admin's reason. */
export const withReason = (state: PlanState, reason: string | undefined): object =>
  reason === undefined ? state : { ...state, reason };

/** The end of a grant. Throws `billing.grant_end`. */
const grantEnd = ({ until }: GrantInput, now: Date): Date => {
  const end = grantEndAt(until, now);
  if (end === null) throw createError('billing.grant_end');
  return end;
};

/** `grantId`: chosen by a caller that may repeat the call. */
type Grant = GrantInput & { grantId?: string };

type GrantOptions = { input: Grant; caller: Caller; clock: Clock };

const writeGrant = async (
  tx: Tx,
  userId: string,
  { input, caller, clock }: GrantOptions,
): Promise<PlanState> => {
  const current = await lockSubscriber(tx, userId);
  if (current === null || current.deletedAt !== null) throw createError('billing.user_not_found');
  const now = clock();
  const before = stateOf(current);
  if (planAt(before, now).plan === 'premium') return before;
  const by = caller.userId ?? 'admin';
  const reason = 'granted by an admin';
  const events = [planEvent(planGranted, { by, reason })];
  const granted = grantCoverage(input.grantId ?? randomUUID(), now, grantEnd(input, now));
  const columns = { paid: current.paid, granted };
  const next = nextPlan(current, { columns, by, reason, events, earlyEnd: EARLY_END }, now);
  const after = await writePlan(tx, next, clock);
  const details = { before, after: withReason(after, input.reason) };
  await recordAdminChange(tx, { action: 'plan.grant', targetId: userId, ...details, caller, clock });
  return after;
};

/**
 * Grants premium, even if the user's events have not arrived yet. A user who is already premium gets nothing further. Closes a page on which
 * the user could pay for the same time; if it has just been paid, the user is premium by that payment.
 */
export const grantPlan = async (
  parts: RefreshParts,
  input: Pick<SubscriberRow, 'userId' | 'email' | 'name'> & Grant,
  caller: Caller,
): Promise<PlanState> => {
  const { db, clock } = parts;
  const { userId } = input;
  grantEnd(input, clock()); // before the page is closed
  await insertSubscriberIfAbsent(db.manager, input);
  return withSubscriber(parts, userId, async (subscriber, lease) => {
    if (await expireOrder(parts, subscriber)) {
      await refreshWithLease(parts, lease, {
        by: caller.userId ?? 'admin',
        reason: 'page closed by a grant',
      });
    }
    return inTransaction(db, (tx) => writeGrant(tx, userId, { input, caller, clock }));
  });
};

const REASONS = { admin: 'unsubscribed by an admin', user: 'unsubscribed by the user' } as const;

/** The caller who changes a plan, and the reason for the audit log. */
export type Cause = { caller: Caller; reason: string | undefined };

/** Who changes a plan and why, for the events and the history of the subscription. */
export const originOf = (
  { role, userId }: Caller,
  reasons: { admin: string; user: string },
): { by: string; reason: string } => ({
  by: userId ?? 'admin',
  reason: reasons[role === 'user' ? 'user' : 'admin'],
});

/** Whether there is nothing to end: the user is free, and no stored subscription could make the user premium. */
const isFree = (subscriber: SubscriberRow, now: Date): boolean =>
  planAt(stateOf(subscriber), now).plan === 'free' && isFinal(subscriber.subscriptionStatus);

/** The same according to Stripe, because a payment on an open page may not have arrived here yet. */
const isFreeAtStripe = async (parts: RefreshParts, lease: Lease, stored: SubscriberRow): Promise<boolean> => {
  if (!isFree(stored, parts.clock())) return false;
  await refreshWithLease(parts, lease, { by: 'unsubscription', reason: 'read from Stripe' });
  const current = await findSubscriber(parts.db.manager, lease.userId);
  return current !== null && isFree(current, parts.clock());
};

const endGrantOf = async (
  tx: Tx,
  userId: string,
  { caller, reason, before, clock }: Cause & { before: PlanState } & Pick<RefreshParts, 'clock'>,
): Promise<PlanState> => {
  const current = await lockSubscriber(tx, userId);
  // A concurrent deletion has already redacted the entries about the user.
  if (current === null || current.deletedAt !== null) throw createError('billing.user_not_found');
  const columns = { paid: current.paid, granted: endGrant(current.granted, clock()) };
  const change = { columns, ...originOf(caller, REASONS), events: [], earlyEnd: EARLY_END };
  const after = await writePlan(tx, nextPlan(current, change, clock()), clock);
  const details = { before, after: withReason(after, reason) };
  await recordAdminChange(tx, { action: 'plan.revoke', targetId: userId, ...details, caller, clock });
  return after;
};

/**
 * Ends every subscription that Stripe lists now, because the stored state may be older, and everything paid until now, including by a failed
 * refund or a late payment, for which there is nothing to cancel. Stripe's clock may be ahead. Returns the reading after that.
 */
const endPaid = async (parts: RefreshParts, userId: string, reading: Reading): Promise<Reading> => {
  const { db, stripe, clock } = parts;
  const { snapshot } = reading;
  const ended: (SubscriptionSnapshot | null)[] = [];
  for (const subscriptionId of liveSubscriptions(snapshot))
    ended.push(await stripe.cancelSubscription(subscriptionId));
  const paidAt = snapshot.invoices.map((invoice) => invoice.paidAt?.getTime() ?? 0);
  const revokedAt = new Date(Math.max(clock().getTime(), ...paidAt));
  await updateSubscriber(db.manager, userId, { revokedAt });
  return withChanges(parts, reading, ended);
};

/**
 * Ends everything that makes or could make a user premium: open checkouts of the plan, then the subscriptions at Stripe, which would keep
 * charging, then the grant. Changes nothing for a free user.
 */
export const revokePlan = (
  parts: RefreshParts,
  userId: string,
  { caller, reason }: Cause,
): Promise<PlanState> => {
  const origin = { ...originOf(caller, REASONS), earlyEnd: EARLY_END };
  return withSubscriber(parts, userId, async (subscriber, lease) => {
    const before = stateOf(subscriber);
    if (await isFreeAtStripe(parts, lease, subscriber)) return before;
    // The open checkouts first: a payment on an open page would start another subscription.
    await expireOrder(parts, subscriber);
    if (subscriber.customerId !== null) {
      const reading = await endPaid(parts, userId, await readWithLease(parts, lease));
      await applyWithLease(parts, lease, { ...origin, reading });
    }
    return inTransaction(parts.db, (tx) =>
      endGrantOf(tx, userId, { caller, reason, before, clock: parts.clock }),
    );
  });
};

/** Ends this grant, and nothing else that makes the user premium. Returns false unless it is in force. */
export const takeGrantBack = (
  parts: RefreshParts,
  { userId, grantId }: { userId: string; grantId: string },
  { caller, reason }: Cause,
): Promise<boolean> => {
  const { db, clock } = parts;
  return withSubscriber(parts, userId, () =>
    inTransaction(db, async (tx) => {
      const current = await lockSubscriber(tx, userId);
      const granted = current?.granted ?? null;
      const isInForce = granted?.key === grantKey(grantId) && new Date(granted.end) > clock();
      if (current === null || !isInForce) return false;
      await endGrantOf(tx, userId, { caller, reason, before: stateOf(current), clock });
      return true;
    }),
  );
};
