// Maps Stripe's objects to plain snapshots: subscriptions, disputes, and invoices with their charges and payments.
import { seconds } from '@shortlist/contracts/durations';
import { PACK_LOOKUP_KEY, PRICE_LOOKUP_KEY } from '@shortlist/contracts/limits';
import type { Stripe } from 'stripe';
import type {
  CardSnapshot,
  DisputeSnapshot,
  FeeSnapshot,
  InvoiceSnapshot,
  InvoiceStatus,
  PriceSnapshot,
  RefundSnapshot,
  ReturnedRefund,
  SubscriptionSnapshot,
} from './snapshot.ts';

/** The metadata key that marks a price as one of this plan. */
export const PLAN_METADATA_KEY = 'plan';

/** The metadata key that names the user of a customer. */
export const USER_KEY = 'userId';

/** The metadata of what sells a pack: its price, its checkout, payment and invoice. */
const PACK_METADATA_KEY = 'pack';
const CREDITS_METADATA_KEY = 'credits';

export const packMetadata = (credits: number): Record<string, string> => ({
  [PACK_METADATA_KEY]: PACK_LOOKUP_KEY,
  [CREDITS_METADATA_KEY]: String(credits),
});

/** The credits of a pack, as the metadata state them; null for an object of another purpose. */
export const creditsOf = (metadata: Stripe.Metadata | null): number | null => {
  const { [PACK_METADATA_KEY]: pack, [CREDITS_METADATA_KEY]: credits = '' } = metadata ?? {};
  return pack === PACK_LOOKUP_KEY && /^[1-9]\d{0,6}$/.test(credits) ? Number(credits) : null;
};

export const date = (unixTime: number): Date => new Date(seconds(unixTime));
const dateOrNull = (seconds: number | null | undefined): Date | null => (seconds ? date(seconds) : null);
export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

// A lookup key moves to the new price when the plan's price changes; the metadata stay with the prices sold before.
export const isOurPrice = ({ lookup_key: key, metadata }: Stripe.Price): boolean =>
  key === PRICE_LOOKUP_KEY || metadata[PLAN_METADATA_KEY] === PRICE_LOOKUP_KEY;

/** The end of the plan's current period, which Stripe keeps on the subscription's items; null where none sells the plan. */
export const periodEndOf = ({ items }: Stripe.Subscription): Date | null => {
  const ends = items.data.filter(({ price }) => isOurPrice(price)).map(({ current_period_end: end }) => end);
  return ends.length === 0 ? null : date(Math.max(...ends));
};

const isOurSubscription = (subscription: Stripe.Subscription): boolean =>
  subscription.items.data.some(({ price }) => isOurPrice(price));

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

export type PaymentMethod = string | Stripe.PaymentMethod | null;

/** Null for another method of payment, and for one that was not expanded. */
const toCard = (method: PaymentMethod): CardSnapshot | null => {
  if (method === null || typeof method === 'string' || method.card === undefined) return null;
  const { brand, last4, exp_year: year, exp_month: month } = method.card;
  return { id: method.id, brand, last4, expires: `${year}-${String(month).padStart(2, '0')}` };
};

/**
 * Stripe collects nothing while a subscription is paused, or its collection is, whatever becomes of the invoices meanwhile. One that is past
 * due is still collected: its invoice is from before the pause.
 */
const statusOfSubscription = ({ status, pause_collection: pause }: Stripe.Subscription): string =>
  pause !== null && (status === 'active' || status === 'trialing') ? 'paused' : status;

/** `otherwise` pays for a subscription without a method of its own. */
export const toSubscription = (
  subscription: Stripe.Subscription,
  otherwise: PaymentMethod = null,
): SubscriptionSnapshot => ({
  id: subscription.id,
  status: statusOfSubscription(subscription),
  sellsPlan: isOurSubscription(subscription),
  renews: subscription.ended_at === null && !subscription.cancel_at_period_end,
  endsAt: subscription.cancel_at_period_end ? null : dateOrNull(subscription.cancel_at),
  startedAt: date(subscription.start_date),
  canceledAt: dateOrNull(subscription.canceled_at),
  endedAt: dateOrNull(subscription.ended_at),
  resumesAt: dateOrNull(subscription.pause_collection?.resumes_at ?? null),
  cancelReason: cancelReasonOf(subscription),
  isCanceledForReturn: FOR_RETURN.has(cancelReasonOf(subscription)),
  price: ourPriceOf(subscription),
  card: toCard(subscription.default_payment_method ?? otherwise),
});

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
    return { amount: 0, currency: invoice.currency, settlementAmount: 0, exchangeRate: null, bookedAt: null };
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
    bookedAt: date(Math.max(...known.map(({ created }) => created))),
  };
};

