// Maps Stripe's objects to plain snapshots: subscriptions, disputes, and invoices with their charges and payments.
import { days, seconds } from '@shortlist/contracts/durations';
import { PACK_LOOKUP_KEY, PRICE_LOOKUP_KEY, YEARLY_LOOKUP_KEY } from '@shortlist/contracts/limits';
import type { PlanDiscount } from '@shortlist/contracts/api/billing';
import { type Interval, INTERVALS } from '@shortlist/contracts/plan';
import type { Stripe } from 'stripe';
import { inOneMonth } from './monthly-amount.rules.ts';
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
  TrialSnapshot,
} from './snapshot.ts';

/** The metadata key that marks a price as one of this plan. */
export const PLAN_METADATA_KEY = 'plan';

/** The metadata key that names the user of a customer. */
export const USER_KEY = 'userId';

/** The metadata key of a checkout and of a subscription with a trial of ours, with its days. */
export const TRIAL_KEY = 'trial';

/** The days of the trial that the metadata promise; 0 for none. */
export const trialDaysOf = (metadata: Stripe.Metadata | null | undefined): number => {
  const text = metadata?.[TRIAL_KEY] ?? '';
  return /^[1-9]\d?$/.test(text) ? Number(text) : 0;
};

/** The metadata key of everything that sells a pack: price, checkout, payment and invoice. */
const PACK_METADATA_KEY = 'pack';
const CREDITS_METADATA_KEY = 'credits';

export const packMetadata = (credits: number): Record<string, string> => ({
  [PACK_METADATA_KEY]: PACK_LOOKUP_KEY,
  [CREDITS_METADATA_KEY]: String(credits),
});

/** The credits of a pack according to the metadata; null if the object is not for a pack. */
export const creditsOf = (metadata: Stripe.Metadata | null): number | null => {
  const { [PACK_METADATA_KEY]: pack, [CREDITS_METADATA_KEY]: credits = '' } = metadata ?? {};
  return pack === PACK_LOOKUP_KEY && /^[1-9]\d{0,6}$/.test(credits) ? Number(credits) : null;
};

export const date = (unixTime: number): Date => new Date(seconds(unixTime));
const dateOrNull = (seconds: number | null | undefined): Date | null => (seconds ? date(seconds) : null);
export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

// When the plan's price changes, the lookup key moves to the new price; the metadata stay with earlier prices.
export const isOurPrice = ({ lookup_key: key, metadata }: Stripe.Price): boolean =>
  key === PRICE_LOOKUP_KEY || key === YEARLY_LOOKUP_KEY || metadata[PLAN_METADATA_KEY] === PRICE_LOOKUP_KEY;

/** The end of the plan's current period, which Stripe stores in the subscription's items; null if none sells the plan. */
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

/** The interval of a price; null if it is paid once, or at another interval. */
export const intervalOf = ({ recurring }: Stripe.Price): Interval | null =>
  recurring?.interval_count === 1 ? (INTERVALS.find((one) => one === recurring.interval) ?? null) : null;

const ourIntervalOf = ({ items }: Stripe.Subscription): Interval | null => {
  const item = items.data.find(({ price }) => isOurPrice(price));
  return item ? intervalOf(item.price) : null;
};

/** The metadata key of a schedule of ours, with the interval to which it leads. */
export const NEXT_INTERVAL_KEY = 'nextInterval';

/** Null also once the schedule has led there, and for a schedule that is not ours or was not read. */
const nextIntervalOf = (subscription: Stripe.Subscription): Interval | null => {
  const { schedule } = subscription;
  if (schedule === null || typeof schedule === 'string') return null;
  const next = INTERVALS.find((one) => one === schedule.metadata?.[NEXT_INTERVAL_KEY]) ?? null;
  return next === ourIntervalOf(subscription) ? null : next;
};

/** Whether a schedule has no part yet but what the subscription is: the first step of ours, whose second may have been lost. */
export const isScheduleBegun = ({ phases, metadata }: Stripe.SubscriptionSchedule): boolean =>
  phases.length === 1 && Object.keys(metadata ?? {}).length === 0;

const isScheduledElsewhere = ({ schedule }: Stripe.Subscription): boolean =>
  schedule !== null &&
  typeof schedule !== 'string' &&
  schedule.metadata?.[NEXT_INTERVAL_KEY] === undefined &&
  !isScheduleBegun(schedule);

