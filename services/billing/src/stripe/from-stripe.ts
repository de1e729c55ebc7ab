// Maps Stripe's customers and subscriptions to plain snapshots.
import { seconds } from '@shortlist/contracts/durations';
import { PRICE_LOOKUP_KEY } from '@shortlist/contracts/limits';
import type { Stripe } from 'stripe';
import type { DisputeSnapshot, PriceSnapshot, SubscriptionSnapshot } from './snapshot.ts';

/** The metadata key that marks a price as one of this plan. */
export const PLAN_METADATA_KEY = 'plan';

export const date = (unixTime: number): Date => new Date(seconds(unixTime));
export const dateOrNull = (seconds: number | null | undefined): Date | null =>
  seconds ? date(seconds) : null;
export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** The id of the customer that one of Stripe's objects belongs to, or is. */
export const customerOfObject = (source: object): string | null => {
  const { object, id, customer } = source as {
    object: string;
    id?: string;
    customer?: string | { id: string } | null;
  };
  return object === 'customer' ? (id ?? null) : idOf(customer);
};

/** The end of the current period, which Stripe keeps on the subscription's items. */
export const periodEndOf = ({ items }: Stripe.Subscription): Date =>
  date(Math.max(...items.data.map(({ current_period_end: end }) => end)));

// A lookup key moves to the new price when the plan's price changes; the metadata stay with the prices sold before.
const isOurPrice = ({ lookup_key: key, metadata }: Stripe.Price): boolean =>
  key === PRICE_LOOKUP_KEY || metadata[PLAN_METADATA_KEY] === PRICE_LOOKUP_KEY;

export const isOurSubscription = (subscription: Stripe.Subscription): boolean =>
  subscription.items.data.some(({ price }) => isOurPrice(price));

/** Whether an event's payload is a subscription at none of our prices. */
export const describesOtherPrice = (payload: string): boolean => {
  const { data } = JSON.parse(payload) as { data?: { object?: Partial<Stripe.Subscription> } };
  const { items } = data?.object ?? {};
  return items !== undefined && !items.data.some(({ price }) => isOurPrice(price));
};

const ourPriceOf = ({ items }: Stripe.Subscription): PriceSnapshot | null => {
  const item = items.data.find(({ price }) => isOurPrice(price));
  if (!item || item.price.unit_amount === null) return null;
  return { amount: item.price.unit_amount * (item.quantity ?? 1), currency: item.price.currency };
};

/** Marks a subscription that we canceled ourselves, and why. Stripe keeps the mark as the cancellation's comment. */
export const CANCEL_REASONS = {
  refund: 'shortlist:refund',
  dispute: 'shortlist:dispute',
  deleted: 'shortlist:deleted',
} as const;
export type CancelReason = (typeof CANCEL_REASONS)[keyof typeof CANCEL_REASONS];

const OURS = new Set<string | null | undefined>(Object.values(CANCEL_REASONS));

const FOR_RETURN = new Set<string | null>([CANCEL_REASONS.refund, CANCEL_REASONS.dispute]);

/** A comment that is not ours is the customer's own text, which is not needed here. */
const cancelReasonOf = ({ cancellation_details: details }: Stripe.Subscription): string | null =>
  (OURS.has(details?.comment) ? details?.comment : details?.reason) ?? null;

export const toSubscription = (subscription: Stripe.Subscription): SubscriptionSnapshot => ({
  id: subscription.id,
  status: subscription.status,
  renews:
    subscription.ended_at === null && !subscription.cancel_at_period_end && subscription.cancel_at === null,
  startedAt: date(subscription.start_date),
  canceledAt: dateOrNull(subscription.canceled_at),
  endedAt: dateOrNull(subscription.ended_at),
  cancelReason: cancelReasonOf(subscription),
  isCanceledForReturn: FOR_RETURN.has(cancelReasonOf(subscription)),
  price: ourPriceOf(subscription),
});

// Maps Stripe's disputes to plain snapshots.

/** Stripe's balance loses a negative amount; what the dispute took is positive here. */
const toTransaction = ({
  id,
  amount,
  fee,
  currency,
  created,
}: Stripe.BalanceTransaction): DisputeSnapshot['transactions'][number] => ({
  id,
  amount: -amount,
  fee,
  currency,
  createdAt: date(created),
});

/** `invoiceId` is the invoice that the disputed charge paid. */
export const toDispute = (dispute: Stripe.Dispute, invoiceId: string): DisputeSnapshot => ({
  id: dispute.id,
  invoiceId,
  chargeId: idOf(dispute.charge) ?? '',
  amount: dispute.amount,
  currency: dispute.currency,
  reason: dispute.reason,
  status: dispute.status,
  openedAt: date(dispute.created),
  evidenceDueAt: dateOrNull(dispute.evidence_details.due_by),
  transactions: dispute.balance_transactions.map(toTransaction),
});