/** Refunds and fees are compared by the charge, which is the only reference that they have. */
const onlyCharge = (charges: Stripe.Charge[]): string | null =>
  charges.length === 1 ? (charges[0]?.id ?? null) : null;

const toRefund = ({ id, amount, created }: Stripe.Refund): RefundSnapshot => ({
  id,
  amount,
  createdAt: date(created),
});

/** Failed or canceled. */
export const isReturned = ({ status }: Stripe.Refund): boolean =>
  status === 'failed' || status === 'canceled';

/** Whether money left the balance for it: one that ended before moved none. */
export const hasMoved = (refund: Stripe.Refund): boolean =>
  !isReturned(refund) || refund.balance_transaction !== null;

export const toReturned = (refund: Stripe.Refund): ReturnedRefund => {
  const { failure_balance_transaction: failure } = refund;
  return { ...toRefund(refund), failedAt: typeof failure === 'object' ? date(failure.created) : null };
};

const refundsOf = (charges: Stripe.Charge[]) => {
  const refunds = charges.flatMap((charge) => charge.refunds?.data ?? []);
  return {
    refunds: refunds.filter((refund) => !isReturned(refund)).map(toRefund),
    failedRefunds: refunds.filter(({ status }) => status === 'failed').map(toRefund),
    returnedRefunds: refunds.filter((refund) => isReturned(refund) && hasMoved(refund)).map(toReturned),
  };
};

/** The id of the subscription that an invoice is for. */
export const subscriptionOfInvoice = (invoice: Stripe.Invoice): string | null =>
  idOf(invoice.parent?.subscription_details?.subscription);

/** The credits of the pack that an invoice is for. Only Checkout, by our order, makes invoices with this mark. */
const packOfInvoice = (invoice: Stripe.Invoice): number | null =>
  subscriptionOfInvoice(invoice) === null ? creditsOf(invoice.metadata) : null;

const STATUSES = new Set<string | null>(['open', 'paid', 'void', 'uncollectible'] satisfies InvoiceStatus[]);

const statusOf = ({ status }: Stripe.Invoice): InvoiceStatus | null =>
  STATUSES.has(status) ? (status as InvoiceStatus) : null; // Stripe's type allows any string

/** A line of an amount alone has a price that is used once. */
export const priceOfLine = ({ pricing }: Stripe.InvoiceLineItem): string | null =>
  idOf(pricing?.price_details?.price);

/**
 * The lines that sell the plan; of the invoice of a pack, all. Other products and one-off charges may stand on the invoice of a
 * subscription too, and say nothing about the plan.
 */
export const linesOf = (
  invoice: Stripe.Invoice,
  planPrices: ReadonlySet<string>,
): Stripe.InvoiceLineItem[] => {
  const { data } = invoice.lines;
  if (subscriptionOfInvoice(invoice) === null) return packOfInvoice(invoice) === null ? [] : data;
  return data.filter((line) => planPrices.has(priceOfLine(line) ?? ''));
};

/** Before discounts of the invoice and of its lines; 0 for a trial. */
const grossAmount = (lines: Stripe.InvoiceLineItem[]): number => sum(lines.map(({ subtotal }) => subtotal));

/** The line that is charged for. A change in mid-period adds credit lines, whose periods end earlier. */
const lastLine = (lines: Stripe.InvoiceLineItem[]): Stripe.InvoiceLineItem | undefined =>
  lines.toSorted((one, other) => other.period.end - one.period.end)[0];

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
    pdfUrl: invoice.invoice_pdf ?? null,
    isProcessing: invoice.status === 'open' && states.includes('processing'),
    needsAuthentication: invoice.status === 'open' && states.includes('requires_action'),
  };
};

/**
 * Returns null for a draft, and for an invoice whose lines of the plan, or of the pack, amount to 0 or less: Stripe marks a trial's
 * invoice as paid too. The period is that of the plan's line, not of the invoice.
 */
export const toInvoice = (
  invoice: Stripe.Invoice,
  { planPrices, ...payments }: Payments & { planPrices: ReadonlySet<string> },
): InvoiceSnapshot | null => {
  const lines = linesOf(invoice, planPrices);
  const line = lastLine(lines);
  const status = statusOf(invoice);
  if (line === undefined || status === null || grossAmount(lines) <= 0) return null;
  const charges = chargesOf(invoice, payments);
  return {
    id: invoice.id,
    number: invoice.number,
    subscriptionId: subscriptionOfInvoice(invoice),
    billingReason: invoice.billing_reason,
    credits: packOfInvoice(invoice),
    sellsMore: invoice.lines.data.length > lines.length,
    status,
    ...amountsOf(invoice),
    ...collectionOf(invoice, payments),
    period: { start: date(line.period.start), end: date(line.period.end) },
    fee: feeOf(invoice, payments),
    chargeId: onlyCharge(charges),
    ...refundsOf(charges),
  };
};