/** The first discount of a subscription as read with its coupon; one that was used up or has ended is not listed any more. */
const discountOf = ({ discounts }: Stripe.Subscription): PlanDiscount | null => {
  const [discount] = discounts;
  const coupon = typeof discount === 'object' ? discount.source.coupon : null;
  if (typeof discount !== 'object' || coupon === null || typeof coupon === 'string') return null;
  return {
    name: coupon.name,
    percentOff: coupon.percent_off,
    amountOff: coupon.amount_off,
    currency: coupon.currency,
    endsAt: dateOrNull(discount.end)?.toISOString() ?? null,
  };
};

/** Our reasons for canceling a subscription, stored as the cancellation's comment at Stripe. */
export const CANCEL_REASONS = {
  refund: 'shortlist:refund',
  dispute: 'shortlist:dispute',
  deleted: 'shortlist:deleted',
  trial: 'shortlist:trial',
} as const;
export type CancelReason = (typeof CANCEL_REASONS)[keyof typeof CANCEL_REASONS];

const OURS = new Set<string | null | undefined>(Object.values(CANCEL_REASONS));

const FOR_RETURN = new Set<string | null>([CANCEL_REASONS.refund, CANCEL_REASONS.dispute]);

/** Other comments are the customer's own text, which is not needed. */
const cancelReasonOf = ({ cancellation_details: details }: Stripe.Subscription): string | null =>
  (OURS.has(details?.comment) ? details?.comment : details?.reason) ?? null;

export type PaymentMethod = string | Stripe.PaymentMethod | null;

/** Null for other payment methods, and if not expanded. */
const toCard = (method: PaymentMethod): CardSnapshot | null => {
  if (method === null || typeof method === 'string' || method.card === undefined) return null;
  const { brand, last4, exp_year: year, exp_month: month } = method.card;
  return { id: method.id, brand, last4, expires: `${year}-${String(month).padStart(2, '0')}` };
};

/** Stripe keeps the end of a trial after it; a trial without our mark was set by somebody else. */
const toTrial = (
  { metadata, trial_end: end }: Stripe.Subscription,
  method: PaymentMethod,
): TrialSnapshot | null => {
  if (end === null || trialDaysOf(metadata) === 0) return null;
  const card = typeof method === 'object' ? method?.card : undefined;
  return { endsAt: date(end), cardPrint: card?.fingerprint ?? null };
};

/**
 * Stripe collects nothing while a subscription or its collection is paused, whatever happens to the invoices. A past-due one is still
 * collected, because its invoice is from before the pause.
 */
const statusOfSubscription = ({ status, pause_collection: pause }: Stripe.Subscription): string =>
  pause !== null && (status === 'active' || status === 'trialing') ? 'paused' : status;

/** `otherwise`: the card for a subscription without its own payment method. */
export const toSubscription = (
  subscription: Stripe.Subscription,
  otherwise: PaymentMethod = null,
): SubscriptionSnapshot => ({
  id: subscription.id,
  status: statusOfSubscription(subscription),
  sellsPlan: isOurSubscription(subscription),
  interval: ourIntervalOf(subscription),
  renews: subscription.ended_at === null && !subscription.cancel_at_period_end,
  endsAt: subscription.cancel_at_period_end ? null : dateOrNull(subscription.cancel_at),
  startedAt: date(subscription.start_date),
  canceledAt: dateOrNull(subscription.canceled_at),
  endedAt: dateOrNull(subscription.ended_at),
  resumesAt: dateOrNull(subscription.pause_collection?.resumes_at ?? null),
  cancelReason: cancelReasonOf(subscription),
  isCanceledForReturn: FOR_RETURN.has(cancelReasonOf(subscription)),
  price: ourPriceOf(subscription),
  currency: subscription.currency,
  nextInterval: nextIntervalOf(subscription),
  scheduleId: idOf(subscription.schedule),
  isScheduledElsewhere: isScheduledElsewhere(subscription),
  discount: discountOf(subscription),
  card: toCard(subscription.default_payment_method ?? otherwise),
  trial: toTrial(subscription, subscription.default_payment_method ?? otherwise),
  isTrialRefused: cancelReasonOf(subscription) === CANCEL_REASONS.trial,
});

