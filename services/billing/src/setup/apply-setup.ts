import { publicPaths } from '@shortlist/contracts/api/public';
import type { StripeCheck } from '@shortlist/contracts/api/admin-views';
import { configuredPack, type StripeConfig } from '../config.ts';
import { API_VERSION } from '../stripe/client.ts';
import type { AccountGateway, AccountPart, AccountSnapshot } from '../stripe/set-up-account.ts';
import { checkSetup, endpointOf, type ExpectedSetup, missingTypes } from './setup.rules.ts';

type Parts = { account: AccountGateway; expected: ExpectedSetup; brand: string };

type Applied = {
  /** What was created or changed, one sentence each. */
  changes: string[];
  /** The signing secret of a new webhook endpoint; it belongs on the operator's terminal and nowhere else. */
  webhook: { id: string; secret: string } | null;
};

const isMissing = (part: AccountPart<unknown>): boolean => 'value' in part && !part.value;

const applyWebhook = async ({ account, expected }: Parts, snapshot: AccountSnapshot): Promise<Applied> => {
  const { isPolled, webhookUrl: url, eventTypes } = expected;
  if (isPolled || !('value' in snapshot.webhooks)) return { changes: [], webhook: null };
  const endpoint = endpointOf(snapshot.webhooks.value, expected);
  if (endpoint === null) {
    const webhook = await account.createWebhook({ url, eventTypes });
    return { changes: [`Created the webhook endpoint ${webhook.id} for ${url}.`], webhook };
  }
  if (missingTypes(endpoint, eventTypes).length === 0) return { changes: [], webhook: null };
  await account.setWebhookEvents({ id: endpoint.id, eventTypes });
  return { changes: [`Enabled all event types of ${endpoint.id}.`], webhook: null };
};

/** Creates what the account lacks. What exists stays as it is, except that an endpoint gets the event types it lacks. */
export const applySetup = async (parts: Parts, snapshot: AccountSnapshot): Promise<Applied> => {
  const { account, expected, brand } = parts;
  const changes: string[] = [];
  if (isMissing(snapshot.price)) {
    const id = await account.createPrice({ brand, price: expected.price });
    changes.push(`Created the product "${brand} Premium" with the price ${id}.`);
  }
  if (expected.pack !== null && isMissing(snapshot.pack)) {
    const id = await account.createPackPrice({ brand, pack: expected.pack });
    changes.push(`Created the product "${brand}: ${expected.pack.credits} credits" with the price ${id}.`);
  }
  if (isMissing(snapshot.hasPortal))
    changes.push(`Created the portal configuration ${await account.createPortalConfiguration(brand)}.`);
  const { changes: ofWebhook, webhook } = await applyWebhook(parts, snapshot);
  return { changes: [...changes, ...ofWebhook], webhook };
};

/** Returns what the configuration expects of the account, with the event types that billing handles. */
export const expectedSetup = (config: StripeConfig, eventTypes: readonly string[]): ExpectedSetup => ({
  price: { amount: config.PRICE_MINOR, currency: config.CURRENCY },
  pack: configuredPack(config),
  webhookUrl: config.STRIPE_WEBHOOK_URL ?? `${config.PUBLIC_URL}${publicPaths.stripeWebhook}`,
  eventTypes,
  apiVersion: API_VERSION,
  isPolled: config.STRIPE_EVENTS === 'poll',
});

export const runChecks = async (account: AccountGateway, expected: ExpectedSetup): Promise<StripeCheck[]> =>
  checkSetup(await account.read(), expected);
