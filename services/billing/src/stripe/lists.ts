// Stripe's lists for reconciliation, in pages of a hundred objects.
import type { Stripe } from 'stripe';
import { customerOfObject, type DeliveredEvent, storedFields } from './stripe-event.ts';
import { PAGE, SUBSCRIPTION_PARTS, withAllItems, withAllLines } from './embedded-lists.ts';
import {
  date,
  hasMoved,
  idOf,
  isReturned,
  periodEndOf,
  toDispute,
  toInvoice,
  toReturned,
  toSubscription,
} from './from-stripe.ts';
import type { FindPlanPrices } from './plan-prices.ts';
import type {
  DisputeSnapshot,
  InvoiceSnapshot,
  PayoutSnapshot,
  ReturnedRefund,
  SubscriptionSnapshot,
} from './snapshot.ts';

export type ListedEvent = Omit<DeliveredEvent, 'livemode'>;
/** `periodEnd`: the plan's; null if the subscription does not sell it. */
export type ListedSubscription = SubscriptionSnapshot & { customerId: string; periodEnd: Date | null };
/** `next` is the cursor of the following page, null after the last. */
export type Page<T> = { data: T[]; next: string | null };

type List<T> = { data: T[]; has_more: boolean };

const pageOf = <From extends { id: string }, To>(list: List<From>, to: (from: From) => To[]): Page<To> => ({
  data: list.data.flatMap(to),
  next: list.has_more ? (list.data.at(-1)?.id ?? null) : null,
});

const after = (cursor: string | null) => (cursor === null ? {} : { starting_after: cursor });

const toListed = (subscription: Stripe.Subscription): ListedSubscription[] => {
  const customerId = customerOfObject(subscription);
  if (customerId === null) return [];
  return [{ ...toSubscription(subscription), customerId, periodEnd: periodEndOf(subscription) }];
};

/** Subscriptions of customers, newest first, including ended ones and those that do not sell the plan. */
export const listSubscriptions = async (
  stripe: Stripe,
  cursor: string | null,
): Promise<Page<ListedSubscription>> => {
  const { data, has_more } = await stripe.subscriptions.list({
    status: 'all',
    limit: PAGE,
    expand: [...SUBSCRIPTION_PARTS],
    ...after(cursor),
  });
  const complete = await Promise.all(data.map((one) => withAllItems(stripe, one)));
  return pageOf({ data: complete, has_more }, toListed);
};

export type EventFilter = { types: readonly string[]; since: Date; cursor: string | null };

/** Events of these types, newest first. Stripe keeps them for thirty days. */
export const listEvents = async (
  stripe: Stripe,
  { types, since, cursor }: EventFilter,
): Promise<Page<ListedEvent>> => {
  const created = { gte: Math.floor(since.getTime() / 1_000) };
  const list = await stripe.events.list({ types: [...types], created, limit: PAGE, ...after(cursor) });
  return pageOf(list, (event) => [storedFields(event)]);
};

// Stripe's lists of the records that accounting needs, page by page.

/** Without payments, failures, fees and refunds, which the list does not contain. */
export type ListedInvoice = Omit<
  InvoiceSnapshot,
  'fee' | 'failedAt' | 'chargeId' | 'paymentIntentId' | 'refunds' | 'failedRefunds' | 'returnedRefunds'
> & {
  customerId: string;
};
/** `failedAt` is null while Stripe does not state when the money came back. */
export type ListedRefund = ReturnedRefund & { chargeId: string; isReturned: boolean; hasMoved: boolean };
/** A charge as it reached the balance, with the column names of the invoice that it paid. */
export type ListedCharge = {
  id: string;
  fee: number;
  settlementCurrency: string;
  settlementAmount: number;
  exchangeRate: number | null;
  bookedAt: Date;
  refunded: number;
};
export type ListedDispute = Omit<DisputeSnapshot, 'invoiceId'> & { customerId: string };

const NO_PAYMENTS = { charges: new Map(), failures: new Map(), intents: new Map() };

const toListedInvoice = (invoice: Stripe.Invoice, planPrices: ReadonlySet<string>): ListedInvoice[] => {
  const customerId = customerOfObject(invoice);
  const snapshot = toInvoice(invoice, { ...NO_PAYMENTS, planPrices });
  if (customerId === null || snapshot === null) return [];
  const {
    fee: _fee,
    failedAt: _failedAt,
    chargeId: _charge,
    paymentIntentId: _intent,
    refunds: _refunds,
    failedRefunds: _failed,
    returnedRefunds: _returned,
    ...listed
  } = snapshot;
  return [{ ...listed, customerId }];
};

const customerOfCharge = ({ charge }: Stripe.Dispute): string | null =>
  typeof charge === 'string' ? null : idOf(charge.customer);

