import type { PaymentProblem } from '@shortlist/contracts/api/billing';
import type { Interval } from '@shortlist/contracts/plan';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { createError } from '@shortlist/kit/process/errors';
import type { PackSale } from '../packs/pack-offer.ts';
import { findNewestInvoice, hasPayableInvoice, type InvoiceRow } from '../records/invoice-queries.ts';
import { type RefreshParts, refreshWithLease } from '../refresh/refresh-subscriber.ts';
import type { CheckoutKind } from '../stripe/checkouts.ts';
import type { StripeGateway } from '../stripe/gateway.ts';
import type { InvoiceSnapshot, InvoiceStatus } from '../stripe/snapshot.ts';
import type { Offer } from '../subscriptions/offer.ts';
import { isPremium, stateOf } from '../subscriptions/plan.rules.ts';
import { findSubscriber, type Lease, type SubscriberRow } from '../subscriptions/queries.ts';
import { findTrialDays } from '../trials/offered-trial.ts';
import { isFinal, isOngoing, isUnfinished } from '../subscriptions/subscription.rules.ts';

/** The error for a user with this problem, who must not get a second subscription. */
const REFUSALS: Record<PaymentProblem['kind'], ErrorCode | null> = {
  past_due: 'billing.payment_open',
  authentication: 'billing.payment_open',
  processing: 'billing.payment_processing',
  paused: 'billing.subscription_paused',
  incomplete: null,
  other_subscription: 'billing.other_subscription',
  disputed: null,
};

