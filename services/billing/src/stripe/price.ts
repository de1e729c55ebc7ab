import { CURRENCY, PRICE_LOOKUP_KEY, PRICE_MINOR } from '@shortlist/contracts/limits';
import type { Stripe } from 'stripe';
import { PLAN_MARK } from './from-stripe.ts';

/** An operator who moves the lookup key to another price is heard within this time. */
const KNOWN_MS = 60_000;

/** Finds the plan's price by its lookup key, and makes it on an account that has none yet. */
export const createPriceFinder = (stripe: Stripe): (() => Promise<string>) => {
  let known: { id: string; until: number } | null = null;
  return async () => {
    if (known !== null && performance.now() < known.until) return known.id;
    const { data } = await stripe.prices.list({ lookup_keys: [PRICE_LOOKUP_KEY], active: true, limit: 1 });
    const price =
      data[0] ??
      (await stripe.prices.create(
        {
          currency: CURRENCY,
          unit_amount: PRICE_MINOR,
          recurring: { interval: 'month' },
          lookup_key: PRICE_LOOKUP_KEY,
          metadata: { [PLAN_MARK]: PRICE_LOOKUP_KEY },
          product_data: { name: 'Shortlist Premium' },
        },
        { idempotencyKey: `price:${PRICE_LOOKUP_KEY}` },
      ));
    known = { id: price.id, until: performance.now() + KNOWN_MS };
    return known.id;
  };
};
