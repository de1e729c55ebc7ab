import type { PaymentProblem } from '@shortlist/contracts/api/public';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { planAt } from '@shortlist/contracts/plan';
import { createError } from '@shortlist/kit/process/errors';
import type { StripeGateway } from '../stripe/gateway.ts';
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

const voidOpenInvoices = async (
  stripe: StripeGateway,
  { customerId, subscriptionId }: SubscriberRow,
): Promise<boolean> => {
  const { invoices } = await stripe.readCustomer(customerId ?? '');
  const open = invoices.filter(
    (invoice) => invoice.status === 'open' && invoice.subscriptionId === subscriptionId,
  );
  for (const { id } of open) if (!(await stripe.voidInvoice(id))) return false;
  return true;
};

/**
 * Ends a subscription that awaits a payment which Stripe no longer collects, with its open invoice, so that it cannot be paid
 * beside the new one. An invoice that was paid meanwhile keeps an incomplete subscription.
 */
const endUnfinished = async (stripe: StripeGateway, subscriber: SubscriberRow): Promise<void> => {
  const cancel = (): Promise<void> => stripe.cancelSubscription(subscriber.subscriptionId ?? '');
  if (subscriber.subscriptionStatus === 'incomplete') {
    // The invoice first: Stripe decides at once whether it is paid or void.
    if (await voidOpenInvoices(stripe, subscriber)) await cancel();
    return;
  }
  // The subscription first: without its open invoice, Stripe would consider an unpaid one as paid.
  await cancel();
  await voidOpenInvoices(stripe, subscriber);
};

/**
 * Returns the subscriber if the user may buy. Otherwise throws `billing.already_subscribed`, or the code that says what becomes of
 * the payment in progress. A subscription that awaits a payment which Stripe no longer collects is ended first.
 */
export const assertCanBuy = async (parts: RefreshParts, lease: Lease): Promise<SubscriberRow> => {
  const stored = await getSubscriber(parts, lease.userId);
  const isOutdated = stored.problem !== null || isUnfinished(stored.subscriptionStatus);
  // The payment may have been made, or given up, without a webhook.
  const subscriber = isOutdated ? await refresh(parts, lease, 'payment in progress') : stored;
  assertAllowed(subscriber, parts.clock());
  if (!isUnfinished(subscriber.subscriptionStatus)) return subscriber;
  await endUnfinished(parts.stripe, subscriber);
  const after = await refresh(parts, lease, 'bought again');
  assertAllowed(after, parts.clock());
  return after;
};
