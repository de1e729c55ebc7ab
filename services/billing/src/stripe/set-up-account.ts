import { PRICE_LOOKUP_KEY } from '@shortlist/contracts/limits';
import type { Stripe } from 'stripe';
import { type AccountSnapshot, readAccount } from './account.ts';
import { API_VERSION } from './client.ts';
import { PLAN_METADATA_KEY } from './from-stripe.ts';
import type { PriceSnapshot } from './snapshot.ts';

const PLAN_METADATA = { [PLAN_METADATA_KEY]: PRICE_LOOKUP_KEY };

/** Creates a product named after the brand, with the monthly price of the plan. Returns the id of the price. */
const createPrice = async (
  stripe: Stripe,
  { brand, price: { amount, currency } }: { brand: string; price: PriceSnapshot },
): Promise<string> => {
  const price = await stripe.prices.create({
    currency,
    unit_amount: amount,
    recurring: { interval: 'month' },
    lookup_key: PRICE_LOOKUP_KEY,
    metadata: PLAN_METADATA,
    product_data: { name: `${brand} Premium` },
  });
  return price.id;
};

/** Creates the configuration of the billing portal: cards, invoices and cancellation at the period end. Returns its id. */
const createPortalConfiguration = async (stripe: Stripe, brand: string): Promise<string> => {
  const configuration = await stripe.billingPortal.configurations.create({
    name: brand,
    metadata: PLAN_METADATA,
    features: {
      // Without the email address: billing finds a customer whose creation was interrupted by it.
      customer_update: { enabled: true, allowed_updates: ['name', 'address', 'tax_id'] },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
    },
  });
  return configuration.id;
};

type EventType = Stripe.WebhookEndpointCreateParams.EnabledEvent;

// The event table names only types of Stripe's; the sandbox and Stripe refuse any other.
const asTypes = (types: readonly string[]): EventType[] => [...types] as EventType[];

/** Creates the webhook endpoint. Only this response of Stripe's contains the signing secret. */
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

/** What the set-up reads and creates in an account. */
export type AccountGateway = {
  read: () => Promise<AccountSnapshot>;
  createPrice: (plan: { brand: string; price: PriceSnapshot }) => Promise<string>;
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
  createPortalConfiguration: (brand) => createPortalConfiguration(stripe, brand),
  createWebhook: (endpoint) => createWebhook(stripe, endpoint),
  setWebhookEvents: (endpoint) => setWebhookEvents(stripe, endpoint),
});
