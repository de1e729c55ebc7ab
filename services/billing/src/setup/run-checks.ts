import { publicPaths } from '@shortlist/contracts/api/public';
import type { StripeCheck } from '@shortlist/contracts/system';
import type { StripeConfig } from '../config.ts';
import { API_VERSION } from '../stripe/client.ts';
import type { AccountGateway } from '../stripe/set-up-account.ts';
import { checkSetup, type ExpectedSetup } from './setup.rules.ts';

/** Returns what the configuration expects of the account, with the event types that billing handles. */
export const expectedSetup = (config: StripeConfig, eventTypes: readonly string[]): ExpectedSetup => ({
  price: { amount: config.PRICE_MINOR, currency: config.CURRENCY },
  webhookUrl: config.STRIPE_WEBHOOK_URL ?? `${config.PUBLIC_URL}${publicPaths.stripeWebhook}`,
  eventTypes,
  apiVersion: API_VERSION,
  isPolled: config.STRIPE_EVENTS === 'poll',
});

export const runChecks = async (account: AccountGateway, expected: ExpectedSetup): Promise<StripeCheck[]> =>
  checkSetup(await account.read(), expected);
