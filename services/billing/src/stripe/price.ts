import { PRICE_LOOKUP_KEY } from '@shortlist/contracts/limits';
import type { Stripe } from 'stripe';
import { PLAN_METADATA_KEY } from './from-stripe.ts';
import type { PriceSnapshot } from './snapshot.ts';

/** A lookup key that moves to another price takes effect within this time. */
const CACHE_MS = 60_000;

export type PriceFinder = () => Promise<PriceSnapshot & { id: string }>;

/** Finds the plan's price by its lookup key, and creates it as configured in an account that has none. */
export const createPriceFinder = (stripe: Stripe, configured: PriceSnapshot): PriceFinder => {
  const { amount, currency } = configured;
  const create = (): Promise<Stripe.Price> =>
    stripe.prices.create(
      {
        currency,
        unit_amount: amount,
        recurring: { interval: 'month' },
        lookup_key: PRICE_LOOKUP_KEY,
        metadata: { [PLAN_METADATA_KEY]: PRICE_LOOKUP_KEY },
        product_data: { name: 'Shortlist Premium' },
      },
      { idempotencyKey: `price:${PRICE_LOOKUP_KEY}:${amount}:${currency}` },
    );
  let cached: { price: PriceSnapshot & { id: string }; until: number } | null = null;
  return async () => {
    if (cached !== null && performance.now() < cached.until) return cached.price;
    const { data } = await stripe.prices.list({ lookup_keys: [PRICE_LOOKUP_KEY], active: true, limit: 1 });
    const found = data[0] ?? (await create());
    const price = { id: found.id, amount: found.unit_amount ?? 0, currency: found.currency };
    cached = { price, until: performance.now() + CACHE_MS };
    return price;
  };
};
