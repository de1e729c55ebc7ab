import { minutes } from '@shortlist/contracts/durations';
import type { Stripe } from 'stripe';
import { isMissing } from './client.ts';
import { isOurPrice, priceOfLine } from './from-stripe.ts';

/** An operator may mark a price as the plan's at any time. */
const CACHE_MS = minutes(1);

/** The prices of the plan among those that the invoices' lines name. */
export type FindPlanPrices = (invoices: Stripe.Invoice[]) => Promise<ReadonlySet<string>>;

/**
 * Returns a function that finds which of the prices of invoices' lines sell the plan. A line names its price by id alone; each price is
 * read once a minute. One that Stripe has deleted sold nothing of ours.
 */
export const createPlanPriceFinder = (stripe: Stripe): FindPlanPrices => {
  const cached = new Map<string, { isOurs: Promise<boolean>; until: number }>();
  const read = async (id: string): Promise<boolean> => {
    try {
      return isOurPrice(await stripe.prices.retrieve(id));
    } catch (error) {
      if (isMissing(error)) return false;
      cached.delete(id);
      throw error;
    }
  };
  const isOurs = (id: string): Promise<boolean> => {
    const known = cached.get(id);
    if (known !== undefined && performance.now() < known.until) return known.isOurs;
    const entry = { isOurs: read(id), until: performance.now() + CACHE_MS };
    cached.set(id, entry);
    return entry.isOurs;
  };
  return async (invoices) => {
    const lines = invoices.flatMap(({ lines: { data } }) => data);
    const ids = [...new Set(lines.map(priceOfLine))].filter((id) => id !== null);
    const ours = await Promise.all(ids.map(isOurs));
    return new Set(ids.filter((_, index) => ours[index]));
  };
};
