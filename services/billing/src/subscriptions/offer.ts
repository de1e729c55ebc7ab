import type { Price } from '@shortlist/contracts/api/billing';
import type { Interval } from '@shortlist/contracts/plan';
import { minutes } from '@shortlist/contracts/durations';
import { repeat, type Repetition } from '@shortlist/kit/process/clock';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { priceMismatch, priceMissing } from '../metrics.ts';
import type { StripeGateway } from '../stripe/gateway.ts';

const REFRESH_MS = minutes(3);
const RETRY_MS = 10_000;

/**
 * The price of the plan. Users pay Stripe's price, so screens show it. The configured price is the operator's intention: while both differ, the
 * process keeps running and subscriptions continue, but no checkout is opened.
 */
export type Offer = {
  /** Stripe's price as last read, or the configured price before the first read. */
  currentPrice: () => Price;
  /** The price of a year in the same way; null while none is sold. */
  currentYearly: () => Price | null;
  /** Stripe's price for a new checkout. Throws `billing.price_mismatch`, `billing.price_missing` or `billing.provider_unavailable`. */
  getSellablePrice: (interval: Interval) => Promise<Price & { id: string }>;
  /** Reads the prices from Stripe; logs a mismatch or a missing price as an error. Returns whether Stripe responded. */
  refresh: () => Promise<boolean>;
};

const MISSING =
  'Stripe has no price of the plan; checkouts are refused until shortlist stripe-check --apply or the dashboard creates one';

const YEAR_NOT_SOLD =
  'no year of the plan is sold until Stripe has a yearly price with YEARLY_PRICE_MINOR and CURRENCY: shortlist stripe-check --apply or the dashboard creates one, and 0 sells none';

/** `yearly`: null if no year is to be sold. */
type Parts = {
  stripe: Pick<StripeGateway, 'findPrice'>;
  configured: Price;
  yearly: Price | null;
  log: Log;
  metrics: Metrics;
};

const isSamePrice = (one: Price, other: Price): boolean =>
  one.amount === other.amount && one.currency === other.currency;

/** The price of a year, which is sold beside that of a month and never instead of it. */
const createYearlyOffer = ({ stripe, yearly, log }: Pick<Parts, 'stripe' | 'yearly' | 'log'>) => {
  let current: Price | null = yearly;
  const getSellable = async (): Promise<Price & { id: string }> => {
    if (yearly === null) throw createError('billing.price_missing');
    try {
      const price = await stripe.findPrice('year');
      if (!isSamePrice(price, yearly)) throw createError('billing.price_mismatch');
      current = yearly;
      return price;
    } catch (error) {
      const isWrong = error instanceof AppError && error.code.startsWith('billing.price_');
      if (isWrong) current = null;
      throw error;
    }
  };
  const refresh = async (): Promise<void> => {
    if (yearly === null) return;
    await getSellable().catch((error: unknown) => {
      if (current === null) log.error({ yearly, err: error }, YEAR_NOT_SOLD);
      else log.warn({ err: error }, 'price of a year not read from Stripe');
    });
  };
  return { current: () => current, getSellable, refresh };
};

export const createOffer = ({ stripe, configured, yearly, log, metrics }: Parts): Offer => {
  const year = createYearlyOffer({ stripe, yearly, log });
  let current: Price = configured;
  let isMissing = false;
  const isMismatch = (): boolean => !isSamePrice(current, configured);
  metrics.gauge(priceMismatch, () => Promise.resolve(isMismatch() ? 1 : 0));
  metrics.gauge(priceMissing, () => Promise.resolve(isMissing ? 1 : 0));
  const read = async (): Promise<Price & { id: string }> => {
    try {
      const { id, amount, currency } = await stripe.findPrice();
      current = { amount, currency };
      isMissing = false;
      return { id, amount, currency };
    } catch (error) {
      isMissing = error instanceof AppError && error.code === 'billing.price_missing';
      throw error;
    }
  };
  return {
    currentPrice: () => current,
    currentYearly: year.current,
    getSellablePrice: async (interval) => {
      if (interval === 'year') return year.getSellable();
      const price = await read();
      if (isMismatch()) throw createError('billing.price_mismatch');
      return price;
    },
    refresh: async () => {
      await year.refresh();
      try {
        await read();
      } catch (error) {
        if (isMissing) log.error({ configured }, MISSING);
        else log.warn({ err: error }, 'price not read from Stripe');
        return isMissing;
      }
      if (isMismatch())
        log.error(
          { configured, stripe: current },
          "Stripe's price differs from the configured price; checkouts are refused until PRICE_MINOR and CURRENCY match it",
        );
      return true;
    },
  };
};

/** Refreshes the offer now and every few minutes. */
export const startRefreshing = (offer: Pick<Offer, 'refresh'>): Repetition =>
  repeat(async () => ((await offer.refresh()) ? REFRESH_MS : RETRY_MS));
