import { PRICE_LOOKUP_KEY } from '@shortlist/contracts/limits';
import { createError } from '@shortlist/kit/process/errors';
import type { Stripe } from 'stripe';
import type { PriceSnapshot } from './snapshot.ts';

/** A lookup key that moves to another price takes effect within this time. */
const CACHE_MS = 60_000;

export type PriceFinder = () => Promise<PriceSnapshot & { id: string }>;

/** The active price with the plan's lookup key; null in an account that has none. */
export const readPlanPrice = async (stripe: Stripe): Promise<Stripe.Price | null> => {
  const { data } = await stripe.prices.list({ lookup_keys: [PRICE_LOOKUP_KEY], active: true, limit: 1 });
  return data[0] ?? null;
};

/** Finds the plan's price by its lookup key. Throws `billing.price_missing` in an account that has none. */
export const createPriceFinder = (stripe: Stripe): PriceFinder => {
  let cached: { price: PriceSnapshot & { id: string }; until: number } | null = null;
  return async () => {
    if (cached !== null && performance.now() < cached.until) return cached.price;
    const found = await readPlanPrice(stripe);
    if (found === null) throw createError('billing.price_missing');
    const price = { id: found.id, amount: found.unit_amount ?? 0, currency: found.currency };
    cached = { price, until: performance.now() + CACHE_MS };
    return price;
  };
};
