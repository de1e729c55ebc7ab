// What Stripe does with one customer as time passes, written from Stripe's documentation and not from the sandbox: renewals on the
// day of the first payment, retries of a declined renewal, and the end of a subscription after the last retry.

import { days } from '@shortlist/contracts/durations';

/** The moment `months` after `anchor`, on the anchor's day of the month or the last day of a shorter month. UTC. */
export const monthsAfter = (anchor: number, months: number): number => {
  const from = new Date(anchor);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay)) + (anchor % days(1));
};

/** `takesCreditsAt`: when it was made, if it takes back credits of the plan. */
export type ModelRefund = { id: string; amount: number; failed: boolean; takesCreditsAt?: number };
export type ModelInvoice = {
  id: string | null;
  /** Whether it is at another price, so that it sells nothing of the plan. */
  isForeign: boolean;
  /** What was paid, or is due. */
  price: number;
  /** How many months it sells. */
  months: number;
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  start: number;
  end: number;
  firstAttemptAt: number;
  attempts: number;
  nextAttemptAt: number | null;
  paidAt: number | null;
  /** From when a payment counts that came after the end of its subscription. */
  lateFrom: number | null;
  refunds: ModelRefund[];
  dispute: { id: string; status: 'open' | 'won' | 'lost' } | null;
};
/** A pack of credits, paid once. */
export type ModelPack = { id: string; paidAt: number } & Pick<ModelInvoice, 'refunds' | 'dispute'>;
export type ModelSubscription = {
  id: string;
  status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'canceled';
  anchor: number;
  interval: 'month' | 'year';
  /** The interval that follows with the next period. */
  nextInterval: 'month' | 'year' | null;
  /** Whether a coupon takes everything off each invoice. */
  isFree: boolean;
  method: 'card' | 'bank_debit';
  periodEnd: number;
  renewals: number;
  cancelsAtEnd: boolean;
  /** An end of its own, at the end of a later period. */
  endsAt: number | null;
  /** What becomes of invoices while their collection is paused. */
  pause: 'void' | 'keep_as_draft' | 'mark_uncollectible' | null;
  /** False once it was moved to another price. */
  sellsPlan: boolean;
  wasMoved: boolean;
  endedAt: number | null;
  /** Why billing canceled it before its time. */
  canceledFor: 'refund' | 'dispute' | null;
  /** The first payment failed, and the subscription expired. */
  neverPaid: boolean;
  /** Whether billing ended it at once, because its trial was a second one. */
  isRefused: boolean;
  invoices: ModelInvoice[];
};
export type ModelCustomer = {
  now: number;
  retryDays: readonly number[];
  cardIsGood: boolean;
  /** Whether billing voids the open invoices of a subscription that has ended. */
  voidsUnpaid: boolean;
  subscriptions: ModelSubscription[];
  packs: ModelPack[];
};

export const currentOf = ({ subscriptions }: ModelCustomer): ModelSubscription | null =>
  subscriptions.find(({ status }) => status !== 'canceled') ?? null;

export const PRICES = { month: 5_900, year: 59_000 };
const MONTHS = { month: 1, year: 12 };

type Terms = Pick<ModelSubscription, 'interval' | 'isFree'>;

/** What one period costs, and its length. */
const termsOf = ({ interval, isFree }: Terms): Pick<ModelInvoice, 'price' | 'months'> => ({
  price: isFree ? 0 : PRICES[interval],
  months: MONTHS[interval],
});

const newInvoice = (
  start: number,
  end: number,
  terms: Pick<ModelInvoice, 'price' | 'months'>,
  isForeign = false,
): ModelInvoice => ({
  id: null,
  isForeign,
  ...terms,
  status: 'open',
  start,
  end,
  firstAttemptAt: start,
  attempts: 0,
  nextAttemptAt: null,
  paidAt: null,
  lateFrom: null,
  refunds: [],
  dispute: null,
});

const openInvoices = ({ invoices }: ModelSubscription): ModelInvoice[] =>
  invoices.filter(({ status }) => status === 'open');

export const endSubscription = (subscription: ModelSubscription, at: number): void => {
  subscription.status = 'canceled';
  subscription.endedAt = at;
  for (const invoice of openInvoices(subscription)) invoice.nextAttemptAt = null;
};

/** The subscription is active again once no invoice of it is open. */
export const recover = (subscription: ModelSubscription): void => {
  if (subscription.status === 'past_due' && openInvoices(subscription).length === 0)
    subscription.status = 'active';
};

export const markPaid = (subscription: ModelSubscription, invoice: ModelInvoice, at: number): void => {
  Object.assign(invoice, { status: 'paid', paidAt: at, nextAttemptAt: null });
  recover(subscription);
};

const attempt = (
  { cardIsGood, retryDays }: ModelCustomer,
  subscription: ModelSubscription,
  { invoice, at }: { invoice: ModelInvoice; at: number },
): void => {
  if (cardIsGood || invoice.price === 0) return markPaid(subscription, invoice, at);
  const wait = retryDays[invoice.attempts];
  invoice.attempts += 1;
  invoice.nextAttemptAt = wait === undefined ? null : invoice.firstAttemptAt + days(wait);
  subscription.status = 'past_due';
  if (invoice.nextAttemptAt === null) endSubscription(subscription, at);
};