const refusalOf = (subscriber: SubscriberRow, now: Date): ErrorCode | null => {
  if (isPremium(stateOf(subscriber), now)) return 'billing.already_subscribed';
  // A dispute alone neither prevents nor allows a purchase.
  if (subscriber.problem !== null && subscriber.problem.kind !== 'disputed')
    return REFUSALS[subscriber.problem.kind];
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

const isGivenUp = (status: InvoiceStatus): boolean => status === 'void' || status === 'uncollectible';
const isPayable = ({ status }: InvoiceSnapshot): boolean => status === 'open' || status === 'uncollectible';

/** Whether the renewal of an active subscription was given up, or has not become an invoice although the period is over. */
const isNoLongerPaid = (
  { status, periodEnd }: Pick<InvoiceRow, 'status' | 'periodEnd'>,
  now: Date,
): boolean => isGivenUp(status) || (periodEnd !== null && periodEnd <= now);

/**
 * Whether a subscription of a user without a plan must be ended before another is sold: it awaits a payment that Stripe no longer collects, is
 * active although its renewal was voided, given up or never invoiced, or has ended with an invoice that can still be paid.
 */
const isAbandoned = async ({ db, clock }: RefreshParts, subscriber: SubscriberRow): Promise<boolean> => {
  const { userId, subscriptionId, subscriptionStatus: status } = subscriber;
  if (subscriptionId === null) return false;
  if (isUnfinished(status)) return true;
  if (!isOngoing(status)) return hasPayableInvoice(db.manager, { userId, subscriptionId });
  const newest = await findNewestInvoice(db.manager, { userId, subscriptionId });
  return status === 'active' && newest !== null && isNoLongerPaid(newest, clock());
};

const voidPayableInvoices = async (
  stripe: StripeGateway,
  { customerId, subscriptionId }: SubscriberRow,
): Promise<boolean> => {
  const { invoices } = await stripe.readCustomer(customerId ?? '');
  const payable = invoices.filter(
    (invoice) => isPayable(invoice) && invoice.subscriptionId === subscriptionId,
  );
  for (const { id } of payable) if (!(await stripe.voidInvoice(id))) return false;
  return true;
};

/**
 * Ends an abandoned subscription and its payable invoice, so that it cannot be paid in addition to the new one. If the invoice has been paid in
 * the meantime, an incomplete subscription is kept.
 */
const endAbandoned = async (stripe: StripeGateway, subscriber: SubscriberRow): Promise<void> => {
  const cancel = async (): Promise<void> => {
    await stripe.cancelSubscription(subscriber.subscriptionId ?? '');
  };
  if (subscriber.subscriptionStatus === 'incomplete') {
    // The invoice first: Stripe decides at once whether it is paid or void.
    if (await voidPayableInvoices(stripe, subscriber)) await cancel();
    return;
  }
  // The subscription first: without its open invoice, Stripe would consider an unpaid one as paid.
  await cancel();
  await voidPayableInvoices(stripe, subscriber);
};

/** Whether the subscriber has no plan and no payment in progress, but an abandoned subscription. */
const mustEndFirst = async (parts: RefreshParts, subscriber: SubscriberRow): Promise<boolean> => {
  if (isPremium(stateOf(subscriber), parts.clock())) return false;
  const { problem } = subscriber;
  return (problem === null || REFUSALS[problem.kind] === null) && isAbandoned(parts, subscriber);
};

/**
 * Whether a customer who may buy as far as stored has nothing at Stripe that would change this: a subscription that was created or paid without a
 * webhook, or an invoice that may have been paid. This takes one call instead of a refresh.
 */
const hasNothingElse = async (
  { db, stripe }: RefreshParts,
  { userId, customerId, problem, subscriptionStatus }: SubscriberRow,
): Promise<boolean> => {
  if (problem !== null || !isFinal(subscriptionStatus)) return false;
  if (customerId === null) return true;
  if (await hasPayableInvoice(db.manager, { userId })) return false;
  const statuses = await stripe.listStatuses(customerId);
  return statuses !== null && statuses.every(isFinal);
};

/**
 * Returns the subscriber if the user may buy. Otherwise throws `billing.already_subscribed`, or the code for the payment in progress. Ends an
 * abandoned subscription first.
 */
const assertCanBuy = async (parts: RefreshParts, lease: Lease): Promise<SubscriberRow> => {
  const stored = await getSubscriber(parts, lease.userId);
  const refusal = refusalOf(stored, parts.clock());
  if (refusal === null && (await hasNothingElse(parts, stored))) return stored;
  // A payment may have succeeded or been given up without a webhook.
  const isOutdated = stored.problem !== null || refusal === null || (await mustEndFirst(parts, stored));
  const subscriber = isOutdated ? await refresh(parts, lease, 'payment in progress') : stored;
  if (!(await mustEndFirst(parts, subscriber))) {
    assertAllowed(subscriber, parts.clock());
    return subscriber;
  }
  await endAbandoned(parts.stripe, subscriber);
  const after = await refresh(parts, lease, 'bought again');
  assertAllowed(after, parts.clock());
  return after;
};

export type CheckoutParts = RefreshParts & { offer: Offer; packSale: PackSale; publicUrl: string };

/** The sold item's price at Stripe; `credits`: those of a pack; `trialDays`: before it is charged. */
export type Item = {
  id: string;
  amount: number;
  currency: string;
  credits: number | null;
  trialDays: number;
};

/** What a checkout sells, who may buy it, and where the user returns to. */
export type Sale = {
  kind: CheckoutKind;
  /** Returns the subscriber, or throws if the user may not buy. */
  assertCanBuy: (parts: RefreshParts, lease: Lease) => Promise<SubscriberRow>;
  findItem: (parts: CheckoutParts, userId: string) => Promise<Item>;
  successPath: string;
  cancelPath: string;
};

/**
 * Throws `billing.already_subscribed` if the user has a subscription, `billing.other_subscription` if it is not the plan's, and
 * `billing.payment_open`, `billing.payment_processing` or `billing.subscription_paused` if it awaits a payment.
 */
export const planSale = (interval: Interval): Sale => ({
  kind: 'plan',
  assertCanBuy,
  findItem: async (parts, userId) => ({
    ...(await parts.offer.getSellablePrice(interval)),
    credits: null,
    trialDays: await findTrialDays(parts.db.manager, await getSubscriber(parts, userId), parts),
  }),
  successPath: '/payments/success',
  cancelPath: '/payments/cancel',
});

/** Every user may buy packs, whatever their plan and as often as they like. */
export const PACK_SALE: Sale = {
  kind: 'pack',
  assertCanBuy: (parts, { userId }) => getSubscriber(parts, userId),
  findItem: async ({ packSale }) => ({ ...(await packSale.getSellable()), trialDays: 0 }),
  successPath: '/credits/pack',
  cancelPath: '/credits',
};
