// Their objects into our plain shapes. From here on no file knows Stripe.
import { PRICE_LOOKUP_KEY } from '@shortlist/contracts/limits';
import type { Stripe } from 'stripe';
import type {
  ProviderInvoice,
  ProviderRefund,
  ProviderSubscription,
} from '../subscriptions/subscription.rules.ts';

/** The name under which our prices carry what they are for. */
export const PLAN_MARK = 'plan';

const date = (seconds: number): Date => new Date(seconds * 1_000);
const dateOrNull = (seconds: number | null | undefined): Date | null => (seconds ? date(seconds) : null);
const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** The customer whom one of their objects belongs to, or is. */
export const customerOfObject = (given: object): string | null => {
  const { object, id, customer } = given as {
    object: string;
    id?: string;
    customer?: string | { id: string } | null;
  };
  return object === 'customer' ? (id ?? null) : idOf(customer);
};

/** The period is the subscription item's own. */
export const periodEndOf = ({ items }: Stripe.Subscription): Date =>
  date(Math.max(...items.data.map(({ current_period_end: end }) => end)));

// A lookup key moves on to the next price when the plan gets dearer; the mark in the metadata stays with those sold before.
const isOurPrice = ({ lookup_key: key, metadata }: Stripe.Price): boolean =>
  key === PRICE_LOOKUP_KEY || metadata[PLAN_MARK] === PRICE_LOOKUP_KEY;

export const isOurSubscription = (subscription: Stripe.Subscription): boolean =>
  subscription.items.data.some(({ price }) => isOurPrice(price));

/** Whether an event's payload tells of a subscription at a price that is none of ours. */
export const tellsOfOtherPrice = (payload: string): boolean => {
  const { data } = JSON.parse(payload) as { data?: { object?: Partial<Stripe.Subscription> } };
  const { items } = data?.object ?? {};
  return items !== undefined && !items.data.some(({ price }) => isOurPrice(price));
};

export const toSubscription = (subscription: Stripe.Subscription): ProviderSubscription => ({
  id: subscription.id,
  status: subscription.status,
  renews:
    subscription.ended_at === null && !subscription.cancel_at_period_end && subscription.cancel_at === null,
  endedAt: dateOrNull(subscription.ended_at),
});

const toRefund = ({ id, amount, created }: Stripe.Refund): ProviderRefund => ({
  id,
  amount,
  createdAt: date(created),
});

export type Charges = ReadonlyMap<string, Stripe.Charge>;

/** Charges by the payment intent that made them: an invoice names its intent, not its charge. */
export const byPaymentIntent = (charges: Stripe.Charge[]): Charges =>
  new Map(
    charges.filter(({ paid }) => paid).map((charge) => [idOf(charge.payment_intent) ?? charge.id, charge]),
  );

const chargeOf = (invoice: Stripe.Invoice, charges: Charges): Stripe.Charge | undefined =>
  invoice.payments?.data.map(({ payment }) => charges.get(idOf(payment.payment_intent) ?? '')).find(Boolean);

const feeOf = (charge: Stripe.Charge | undefined): number =>
  typeof charge?.balance_transaction === 'object' ? (charge.balance_transaction?.fee ?? 0) : 0;

const refundsOf = (charge: Stripe.Charge | undefined): ProviderRefund[] =>
  (charge?.refunds?.data ?? [])
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .map(toRefund);

const statusOf = ({ status }: Stripe.Invoice): ProviderInvoice['status'] | null =>
  status === 'paid' || status === 'open' ? (status as ProviderInvoice['status']) : null; // their type admits any string

const linesOf = ({ lines: { data } }: Stripe.Invoice): Stripe.InvoiceLineItem[] => {
  const bought = data.filter(({ subscription }) => subscription !== null);
  return bought.length > 0 ? bought : data;
};

/** Before any discount, be it the invoice's or a line's: nothing for a trial. */
const soldFor = (invoice: Stripe.Invoice): number =>
  linesOf(invoice).reduce((sum, { subtotal }) => sum + subtotal, 0);

/** What is credited for a change in mid-period stands beside what is charged for; what is charged for lasts longest. */
const lastLine = (invoice: Stripe.Invoice): Stripe.InvoiceLineItem | undefined =>
  linesOf(invoice).toSorted((one, other) => other.period.end - one.period.end)[0];

/**
 * Null for an invoice that is neither paid nor waiting to be, and for one that sold nothing: that of a trial is marked as paid
 * too. The period is the subscription line's own, not the invoice's.
 */
export const toInvoice = (invoice: Stripe.Invoice, charges: Charges): ProviderInvoice | null => {
  const line = lastLine(invoice);
  const status = statusOf(invoice);
  if (line === undefined || status === null || soldFor(invoice) <= 0) return null;
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
