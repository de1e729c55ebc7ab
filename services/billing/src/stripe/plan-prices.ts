import { minutes } from '@shortlist/contracts/durations';
import { LRUCache } from 'lru-cache';
import type { Stripe } from 'stripe';
import { isMissing } from './client.ts';
import { isOurPrice, priceOfLine } from './from-stripe.ts';

/** An operator may mark a price as the plan's at any time. */
const CACHE_MS = minutes(1);

/** The plan's prices among those of the invoices' lines. */
export type FindPlanPrices = (invoices: Stripe.Invoice[]) => Promise<ReadonlySet<string>>;

/**
 * Returns a function that finds which prices of invoices' lines sell the plan. A line has only the id of its price; each price is read once a
 * minute. A price that was deleted at Stripe was not ours.
 */
export const createPlanPriceFinder = (stripe: Stripe): FindPlanPrices => {
  const isOurs = new LRUCache<string, boolean>({
    max: 1_000,
    ttl: CACHE_MS,
    fetchMethod: async (id) => {
      try {
        return isOurPrice(await stripe.prices.retrieve(id));
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
  });
  return async (invoices) => {
    const lines = invoices.flatMap(({ lines: { data } }) => data);
    const ids = [...new Set(lines.map(priceOfLine))].filter((id) => id !== null);
    const ours = await Promise.all(ids.map((id) => isOurs.fetch(id)));
    return new Set(ids.filter((_, index) => ours[index]));
  };
};