/** A withdrawal is negative in Stripe's balance, but positive here. */
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
  /** When the first charge of an intent failed. */
  failures: ReadonlyMap<string, Date>;
  /** Only the intents of open invoices. */
  intents: ReadonlyMap<string, Stripe.PaymentIntent>;
};

/** Paid charges by their payment intent. */
export const byPaymentIntent = (charges: Stripe.Charge[]): Payments['charges'] =>
  new Map(
    charges.filter(({ paid }) => paid).map((charge) => [idOf(charge.payment_intent) ?? charge.id, charge]),
  );

/** When the first charge of each payment intent failed, without intents of which none did. */
export const failuresByIntent = (charges: Stripe.Charge[]): Payments['failures'] => {
  const failed = charges.filter(({ status }) => status === 'failed');
  const newestFirst = failed.toSorted((one, other) => other.created - one.created);
  return new Map(newestFirst.map((charge) => [idOf(charge.payment_intent) ?? '', date(charge.created)]));
};

/** The payment intents of an invoice. A payment has none if an operator marked the invoice as paid. */
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
 * The fee of a paid invoice, unknown until all of its payments have reached the balance. An invoice that was paid by a discount or a balance
 * has no fee.
 */
const feeOf = (invoice: Stripe.Invoice, payments: Payments): FeeSnapshot | null => {
  if (invoice.status !== 'paid') return null;
  if (invoice.amount_paid === 0 || intentIdsOf(invoice).length === 0)
    return { amount: 0, currency: invoice.currency, settlementAmount: 0, exchangeRate: null, bookedAt: null };
  const transactions = chargesOf(invoice, payments).map(transactionOf);
  const known = transactions.filter((transaction) => transaction !== null);
  const [first] = known;
  if (first === undefined || known.length < transactions.length) return null;
  // Sums of different currencies are never added. Stripe settles an invoice in one currency unless the account changes in between.
  if (known.some(({ currency }) => currency !== first.currency)) return null;
  return {
    amount: sum(known.map(({ fee }) => fee)),
    currency: first.currency,
    settlementAmount: sum(known.map(({ amount }) => amount)),
    exchangeRate: first.exchange_rate,
    bookedAt: date(Math.max(...known.map(({ created }) => created))),
  };
};

/** Refunds and fees are compared by charge, the only reference they have. */
const onlyCharge = (charges: Stripe.Charge[]): string | null =>
  charges.length === 1 ? (charges[0]?.id ?? null) : null;

/** The metadata key that names an admin's refund. */
export const ORDER_KEY = 'order';

/** The metadata key of an admin's refund that takes back credits. */
export const CREDITS_KEY = 'credits';
export const CREDITS_TAKEN = 'taken_back';

const toRefund = ({ id, amount, created, metadata }: Stripe.Refund): RefundSnapshot => ({
  id,
  amount,
  createdAt: date(created),
  order: metadata?.[ORDER_KEY] ?? null,
  takesCredits: metadata?.[CREDITS_KEY] === CREDITS_TAKEN,
});

/** Failed or canceled. */
export const isReturned = ({ status }: Stripe.Refund): boolean =>
  status === 'failed' || status === 'canceled';

/** Whether money left the balance, which it did not if the refund ended before. */
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

/** The credits of the invoiced pack. Only our checkouts create invoices with this mark. */
const packOfInvoice = (invoice: Stripe.Invoice): number | null =>
  subscriptionOfInvoice(invoice) === null ? creditsOf(invoice.metadata) : null;

const STATUSES = new Set<string | null>(['open', 'paid', 'void', 'uncollectible'] satisfies InvoiceStatus[]);

const statusOf = ({ status }: Stripe.Invoice): InvoiceStatus | null =>
  STATUSES.has(status) ? (status as InvoiceStatus) : null; // Stripe's type allows any string

/** A line with only an amount has a single-use price. */
export const priceOfLine = ({ pricing }: Stripe.InvoiceLineItem): string | null =>
  idOf(pricing?.price_details?.price);

/**
 * The lines that sell the plan, or all lines of a pack's invoice. A subscription's invoice may also have other products and one-off charges,
 * which are irrelevant to the plan.
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

/**
 * Whether an invoice of 0 sold a trial of ours: the first period of a subscription that one of our checkouts began with it, and no longer than
 * that promised. Later ones, as of a trial that somebody extends in the dashboard, sell nothing.
 */