const isOver = ({ cancelsAtEnd, endsAt, periodEnd }: ModelSubscription): boolean =>
  cancelsAtEnd || (endsAt !== null && endsAt <= periodEnd);

const SHELVED = { void: 'void', mark_uncollectible: 'uncollectible' } as const;

const renew = (customer: ModelCustomer, subscription: ModelSubscription): void => {
  const { periodEnd: start, pause, sellsPlan } = subscription;
  if (isOver(subscription)) return endSubscription(subscription, start);
  subscription.renewals += 1;
  if (subscription.status === 'trialing') subscription.status = 'active';
  if (subscription.nextInterval !== null)
    Object.assign(subscription, {
      interval: subscription.nextInterval,
      nextInterval: null,
      anchor: start,
      renewals: 0,
    });
  const { months } = termsOf(subscription);
  subscription.periodEnd = monthsAfter(subscription.anchor, (subscription.renewals + 1) * months);
  if (pause === 'keep_as_draft') return;
  const invoice = newInvoice(start, subscription.periodEnd, termsOf(subscription), !sellsPlan);
  subscription.invoices.push(invoice);
  if (pause === null) attempt(customer, subscription, { invoice, at: start });
  else invoice.status = SHELVED[pause];
};

type Due = { at: number; run: () => void };

const dueOf = (customer: ModelCustomer): Due[] =>
  customer.subscriptions
    .filter(({ status }) => status === 'trialing' || status === 'active' || status === 'past_due')
    .flatMap((subscription) => [
      ...openInvoices(subscription).flatMap((invoice): Due[] => {
        const at = invoice.nextAttemptAt;
        return at === null ? [] : [{ at, run: () => attempt(customer, subscription, { invoice, at }) }];
      }),
      { at: subscription.periodEnd, run: () => renew(customer, subscription) },
    ]);

/** Lets time pass until `to`: everything that falls due happens in order. */
export const passTime = (customer: ModelCustomer, to: number): void => {
  for (;;) {
    const [next] = dueOf(customer).toSorted((one, other) => one.at - other.at);
    if (next === undefined || next.at > to) break;
    next.run();
  }
  customer.now = to;
};

/** A subscription bought now; a bank debit leaves its first invoice open until the bank settles it. */
export const addSubscription = (
  customer: ModelCustomer,
  bought: Terms & { id: string; invoiceId: string; method: 'card' | 'bank_debit' },
): ModelSubscription => {
  const { now } = customer;
  const { id, invoiceId, method, interval, isFree } = bought;
  const periodEnd = monthsAfter(now, MONTHS[interval]);
  const invoice = { ...newInvoice(now, periodEnd, termsOf(bought)), id: invoiceId, attempts: 1 };
  const subscription: ModelSubscription = {
    id,
    status: method === 'card' ? 'active' : 'incomplete',
    anchor: now,
    interval,
    nextInterval: null,
    isFree,
    method,
    periodEnd,
    renewals: 0,
    cancelsAtEnd: false,
    endsAt: null,
    pause: null,
    sellsPlan: true,
    wasMoved: false,
    endedAt: null,
    canceledFor: null,
    neverPaid: false,
    isRefused: false,
    invoices: [invoice],
  };
  if (method === 'card') markPaid(subscription, invoice, now);
  customer.subscriptions.unshift(subscription);
  return subscription;
};

/** A subscription bought now whose first period is free; the price is charged first when it ends. */
export const addTrial = (
  customer: ModelCustomer,
  bought: Terms & { id: string; invoiceId: string; trialDays: number; isRefused: boolean },
): void => {
  const { trialDays, isRefused, ...terms } = bought;
  const subscription = addSubscription(customer, { ...terms, method: 'card' });
  const end = customer.now + days(trialDays);
  for (const invoice of subscription.invoices) Object.assign(invoice, { price: 0, months: 1, end });
  // The renewal at the end of the trial is the first.
  Object.assign(subscription, { status: 'trialing', anchor: end, renewals: -1, periodEnd: end });
  if (!isRefused) return;
  subscription.isRefused = true;
  endSubscription(subscription, customer.now);
};

/** The price of a year less what is left of the month that is paid; a coupon of 100 % applies to both. */
export const priceOfChange = (customer: ModelCustomer, subscription: ModelSubscription): number => {
  const [newest] = subscription.invoices.slice(-1);
  if (newest === undefined || subscription.isFree) return 0;
  const { start, end } = newest;
  return PRICES.year - Math.round((PRICES.month * (end - customer.now)) / (end - start));
};

/** A year begins now, and is paid by this invoice. */
export const changeToYear = (
  customer: ModelCustomer,
  subscription: ModelSubscription,
  { id, price }: { id: string; price: number },
): void => {
  const { now } = customer;
  const periodEnd = monthsAfter(now, MONTHS.year);
  const invoice = { ...newInvoice(now, periodEnd, { price, months: MONTHS.year }), id, attempts: 1 };
  subscription.invoices.push(invoice);
  Object.assign(subscription, { interval: 'year', anchor: now, renewals: 0, periodEnd });
  markPaid(subscription, invoice, now);
};
