import type { Price } from '@shortlist/contracts/api/billing';
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
  /** Stripe's price for a new checkout. Throws `billing.price_mismatch`, `billing.price_missing` or `billing.provider_unavailable`. */
  getSellablePrice: () => Promise<Price & { id: string }>;
  /** Reads the price from Stripe; logs a mismatch or a missing price as an error. Returns whether Stripe responded. */
  refresh: () => Promise<boolean>;
};

const MISSING =
  'Stripe has no price of the plan; checkouts are refused until shortlist stripe-check --apply or the dashboard creates one';

type Parts = { stripe: Pick<StripeGateway, 'findPrice'>; configured: Price; log: Log; metrics: Metrics };

export const createOffer = ({ stripe, configured, log, metrics }: Parts): Offer => {
  let current: Price = configured;
  let isMissing = false;
  const isMismatch = (): boolean =>
    current.amount !== configured.amount || current.currency !== configured.currency;
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
    getSellablePrice: async () => {
      const price = await read();
      if (isMismatch()) throw createError('billing.price_mismatch');
      return price;
    },
    refresh: async () => {
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
