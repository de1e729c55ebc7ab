// What an account at Stripe must contain for the product to work: a price, a portal configuration, a webhook endpoint.
import { PRICE_LOOKUP_KEY } from '@shortlist/contracts/limits';
import type { Stripe } from 'stripe';
import { PLAN_METADATA_KEY } from './from-stripe.ts';
import { findPortalConfiguration } from './portal.ts';
import { readPlanPrice } from './price.ts';
import type { PriceSnapshot } from './snapshot.ts';

export type AccountPrice = PriceSnapshot & {
  id: string;
  interval: string;
  /** Whether the price stays recognizable when its lookup key moves to another one. */
  isMarked: boolean;
};
export type WebhookEndpoint = {
  id: string;
  url: string;
  isEnabled: boolean;
  eventTypes: string[];
  /** Null for the version that the account uses by default. */
  apiVersion: string | null;
};

/** One part of an account; `problem` says why Stripe did not return it. */
export type AccountPart<T> = { value: T } | { problem: string };

export type AccountSnapshot = {
  price: AccountPart<AccountPrice | null>;
  hasPortal: AccountPart<boolean>;
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

const readPrice = async (stripe: Stripe): Promise<AccountPrice | null> => {
  const price = await readPlanPrice(stripe);
  if (price === null) return null;
  const { id, unit_amount: amount, currency } = price;
  const isMarked = price.metadata[PLAN_METADATA_KEY] === PRICE_LOOKUP_KEY;
  return { id, amount: amount ?? 0, currency, interval: intervalOf(price), isMarked };
};

const readWebhooks = async (stripe: Stripe): Promise<WebhookEndpoint[]> => {
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  return data.map(({ id, url, status, enabled_events: eventTypes, api_version: apiVersion }) => {
    return { id, url, isEnabled: status === 'enabled', eventTypes, apiVersion };
  });
};

/** Reads the set-up of the account. A part that the key may not read, or that fails, has a `problem`. */
export const readAccount = async (stripe: Stripe): Promise<AccountSnapshot> => {
  const [price, hasPortal, webhooks] = await Promise.all([
    partOf(readPrice(stripe)),
    partOf(findPortalConfiguration(stripe).then((found) => found !== null)),
    partOf(readWebhooks(stripe)),
  ]);
  return { price, hasPortal, webhooks };
};
