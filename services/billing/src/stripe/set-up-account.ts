// The required contents of a Stripe account: the prices of the plan and the pack, a portal configuration, a webhook endpoint.
import type { PackOffer } from '@shortlist/contracts/api/billing';
import { PACK_LOOKUP_KEY, PRICE_LOOKUP_KEY } from '@shortlist/contracts/limits';
import type { Interval } from '@shortlist/contracts/plan';
import type { Stripe } from 'stripe';
import { findPortalConfiguration, LOOKUP_KEYS, readPrice } from './checkouts.ts';
import { isRefused } from './client.ts';
import { API_VERSION } from './client.ts';
import { creditsOf, idOf, packMetadata, PLAN_METADATA_KEY, USER_KEY } from './from-stripe.ts';
import type { PriceSnapshot } from './snapshot.ts';

export type AccountPrice = PriceSnapshot & {
  id: string;
  interval: string;
  /** Whether the price stays recognizable after its lookup key moves to another one. */
  isMarked: boolean;
};
/** `credits` is null if the price's metadata do not state them. */
export type AccountPack = PriceSnapshot & { id: string; interval: string; credits: number | null };
export type WebhookEndpoint = {
  id: string;
  url: string;
  isEnabled: boolean;
  eventTypes: string[];
  /** Null for the account's default version. */
  apiVersion: string | null;
};

/** One part of an account; `problem` says why Stripe did not return it. */
export type AccountPart<T> = { value: T } | { problem: string };

export type AccountSnapshot = {
  price: AccountPart<AccountPrice | null>;
  /** The price of a year. */
  yearly: AccountPart<AccountPrice | null>;
  pack: AccountPart<AccountPack | null>;
  hasPortal: AccountPart<boolean>;
  /** Whether customers can be searched by metadata, which Stripe refuses to accounts in some countries. */
  hasSearch: AccountPart<boolean>;
  webhooks: AccountPart<WebhookEndpoint[]>;
};