const isTrialInvoice = (invoice: Stripe.Invoice, lines: Stripe.InvoiceLineItem[]): boolean => {
  const promised = trialDaysOf(invoice.parent?.subscription_details?.metadata);
  const { start = 0, end = 0 } = lastLine(lines)?.period ?? {};
  return (
    promised > 0 &&
    invoice.billing_reason === 'subscription_create' &&
    lines.every(({ subtotal }) => subtotal === 0) &&
    // Stripe counts to the second.
    seconds(end - start) < days(promised + 1)
  );
};

/** The charged line. A change in mid-period adds credit lines, whose periods end earlier. */
const lastLine = (lines: Stripe.InvoiceLineItem[]): Stripe.InvoiceLineItem | undefined =>
  lines.toSorted((one, other) => other.period.end - one.period.end)[0];

export const isProration = ({ parent }: Stripe.InvoiceLineItem): boolean =>
  (parent?.subscription_item_details ?? parent?.invoice_item_details)?.proration === true;

/** Without tax and after discounts. */
const netAmount = ({ subtotal, discount_amounts: discounts, taxes }: Stripe.InvoiceLineItem): number => {
  const included = (taxes ?? []).filter(({ tax_behavior: behavior }) => behavior === 'inclusive');
  return (
    subtotal - sum((discounts ?? []).map(({ amount }) => amount)) - sum(included.map(({ amount }) => amount))
  );
};

/** A change in mid-period charges a part of a period, which says nothing about a month. */
const monthlyAmountOf = (invoice: Stripe.Invoice, lines: Stripe.InvoiceLineItem[]): number | null => {
  const whole = lines.filter((line) => !isProration(line));
  if (subscriptionOfInvoice(invoice) === null || whole.length === 0) return null;
  return sum(
    whole.map((line) =>
      inOneMonth(netAmount(line), { start: date(line.period.start), end: date(line.period.end) }),
    ),
  );
};

const amountsOf = (invoice: Stripe.Invoice) => ({
  amount: invoice.status === 'paid' ? invoice.amount_paid : invoice.amount_due,
  currency: invoice.currency,
  subtotal: invoice.subtotal,
  discount: sum((invoice.total_discount_amounts ?? []).map(({ amount }) => amount)),
  tax: sum((invoice.total_taxes ?? []).map(({ amount }) => amount)),
  total: invoice.total,
});

const failedAtOf = (invoice: Stripe.Invoice, { failures }: Payments): Date | null => {
  const times = intentIdsOf(invoice).flatMap((id) => failures.get(id)?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.min(...times));
};

/** The state of collecting an invoice. */
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
 * Returns null for a draft, and for an invoice whose lines of the plan or pack amount to 0 or less, because Stripe marks the invoice of any trial
 * as paid; that of a trial of ours counts. The period is that of the plan's line, not of the invoice.
 */
export const toInvoice = (
  invoice: Stripe.Invoice,
  { planPrices, ...payments }: Payments & { planPrices: ReadonlySet<string> },
): InvoiceSnapshot | null => {
  const lines = linesOf(invoice, planPrices);
  const line = lastLine(lines);
  const status = statusOf(invoice);
  if (line === undefined || status === null) return null;
  const isTrial = isTrialInvoice(invoice, lines);
  if (grossAmount(lines) <= 0 && !isTrial) return null;
  const charges = chargesOf(invoice, payments);
  return {
    id: invoice.id,
    number: invoice.number,
    subscriptionId: subscriptionOfInvoice(invoice),
    billingReason: invoice.billing_reason,
    credits: packOfInvoice(invoice),
    isTrial,
    sellsMore: invoice.lines.data.length > lines.length,
    status,
    ...amountsOf(invoice),
    monthlyAmount: monthlyAmountOf(invoice, lines),
    ...collectionOf(invoice, payments),
    period: { start: date(line.period.start), end: date(line.period.end) },
    fee: feeOf(invoice, payments),
    failedAt: failedAtOf(invoice, payments),
    chargeId: onlyCharge(charges),
    paymentIntentId: intentIdsOf(invoice).at(-1) ?? null,
    ...refundsOf(charges),
  };
};