const toListedDispute = (dispute: Stripe.Dispute): ListedDispute[] => {
  const customerId = customerOfCharge(dispute);
  if (customerId === null) return [];
  const { invoiceId: _, ...listed } = toDispute(dispute, '');
  return [{ ...listed, customerId }];
};

export const toPayout = ({
  id,
  amount,
  currency,
  status,
  arrival_date,
  created,
}: Stripe.Payout): PayoutSnapshot => ({
  id,
  amount,
  currency,
  status,
  arrivalAt: date(arrival_date),
  createdAt: date(created),
});

/** Invoices of all customers, newest first, without drafts and trials. */
export const createInvoiceLister =
  (stripe: Stripe, findPlanPrices: FindPlanPrices) =>
  async (cursor: string | null): Promise<Page<ListedInvoice>> => {
    const { data, has_more } = await stripe.invoices.list({ limit: PAGE, ...after(cursor) });
    const complete = await Promise.all(data.map((one) => withAllLines(stripe, one)));
    const planPrices = await findPlanPrices(complete);
    return pageOf({ data: complete, has_more }, (invoice) => toListedInvoice(invoice, planPrices));
  };

/** Disputes of customers' charges, newest first. */
export const listDisputes = async (stripe: Stripe, cursor: string | null): Promise<Page<ListedDispute>> =>
  pageOf(
    await stripe.disputes.list({ limit: PAGE, expand: ['data.charge'], ...after(cursor) }),
    toListedDispute,
  );

/** Payouts, newest first. */
export const listPayouts = async (stripe: Stripe, cursor: string | null): Promise<Page<PayoutSnapshot>> =>
  pageOf(await stripe.payouts.list({ limit: PAGE, ...after(cursor) }), (payout) => [toPayout(payout)]);

const toListedRefund = (refund: Stripe.Refund): ListedRefund[] => {
  const chargeId = idOf(refund.charge);
  if (chargeId === null) return [];
  return [{ ...toReturned(refund), chargeId, isReturned: isReturned(refund), hasMoved: hasMoved(refund) }];
};

/** Refunds, newest first, including failed ones. */
export const listRefunds = async (stripe: Stripe, cursor: string | null): Promise<Page<ListedRefund>> =>
  pageOf(
    await stripe.refunds.list({
      limit: PAGE,
      expand: ['data.failure_balance_transaction'],
      ...after(cursor),
    }),
    toListedRefund,
  );

const toListedCharge = (transaction: Stripe.BalanceTransaction): ListedCharge[] => {
  const { source, fee, currency, amount, exchange_rate: rate, created, type } = transaction;
  const isPayment = type === 'charge' || type === 'payment';
  if (!isPayment || typeof source !== 'object' || source?.object !== 'charge') return [];
  return [
    {
      id: source.id,
      fee,
      settlementCurrency: currency,
      settlementAmount: amount,
      exchangeRate: rate,
      bookedAt: date(created),
      refunded: source.amount_refunded,
    },
  ];
};

/** Charges as they reached the balance, newest first. */
export const listCharges = async (stripe: Stripe, cursor: string | null): Promise<Page<ListedCharge>> =>
  pageOf(
    await stripe.balanceTransactions.list({ limit: PAGE, expand: ['data.source'], ...after(cursor) }),
    toListedCharge,
  );

/** What moved Stripe's balance by a charge. `net` is after the fee; `isConverted`: the payer paid in another currency. */
export type ListedTransaction = {
  id: string;
  chargeId: string;
  net: number;
  currency: string;
  createdAt: Date;
  isConverted: boolean;
};

const chargeOfSource = ({ source }: Stripe.BalanceTransaction): string | null => {
  if (typeof source !== 'object' || source === null) return null;
  if (source.object === 'charge') return source.id;
  return source.object === 'refund' || source.object === 'dispute' ? idOf(source.charge) : null;
};

const toListedTransaction = (transaction: Stripe.BalanceTransaction): ListedTransaction[] => {
  const { id, net, currency, created, exchange_rate: rate } = transaction;
  const chargeId = chargeOfSource(transaction);
  const isConverted = rate !== null;
  return chargeId === null ? [] : [{ id, chargeId, net, currency, createdAt: date(created), isConverted }];
};

/** What moved the balance by charges, their refunds and their disputes since a time, newest first. */
export const listTransactions = async (
  stripe: Stripe,
  { since, cursor }: { since: Date; cursor: string | null },
): Promise<Page<ListedTransaction>> =>
  pageOf(
    await stripe.balanceTransactions.list({
      created: { gte: Math.floor(since.getTime() / 1_000) },
      limit: PAGE,
      expand: ['data.source'],
      ...after(cursor),
    }),
    toListedTransaction,
  );