const partOf = async <T>(call: Promise<T>): Promise<AccountPart<T>> => {
  try {
    return { value: await call };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
};

const intervalOf = ({ recurring }: Stripe.Price): string =>
  recurring === null ? 'once' : `${recurring.interval_count} ${recurring.interval}`;

const readPlanPrice = async (stripe: Stripe, of: Interval): Promise<AccountPrice | null> => {
  const price = await readPrice(stripe, LOOKUP_KEYS[of]);
  if (price === null) return null;
  const { id, unit_amount: amount, currency } = price;
  const isMarked = price.metadata[PLAN_METADATA_KEY] === PRICE_LOOKUP_KEY;
  return { id, amount: amount ?? 0, currency, interval: intervalOf(price), isMarked };
};

const readPackPrice = async (stripe: Stripe): Promise<AccountPack | null> => {
  const price = await readPrice(stripe, PACK_LOOKUP_KEY);
  if (price === null) return null;
  const { id, unit_amount: amount, currency, metadata } = price;
  return { id, amount: amount ?? 0, currency, interval: intervalOf(price), credits: creditsOf(metadata) };
};

const readWebhooks = async (stripe: Stripe): Promise<WebhookEndpoint[]> => {
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  return data.map(({ id, url, status, enabled_events: eventTypes, api_version: apiVersion }) => {
    return { id, url, isEnabled: status === 'enabled', eventTypes, apiVersion };
  });
};

const canSearch = async (stripe: Stripe): Promise<boolean> => {
  try {
    await stripe.customers.search({ query: `metadata['${USER_KEY}']:'none'`, limit: 1 });
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
};

/** Reads the set-up of the account. A part that the key may not read, or that fails, has a `problem`. */
const readAccount = async (stripe: Stripe): Promise<AccountSnapshot> => {
  const [price, yearly, pack, hasPortal, hasSearch, webhooks] = await Promise.all([
    partOf(readPlanPrice(stripe, 'month')),
    partOf(readPlanPrice(stripe, 'year')),
    partOf(readPackPrice(stripe)),
    partOf(findPortalConfiguration(stripe).then((found) => found !== null)),
    partOf(canSearch(stripe)),
    partOf(readWebhooks(stripe)),
  ]);
  return { price, yearly, pack, hasPortal, hasSearch, webhooks };
};

const PLAN_METADATA = { [PLAN_METADATA_KEY]: PRICE_LOOKUP_KEY };

type PlanToSell = { brand: string; price: PriceSnapshot; interval?: Interval };

/** The plan is one product: a price joins that of the other interval, or is the first of a product named after the brand. */
const productOf = async (stripe: Stripe, { brand, interval }: Required<Omit<PlanToSell, 'price'>>) => {
  const other = await readPrice(stripe, LOOKUP_KEYS[interval === 'month' ? 'year' : 'month']);
  const product = idOf(other?.product);
  return product === null ? { product_data: { name: `${brand} Premium` } } : { product };
};

/** Creates the price of the plan for an interval, by default a month. Returns the id of the price. */
const createPrice = async (
  stripe: Stripe,
  { brand, price: { amount, currency }, interval = 'month' }: PlanToSell,
): Promise<string> => {
  const price = await stripe.prices.create({
    currency,
    unit_amount: amount,
    recurring: { interval },
    lookup_key: LOOKUP_KEYS[interval],
    metadata: PLAN_METADATA,
    ...(await productOf(stripe, { brand, interval })),
  });
  return price.id;
};

/** Creates a product named after the brand and the credits, with its price. Returns the id of the price. */
const createPackPrice = async (
  stripe: Stripe,
  { brand, pack: { amount, currency, credits } }: { brand: string; pack: PackOffer },
): Promise<string> => {
  const price = await stripe.prices.create({
    currency,
    unit_amount: amount,
    lookup_key: PACK_LOOKUP_KEY,
    metadata: packMetadata(credits),
    product_data: { name: `${brand}: ${credits} credits` },
  });
  return price.id;
};

/** Creates the configuration of the billing portal: cards, invoices and cancellation at the period end. Returns its id. */
const createPortalConfiguration = async (stripe: Stripe, brand: string): Promise<string> => {
  const configuration = await stripe.billingPortal.configurations.create({
    name: brand,
    metadata: PLAN_METADATA,
    features: {
      // Without the email, by which billing finds a customer whose creation was interrupted.
      customer_update: { enabled: true, allowed_updates: ['name', 'address', 'tax_id'] },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
    },
  });
  return configuration.id;
};

type EventType = Stripe.WebhookEndpointCreateParams.EnabledEvent;

// The event table has only Stripe's types; Stripe and the sandbox refuse any other.
const asTypes = (types: readonly string[]): EventType[] => [...types] as EventType[];

/** Creates the webhook endpoint. Only this response contains the signing secret. */
const createWebhook = async (
  stripe: Stripe,
  { url, eventTypes }: { url: string; eventTypes: readonly string[] },
): Promise<{ id: string; secret: string }> => {
  const endpoint = await stripe.webhookEndpoints.create({
    url,
    enabled_events: asTypes(eventTypes),
    api_version: API_VERSION,
  });
  return { id: endpoint.id, secret: endpoint.secret ?? '' };
};

const setWebhookEvents = async (
  stripe: Stripe,
  { id, eventTypes }: { id: string; eventTypes: readonly string[] },
): Promise<void> => {
  await stripe.webhookEndpoints.update(id, { enabled_events: asTypes(eventTypes) });
};

/** The calls that the set-up makes to Stripe. */
export type AccountGateway = {
  read: () => Promise<AccountSnapshot>;
  createPrice: (plan: PlanToSell) => Promise<string>;
  createPackPrice: (pack: { brand: string; pack: PackOffer }) => Promise<string>;
  createPortalConfiguration: (brand: string) => Promise<string>;
  createWebhook: (endpoint: {
    url: string;
    eventTypes: readonly string[];
  }) => Promise<{ id: string; secret: string }>;
  setWebhookEvents: (endpoint: { id: string; eventTypes: readonly string[] }) => Promise<void>;
};

export const createAccountGateway = (stripe: Stripe): AccountGateway => ({
  read: () => readAccount(stripe),
  createPrice: (plan) => createPrice(stripe, plan),
  createPackPrice: (pack) => createPackPrice(stripe, pack),
  createPortalConfiguration: (brand) => createPortalConfiguration(stripe, brand),
  createWebhook: (endpoint) => createWebhook(stripe, endpoint),
  setWebhookEvents: (endpoint) => setWebhookEvents(stripe, endpoint),
});
