// Maps Stripe's invoices, with their charges and payments, to plain snapshots.
import type { Stripe } from 'stripe';
import { date, dateOrNull, idOf } from './from-stripe.ts';
import type { FeeSnapshot, InvoiceSnapshot, InvoiceStatus, RefundSnapshot } from './snapshot.ts';

/** An invoice refers to its payment intents, not to its charges, so both are kept by the intent's id. */
export type Payments = {
  charges: ReadonlyMap<string, Stripe.Charge>;
  /** The intents of open invoices alone. */
  intents: ReadonlyMap<string, Stripe.PaymentIntent>;
};

/** Paid charges by their payment intent. */
export const byPaymentIntent = (charges: Stripe.Charge[]): Payments['charges'] =>
  new Map(
    charges.filter(({ paid }) => paid).map((charge) => [idOf(charge.payment_intent) ?? charge.id, charge]),
  );

/** The payment intents of an invoice. A payment may also have none, when an operator marked the invoice as paid. */
export const intentIdsOf = (invoice: Stripe.Invoice): string[] =>
  (invoice.payments?.data ?? [])
    .map(({ payment }) => idOf(payment.payment_intent))
    .filter((id) => id !== null);

export const chargesOf = (invoice: Stripe.Invoice, { charges }: Payments): Stripe.Charge[] =>
  intentIdsOf(invoice)
    .map((id) => charges.get(id))
    .filter((charge) => charge !== undefined);

const intentsOf = (invoice: Stripe.Invoice, { intents }: Payments): Stripe.PaymentIntent[] =>
  intentIdsOf(invoice)
    .map((id) => intents.get(id))
    .filter((intent) => intent !== undefined);

const transactionOf = ({ balance_transaction: transaction }: Stripe.Charge) =>
  typeof transaction === 'object' ? transaction : null;

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/**
 * The fee of a paid invoice. It is unknown until each of its payments has reached the balance. An invoice that was paid without a
 * payment, by a discount or a balance, cost nothing.
 */
const feeOf = (invoice: Stripe.Invoice, payments: Payments): FeeSnapshot | null => {
  if (invoice.status !== 'paid') return null;
  if (invoice.amount_paid === 0 || intentIdsOf(invoice).length === 0)
    return { amount: 0, currency: invoice.currency, settlementAmount: 0, exchangeRate: null };
  const transactions = chargesOf(invoice, payments).map(transactionOf);
  const known = transactions.filter((transaction) => transaction !== null);
  const [first] = known;
  if (first === undefined || known.length < transactions.length) return null;
  // Sums of different currencies are never added. Stripe settles one invoice in one currency unless the account changed meanwhile.
  if (known.some(({ currency }) => currency !== first.currency)) return null;
  return {
    amount: sum(known.map(({ fee }) => fee)),
    currency: first.currency,
    settlementAmount: sum(known.map(({ amount }) => amount)),
    exchangeRate: first.exchange_rate,
  };
};

const toRefund = ({ id, amount, created }: Stripe.Refund): RefundSnapshot => ({
  id,
  amount,
  createdAt: date(created),
});

const refundsOf = (charges: Stripe.Charge[]) => {
  const refunds = charges.flatMap((charge) => charge.refunds?.data ?? []);
  return {
    refunds: refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled').map(toRefund),
    failedRefunds: refunds.filter(({ status }) => status === 'failed').map(toRefund),
  };
};

/** The id of the subscription that an invoice is for. */
export const subscriptionOfInvoice = (invoice: Stripe.Invoice): string | null =>
  idOf(invoice.parent?.subscription_details?.subscription);

const STATUSES = new Set<string | null>(['open', 'paid', 'void', 'uncollectible'] satisfies InvoiceStatus[]);

const statusOf = ({ status }: Stripe.Invoice): InvoiceStatus | null =>
  STATUSES.has(status) ? (status as InvoiceStatus) : null; // Stripe's type allows any string

const linesOf = ({ lines: { data } }: Stripe.Invoice): Stripe.InvoiceLineItem[] => {
  const subscribed = data.filter(({ subscription }) => subscription !== null);
  return subscribed.length > 0 ? subscribed : data;
};

/** The amount before discounts of the invoice and of its lines; 0 for a trial. */
const grossAmount = (invoice: Stripe.Invoice): number =>
  linesOf(invoice).reduce((total, { subtotal }) => total + subtotal, 0);

/** The line that is charged for. A change in mid-period adds credit lines, whose periods end earlier. */
const lastLine = (invoice: Stripe.Invoice): Stripe.InvoiceLineItem | undefined =>
  linesOf(invoice).toSorted((one, other) => other.period.end - one.period.end)[0];

const amountsOf = (invoice: Stripe.Invoice) => ({
  amount: invoice.status === 'paid' ? invoice.amount_paid : invoice.amount_due,
  currency: invoice.currency,
  subtotal: invoice.subtotal,
  discount: sum((invoice.total_discount_amounts ?? []).map(({ amount }) => amount)),
  tax: sum((invoice.total_taxes ?? []).map(({ amount }) => amount)),
  total: invoice.total,
});

/** How the collection of an invoice stands. */
const collectionOf = (invoice: Stripe.Invoice, payments: Payments) => {
  const states = intentsOf(invoice, payments).map(({ status }) => status);
  return {
    attempts: invoice.attempt_count,
    nextAttemptAt: dateOrNull(invoice.next_payment_attempt),
    paidAt: dateOrNull(invoice.status_transitions.paid_at),
    hostedUrl: invoice.hosted_invoice_url ?? null,
    isProcessing: invoice.status === 'open' && states.includes('processing'),
    needsAuthentication: invoice.status === 'open' && states.includes('requires_action'),
  };
};

/**
 * Returns null for a draft, and for an invoice whose gross amount is 0: Stripe marks a trial's invoice as paid too. The period is
 * that of the subscription's line, not of the invoice.
 */
export const toInvoice = (invoice: Stripe.Invoice, payments: Payments): InvoiceSnapshot | null => {
  const line = lastLine(invoice);
  const status = statusOf(invoice);
  if (line === undefined || status === null || grossAmount(invoice) <= 0) return null;
  return {
    id: invoice.id,
    number: invoice.number,
    subscriptionId: subscriptionOfInvoice(invoice),
    billingReason: invoice.billing_reason,
    status,
    ...amountsOf(invoice),
    ...collectionOf(invoice, payments),
    period: { start: date(line.period.start), end: date(line.period.end) },
    fee: feeOf(invoice, payments),
    ...refundsOf(chargesOf(invoice, payments)),
  };
};
