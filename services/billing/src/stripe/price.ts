import { CURRENCY, PRICE_LOOKUP_KEY, PRICE_MINOR } from '@shortlist/contracts/limits';
import type { Stripe } from 'stripe';
import { PLAN_METADATA_KEY } from './from-stripe.ts';

/** A lookup key that moves to another price takes effect within this time. */
const CACHE_MS = 60_000;

/** Finds the plan's price by its lookup key, and creates it in an account that has none. */
export const createPriceFinder = (stripe: Stripe): (() => Promise<string>) => {
  let cached: { id: string; until: number } | null = null;
  return async () => {
    if (cached !== null && performance.now() < cached.until) return cached.id;
    const { data } = await stripe.prices.list({ lookup_keys: [PRICE_LOOKUP_KEY], active: true, limit: 1 });
    const price =
      data[0] ??
      (await stripe.prices.create(
        {
          currency: CURRENCY,
          unit_amount: PRICE_MINOR,
          recurring: { interval: 'month' },
          lookup_key: PRICE_LOOKUP_KEY,
          metadata: { [PLAN_METADATA_KEY]: PRICE_LOOKUP_KEY },
          product_data: { name: 'Shortlist Premium' },
        },
        { idempotencyKey: `price:${PRICE_LOOKUP_KEY}` },
      ));
    cached = { id: price.id, until: performance.now() + CACHE_MS };
    return cached.id;
  };
};
