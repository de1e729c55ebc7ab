import type { Stripe } from 'stripe';
import type { AccountPart, AccountSnapshot } from '../stripe/account.ts';
import {
  createPortalConfiguration,
  createPrice,
  createWebhook,
  setWebhookEvents,
} from '../stripe/set-up-account.ts';
import { endpointOf, type ExpectedSetup, missingTypes } from './setup.rules.ts';

type Parts = { stripe: Stripe; expected: ExpectedSetup; brand: string };

export type Applied = {
  /** What was created or changed, one sentence each. */
  changes: string[];
  /** The signing secret of a new webhook endpoint; it belongs on the operator's terminal and nowhere else. */
  webhook: { id: string; secret: string } | null;
};

const isMissing = (part: AccountPart<unknown>): boolean => 'value' in part && !part.value;

const applyWebhook = async ({ stripe, expected }: Parts, account: AccountSnapshot): Promise<Applied> => {
  const { isPolled, webhookUrl: url, eventTypes } = expected;
  if (isPolled || !('value' in account.webhooks)) return { changes: [], webhook: null };
  const endpoint = endpointOf(account.webhooks.value, expected);
  if (endpoint === null) {
    const webhook = await createWebhook(stripe, { url, eventTypes });
    return { changes: [`Created the webhook endpoint ${webhook.id} for ${url}.`], webhook };
  }
  if (missingTypes(endpoint, eventTypes).length === 0) return { changes: [], webhook: null };
  await setWebhookEvents(stripe, { id: endpoint.id, eventTypes });
  return { changes: [`Enabled all event types of ${endpoint.id}.`], webhook: null };
};

/** Creates what the account lacks. What exists stays as it is, except that an endpoint gets the event types it lacks. */
export const applySetup = async (parts: Parts, account: AccountSnapshot): Promise<Applied> => {
  const { stripe, expected, brand } = parts;
  const changes: string[] = [];
  if (isMissing(account.price)) {
    const id = await createPrice(stripe, { brand, price: expected.price });
    changes.push(`Created the product "${brand} Premium" with the price ${id}.`);
  }
  if (isMissing(account.hasPortal))
    changes.push(`Created the portal configuration ${await createPortalConfiguration(stripe, brand)}.`);
  const { changes: ofWebhook, webhook } = await applyWebhook(parts, account);
  return { changes: [...changes, ...ofWebhook], webhook };
};
