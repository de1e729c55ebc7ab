import { Stripe } from 'stripe';

export type Card = 'accepted' | 'declined later' | 'authenticated' | 'disputed' | 'refund fails';

export type Purchase = {
  card?: Card;
  /** A bank debit instead of a card, with what the bank will say. */
  debit?: 'succeeded' | 'failed';
  percentOff?: number;
  isTaxed?: boolean;
  currency?: 'usd' | 'eur';
};

export type Bought = {
  customer: string;
  subscription: string;
  invoice: string;
};

/**
 * What happens outside Stripe's API or differently in test mode and in the sandbox: time, the payer, the bank, the dashboard. These calls
 * are recorded by their names alone.
 */
export type Actions = {
  /** Return the id of the monthly price, and of a new customer. */
  findPrice: () => Promise<string>;
  addCustomer: () => Promise<string>;
  /** Has a new customer buy a month. */
  subscribe: (purchase?: Purchase) => Promise<Bought>;
  /** Pays on Checkout's page. */
  payCheckout: (session: string, card: Card) => Promise<void>;
  /** Replaces the card of a customer and of their subscriptions. */
  replaceCard: (customer: string, card: Card) => Promise<void>;
  advance: (days: number) => Promise<void>;
  /** Sets the days after a failed renewal on which it is tried again. */
  retryOn: (days: number[]) => Promise<void>;
  /** Returns the id of the dispute of this invoice's payment. */
  dispute: (invoice: string) => Promise<string>;
  winDispute: (dispute: string) => Promise<void>;
  failRefund: (refund: string) => Promise<void>;
  settleDebit: (invoice: string, outcome: 'succeeded' | 'failed') => Promise<void>;
  pause: (subscription: string) => Promise<void>;
  resume: (subscription: string) => Promise<void>;
  /** Waits until all events of what happened are listed. */
  settle: () => Promise<void>;
};

export type World = {
  /** Unix seconds at Stripe when the scenario starts. */
  startedAt: number;
  actions: Actions;
  close: () => Promise<void>;
};

/** A Stripe to run scenarios against; each gets a world of its own. */
export type Provider = {
  access: Access;
  open: () => Promise<World>;
};

export type Access = {
  key: string;
  /** Another address than Stripe's own. */
  base?: string | undefined;
};

export class NotPossible extends Error {}

/** The version that the product's client speaks. */
const API_VERSION = '2026-10-28.endive';

export const createClient = (
  { key, base }: Access,
  httpClient: Stripe.HttpClient = Stripe.createNodeHttpClient(),
): Stripe => {
  if (/^[sr]k_live_/.test(key)) throw new Error('A live key is refused: scenarios run in test mode only.');
  const url = base === undefined ? null : new URL(base);
  return new Stripe(key, {
    apiVersion: API_VERSION,
    telemetry: false,
    httpClient,
    ...(url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      protocol: url.protocol === 'https:' ? 'https' : 'http',
    }),
  });
};

/** The same moment of a year for every run, so that its months have the same lengths: noon of the next 1 March. */
export const nextStart = (now: number): number => {
  const year = new Date(now * 1_000).getUTCFullYear();
  const starts = [year, year + 1].map((each) => Date.UTC(each, 2, 1, 12) / 1_000);
  return starts.find((start) => start > now) ?? 0;
};

export const BUYER = {
  email: 'conformance@example.com',
  name: 'Ada Lovelace',
  address: {
    line1: '354 Oyster Point Blvd',
    city: 'South San Francisco',
    postal_code: '94080',
    state: 'CA',
    country: 'US',
  },
};

/** Returns the monthly price of 59.00 in a currency, created when it is missing. */
export const findPrice = async (stripe: Stripe, currency: 'usd' | 'eur' = 'usd'): Promise<string> => {
  const lookupKey = `conformance_monthly_${currency}`;
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true });
  const price =
    data[0] ??
    (await stripe.prices.create({
      currency,
      unit_amount: 5_900,
      recurring: { interval: 'month' },
      product_data: { name: 'Conformance' },
      lookup_key: lookupKey,
    }));
  return price.id;
};
