import { PRICE_LOOKUP_KEY } from '@shortlist/contracts/limits';
import { createError } from '@shortlist/kit/process/errors';
import type { Stripe } from 'stripe';
import { PLAN_METADATA_KEY } from './from-stripe.ts';

const CACHE_MS = 60_000;

/** The configuration of the billing portal; the default one is not named in a request. */
export type PortalConfiguration = { id: string; isDefault: boolean };

/** Returns the account's default configuration, else ours, else null. Only the dashboard can create a default one. */
export const findPortalConfiguration = async (stripe: Stripe): Promise<PortalConfiguration | null> => {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const found =
    data.find(({ is_default: isDefault }) => isDefault) ??
    data.find(({ metadata }) => metadata?.[PLAN_METADATA_KEY] === PRICE_LOOKUP_KEY);
  return found ? { id: found.id, isDefault: found.is_default } : null;
};

type Opening = { customer: string; returnUrl: string };

/** Returns a function that opens the portal. It throws `billing.portal_not_configured` in an account without a configuration. */
export const createPortalOpener = (stripe: Stripe): ((opening: Opening) => Promise<string>) => {
  let cached: { configuration: PortalConfiguration; until: number } | null = null;
  const find = async (): Promise<PortalConfiguration> => {
    if (cached !== null && performance.now() < cached.until) return cached.configuration;
    const configuration = await findPortalConfiguration(stripe);
    if (configuration === null) throw createError('billing.portal_not_configured');
    cached = { configuration, until: performance.now() + CACHE_MS };
    return configuration;
  };
  return async ({ customer, returnUrl }) => {
    const { id, isDefault } = await find();
    const session = await stripe.billingPortal.sessions.create({
      customer,
      return_url: returnUrl,
      ...(!isDefault && { configuration: id }),
    });
    return session.url;
  };
};
