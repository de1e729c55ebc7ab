import type { PaymentProblem } from '@shortlist/contracts/api/public';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { planAt } from '@shortlist/contracts/plan';
import { createError } from '@shortlist/kit/process/errors';
import { findSubscriber, type Lease } from '../subscriptions/queries.ts';
import type { SubscriberRow } from '../subscriptions/subscriber.entity.ts';
import { isOngoing, isUnfinished } from '../subscriptions/subscription.rules.ts';
import { stateOf } from '../subscriptions/write-plan.ts';
import { refreshWithLease, type RefreshParts } from '../sync/refresh-subscriber.ts';

/** What a user with this problem is led to instead of a second subscription. */
const REFUSALS: Record<PaymentProblem['kind'], ErrorCode | null> = {
  past_due: 'billing.payment_open',
  authentication: 'billing.payment_open',
  processing: 'billing.payment_processing',
  paused: 'billing.subscription_paused',
  incomplete: null,
};

const refusalOf = (subscriber: SubscriberRow, now: Date): ErrorCode | null => {
  if (planAt(stateOf(subscriber), now).plan === 'premium') return 'billing.already_subscribed';
  if (subscriber.problem !== null) return REFUSALS[subscriber.problem.kind];
  return isOngoing(subscriber.subscriptionStatus) ? 'billing.already_subscribed' : null;
};

export const getSubscriber = async ({ db }: RefreshParts, userId: string): Promise<SubscriberRow> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (subscriber === null || subscriber.deletedAt !== null) throw createError('billing.user_not_found');
  return subscriber;
};

const refresh = async (parts: RefreshParts, lease: Lease, reason: string): Promise<SubscriberRow> => {
  await refreshWithLease(parts, lease, { by: 'checkout', reason });
  return getSubscriber(parts, lease.userId);
};

const assertAllowed = (subscriber: SubscriberRow, now: Date): void => {
  const refusal = refusalOf(subscriber, now);
  if (refusal !== null) throw createError(refusal);
};

/**
 * Returns the subscriber if the user may buy. Otherwise throws `billing.already_subscribed`, or the code that says what becomes of
 * the payment in progress. A subscription that awaits a payment which Stripe no longer collects is canceled first, so that it
 * cannot be paid beside the new one.
 */
export const assertCanBuy = async (parts: RefreshParts, lease: Lease): Promise<SubscriberRow> => {
  const stored = await getSubscriber(parts, lease.userId);
  const isOutdated = stored.problem !== null || isUnfinished(stored.subscriptionStatus);
  // The payment may have been made, or given up, without a webhook.
  const subscriber = isOutdated ? await refresh(parts, lease, 'payment in progress') : stored;
  assertAllowed(subscriber, parts.clock());
  const { subscriptionId, subscriptionStatus } = subscriber;
  if (subscriptionId === null || !isUnfinished(subscriptionStatus)) return subscriber;
  await parts.stripe.cancelSubscription(subscriptionId);
  const after = await refresh(parts, lease, 'bought again');
  assertAllowed(after, parts.clock());
  return after;
};
