// Maps Stripe's objects to plain snapshots.
import { PRICE_LOOKUP_KEY } from '@shortlist/contracts/limits';
import type { Stripe } from 'stripe';
import type { InvoiceSnapshot, PriceSnapshot, RefundSnapshot, SubscriptionSnapshot } from './snapshot.ts';

/** The metadata key that marks a price as one of this plan. */
export const PLAN_METADATA_KEY = 'plan';

const date = (seconds: number): Date => new Date(seconds * 1_000);
const dateOrNull = (seconds: number | null | undefined): Date | null => (seconds ? date(seconds) : null);
const idOf = (reference: string | { id: string } | null | undefined): string | null =>
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

export const toSubscription = (subscription: Stripe.Subscription): SubscriptionSnapshot => ({
  id: subscription.id,
  status: subscription.status,
  renews:
    subscription.ended_at === null && !subscription.cancel_at_period_end && subscription.cancel_at === null,
  endedAt: dateOrNull(subscription.ended_at),
  price: ourPriceOf(subscription),
});

const toRefund = ({ id, amount, created }: Stripe.Refund): RefundSnapshot => ({
  id,
  amount,
  createdAt: date(created),
});

export type Charges = ReadonlyMap<string, Stripe.Charge>;

/** Charges by their payment intent: an invoice refers to its intent, not to its charge. */
export const byPaymentIntent = (charges: Stripe.Charge[]): Charges =>
  new Map(
    charges.filter(({ paid }) => paid).map((charge) => [idOf(charge.payment_intent) ?? charge.id, charge]),
  );

const chargeOf = (invoice: Stripe.Invoice, charges: Charges): Stripe.Charge | undefined =>
  invoice.payments?.data.map(({ payment }) => charges.get(idOf(payment.payment_intent) ?? '')).find(Boolean);

const feeOf = (charge: Stripe.Charge | undefined): number =>
  typeof charge?.balance_transaction === 'object' ? (charge.balance_transaction?.fee ?? 0) : 0;

const refundsOf = (charge: Stripe.Charge | undefined): RefundSnapshot[] =>
  (charge?.refunds?.data ?? [])
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .map(toRefund);

const statusOf = ({ status }: Stripe.Invoice): InvoiceSnapshot['status'] | null =>
  status === 'paid' || status === 'open' ? (status as InvoiceSnapshot['status']) : null; // Stripe's type allows any string

const linesOf = ({ lines: { data } }: Stripe.Invoice): Stripe.InvoiceLineItem[] => {
  const subscribed = data.filter(({ subscription }) => subscription !== null);
  return subscribed.length > 0 ? subscribed : data;
};

/** The amount before discounts of the invoice and of its lines; 0 for a trial. */
const grossAmount = (invoice: Stripe.Invoice): number =>
  linesOf(invoice).reduce((sum, { subtotal }) => sum + subtotal, 0);

/** The line that is charged for. A change in mid-period adds credit lines, whose periods end earlier. */
const lastLine = (invoice: Stripe.Invoice): Stripe.InvoiceLineItem | undefined =>
  linesOf(invoice).toSorted((one, other) => other.period.end - one.period.end)[0];

/**
 * Returns null for an invoice that is neither paid nor open, and for one whose gross amount is 0: Stripe marks a trial's invoice
 * as paid too. The period is that of the subscription's line, not of the invoice.
 */
export const toInvoice = (invoice: Stripe.Invoice, charges: Charges): InvoiceSnapshot | null => {
  const line = lastLine(invoice);
  const status = statusOf(invoice);
  if (line === undefined || status === null || grossAmount(invoice) <= 0) return null;
  const charge = chargeOf(invoice, charges);
  return {
    id: invoice.id,
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
    status,
    amount: status === 'paid' ? invoice.amount_paid : invoice.amount_due,
    currency: invoice.currency,
    paidAt: dateOrNull(invoice.status_transitions.paid_at),
    attempts: invoice.attempt_count,
    nextAttemptAt: dateOrNull(invoice.next_payment_attempt),
    period: { start: date(line.period.start), end: date(line.period.end) },
    fee: feeOf(charge),
    refunds: refundsOf(charge),
  };
};
