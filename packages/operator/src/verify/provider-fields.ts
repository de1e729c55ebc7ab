import { days, inSeconds } from '@shortlist/contracts/durations';
import { PACK_LOOKUP_KEY, PRICE_LOOKUP_KEY, YEARLY_LOOKUP_KEY } from '@shortlist/contracts/limits';
import type { Provider } from './sources.ts';

/** The API version whose fields this file reads; an account's default may differ. */
const API_VERSION = '2026-10-28.endive';

type Page<T> = { data: T[]; has_more: boolean };

/** Returns all objects of one of the provider's lists, page by page. */
export const listAll = async <T extends { id: string }>(
  { url, key }: Provider,
  path: string,
): Promise<T[]> => {
  const found: T[] = [];
  for (let after = ''; ; after = `&starting_after=${found.at(-1)?.id ?? ''}`) {
    const response = await fetch(`${url}/v1/${path}${path.includes('?') ? '&' : '?'}limit=100${after}`, {
      headers: { authorization: `Bearer ${key}`, 'stripe-version': API_VERSION },
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`the provider responded ${response.status} to a list of ${path}`);
    const page = (await response.json()) as Page<T>;
    found.push(...page.data);
    if (!page.has_more) return found;
  }
};

/** A list inside an object contains only the first page; the rest is read from the list's own path. */
export const complete = async <T extends { id: string }>(
  provider: Provider,
  list: Page<T>,
  path: string,
): Promise<Page<T>> => (list.has_more ? { data: await listAll<T>(provider, path), has_more: false } : list);

// The provider's objects, and the expected values of billing's columns. Written independently of billing's code, to find mistakes there.

export type Value = string | number | null;
/** The fields of one object, by the names of billing's columns. Times are in seconds. */
export type Fields = Record<string, Value>;
export type Customer = string | null;
export type Subscription = {
  id: string;
  customer: Customer;
  status: string;
  pause_collection?: object | null;
  start_date: number;
  canceled_at: number | null;
  ended_at: number | null;
  cancellation_details: { comment: string | null; reason: string | null } | null;
  items: Page<{ id: string; quantity?: number; price: Price }>;
};
export type Price = {
  id: string;
  unit_amount: number;
  currency: string;
  lookup_key: string | null;
  metadata: Record<string, string>;
  recurring?: { interval: string; interval_count: number } | null;
};
type Line = {
  id: string;
  subtotal: number;
  period: { start: number; end: number };
  pricing: { price_details?: { price: string } | null } | null;
};
export type Invoice = {
  id: string;
  customer: Customer;
  number: string | null;
  status: string;
  billing_reason: string | null;
  currency: string;
  subtotal: number;
  total: number;
  amount_paid: number;
  amount_due: number;
  attempt_count: number;
  total_discount_amounts: { amount: number }[] | null;
  total_taxes: { amount: number }[] | null;
  metadata: Record<string, string> | null;
  status_transitions: { paid_at: number | null };
  parent: {
    subscription_details: { subscription: string; metadata?: Record<string, string> | null } | null;
  } | null;
  lines: Page<Line>;
  payments: Page<{ id: string; payment: { payment_intent?: string } }>;
};
export type Charge = {
  id: string;
  payment_intent: string | null;
  paid: boolean;
  amount_refunded: number;
  balance_transaction: Transaction | null;
};
type Transaction = {
  id: string;
  amount: number;
  fee: number;
  currency: string;
  exchange_rate: number | null;
  created: number;
};
export type Refund = {
  id: string;
  charge: string | null;
  amount: number;
  status: string;
  created: number;
  balance_transaction: string | null;
  failure_balance_transaction?: Transaction | null;
};
export type Dispute = {
  id: string;
  charge: string;
  amount: number;
  currency: string;
  status: string;
  reason: string;
  created: number;
  balance_transactions: Transaction[];
};
export type Payout = {
  id: string;
  amount: number;
  currency: string;
  status: string;
  arrival_date: number;
  created: number;
};

const sum = (amounts: { amount: number }[] | null): number =>
  (amounts ?? []).reduce((total, { amount }) => total + amount, 0);

/** The prefix of billing's own cancellation comments. */
const OURS = 'shortlist:';

/** Whether our checkout promised a trial of so many seconds; one that somebody set or extended at the provider gives no plan. */
export const isPromisedTrial = (
  metadata: Record<string, string> | null | undefined,
  length: number,
): boolean => {
  const promised = Number(metadata?.['trial'] ?? 0);
  return promised > 0 && length < inSeconds(days(promised + 1));
};

// When the plan's price changes, the lookup key moves to the new price; the metadata stay with earlier prices.
export const isOfPlan = ({ lookup_key: key, metadata }: Price): boolean =>
  key === PRICE_LOOKUP_KEY || key === YEARLY_LOOKUP_KEY || metadata['plan'] === PRICE_LOOKUP_KEY;

/** The lines of an invoice that sell the plan or the pack. */
export const linesOf = (invoice: Invoice, planPrices: ReadonlySet<string>): Line[] =>
  creditsOf(invoice) === null
    ? invoice.lines.data.filter(({ pricing }) => planPrices.has(pricing?.price_details?.price ?? ''))
    : invoice.lines.data;

/** The credits of the invoiced pack; null for an invoice of the plan. */
export const creditsOf = ({ metadata, parent }: Invoice): number | null =>
  metadata?.['pack'] === PACK_LOOKUP_KEY && !parent?.subscription_details
    ? Number(metadata['credits'])
    : null;

const priceOf = ({ items }: Subscription): Fields => {
  const item = items.data.find(({ price }) => isOfPlan(price));
  if (item === undefined) return { price_amount: null, price_currency: null, price_interval: null };
  const { price, quantity = 1 } = item;
  const { interval, interval_count: count } = price.recurring ?? { interval: '', interval_count: 0 };
  const isKnown = count === 1 && (interval === 'month' || interval === 'year');
  return {
    price_amount: price.unit_amount * quantity,
    price_currency: price.currency,
    price_interval: isKnown ? interval : null,
  };
};

const cancelReasonOf = ({ cancellation_details: details }: Subscription): string | null => {
  if (details === null) return null;
  return details.comment?.startsWith(OURS) ? details.comment : details.reason;
};

export const ofSubscription = (subscription: Subscription): Fields => {
  const { status, pause_collection: pause, start_date, canceled_at, ended_at } = subscription;
  return {
    status: pause && (status === 'active' || status === 'trialing') ? 'paused' : status,
    started_at: start_date,
    canceled_at,
    ended_at,
    ...priceOf(subscription),
    cancel_reason: cancelReasonOf(subscription),
  };
};

/** How the payments of an invoice reached the balance; null until all of them have, and if their currencies differ. */
export const settlementOf = ({ status }: Invoice, charges: Charge[]): Transaction[] | null => {
  const transactions = charges
    .map(({ balance_transaction: transaction }) => transaction)
    .filter((transaction) => transaction !== null);
  const currencies = new Set(transactions.map(({ currency }) => currency));
  const isKnown = status === 'paid' && transactions.length === charges.length && currencies.size <= 1;
  return isKnown ? transactions : null;
};

const NO_FEE = { fee: null, settlement_currency: null, settlement_amount: null, exchange_rate: null };

/** A fee is unknown until all payments have reached the balance; an invoice without a payment has none. */
const feeOf = (invoice: Invoice, charges: Charge[]): Fields => {
  const { amount_paid: amount, currency } = invoice;
  const transactions = settlementOf(invoice, charges);
  if (transactions === null) return NO_FEE;
  const [first] = transactions;
  if (amount === 0 || first === undefined)
    return { fee: 0, settlement_currency: currency, settlement_amount: 0, exchange_rate: null };
  return {
    fee: transactions.reduce((total, { fee }) => total + fee, 0),
    settlement_currency: first.currency,
    settlement_amount: sum(transactions),
    exchange_rate: first.exchange_rate === null ? null : Number(first.exchange_rate.toFixed(10)),
  };
};

/** Money is booked when it reaches the balance; without a payment, and while that is unknown, when the invoice was paid. */
export const bookedAt = (invoice: Invoice, charges: Charge[]): number | null => {
  const times = (settlementOf(invoice, charges) ?? []).map(({ created }) => created);
  return times.length > 0 && invoice.amount_paid > 0
    ? Math.max(...times)
    : invoice.status_transitions.paid_at;
};

const periodOf = ({ lines }: Invoice): Fields => {
  const [line] = lines.data.toSorted((one, other) => other.period.end - one.period.end);
  return { period_start: line?.period.start ?? null, period_end: line?.period.end ?? null };
};

export const taxOf = ({ total_taxes: taxes }: Invoice): number => sum(taxes);

const amountsOf = (invoice: Invoice): Fields => ({
  amount: invoice.status === 'paid' ? invoice.amount_paid : invoice.amount_due,
  currency: invoice.currency,
  subtotal: invoice.subtotal,
  discount: sum(invoice.total_discount_amounts),
  tax: taxOf(invoice),
  total: invoice.total,
});

export const ofInvoice = (invoice: Invoice, charges: Charge[]): Fields => ({
  number: invoice.number,
  status: invoice.status,
  billing_reason: invoice.billing_reason,
  credits: creditsOf(invoice),
  attempts: invoice.attempt_count,
  subscription_id: invoice.parent?.subscription_details?.subscription ?? null,
  paid_at: invoice.status_transitions.paid_at,
  booked_at: bookedAt(invoice, charges),
  ...amountsOf(invoice),
  ...periodOf(invoice),
  ...feeOf(invoice, charges),
  refunded: charges.reduce((total, charge) => total + charge.amount_refunded, 0),
});

export const ofDispute = (dispute: Dispute): Fields => {
  const { amount, currency, status, reason, created, charge, balance_transactions: moved } = dispute;
  return {
    amount,
    currency,
    status,
    reason,
    opened_at: created,
    charge_id: charge,
    withdrawn: -sum(moved),
    fees: moved.reduce((total, { fee }) => total + fee, 0),
  };
};

export const ofPayout = ({ amount, currency, status, arrival_date, created }: Payout): Fields => ({
  amount,
  currency,
  status,
  arrival_at: arrival_date,
  created_at: created,
});

/** A withdrawal is negative in the provider's balance, but positive here. */
export const ofDisputeTransaction = (
  dispute: Dispute,
  { amount, fee, currency, created }: Transaction,
): Fields => ({ dispute_id: dispute.id, amount: -amount, fee, currency, created_at: created });

export const ofRefund = ({ amount, created, failure_balance_transaction: failure }: Refund): Fields => ({
  amount,
  created_at: created,
  failed_at: failure?.created ?? null,
});
