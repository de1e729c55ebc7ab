import type { PackOffer } from '@shortlist/contracts/api/billing';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { StripeGateway } from '../stripe/gateway.ts';

type Sellable = PackOffer & { id: string };

/**
 * The pack on sale. Users pay Stripe's price, which also states the credits. The configuration is the operator's intention: while both differ,
 * or one is missing, no pack is sold; existing packs and the plan are not affected.
 */
export type PackSale = {
  /** The pack as last read from Stripe; null while none is sold, and before the first read. */
  currentOffer: () => PackOffer | null;
  /** The pack for a new checkout. Throws `billing.pack_not_offered` or `billing.provider_unavailable`. */
  getSellable: () => Promise<Sellable>;
  /** Reads the pack from Stripe; logs a mismatch or a missing price as an error. Returns whether Stripe responded. */
  refresh: () => Promise<boolean>;
};

/** `configured` is null if no packs should be sold. */
type Parts = { stripe: Pick<StripeGateway, 'findPackPrice'>; configured: PackOffer | null; log: Log };

const MISSING =
  'Stripe has no price of the pack of credits; no pack is sold until shortlist stripe-check --apply or the dashboard creates one';
const MISMATCH =
  "Stripe's price of the pack of credits differs from the configuration; no pack is sold until PACK_CREDITS, PACK_PRICE_MINOR and CURRENCY match it";

const isSame = (one: PackOffer, other: PackOffer): boolean =>
  one.amount === other.amount && one.currency === other.currency && one.credits === other.credits;

export const createPackSale = ({ stripe, configured, log }: Parts): PackSale => {
  let current: PackOffer | null = null;
  const read = async (): Promise<{ sellable: Sellable | null; problem: string | null }> => {
    if (configured === null) return { sellable: null, problem: null };
    const found = await stripe.findPackPrice();
    const sellable = found !== null && isSame(found, configured) ? found : null;
    current = sellable && {
      credits: sellable.credits,
      amount: sellable.amount,
      currency: sellable.currency,
    };
    if (sellable !== null) return { sellable, problem: null };
    return { sellable, problem: found === null ? MISSING : MISMATCH };
  };
  return {
    currentOffer: () => current,
    getSellable: async () => {
      const { sellable } = await read();
      if (sellable === null) throw createError('billing.pack_not_offered');
      return sellable;
    },
    refresh: async () => {
      try {
        const { problem } = await read();
        if (problem !== null) log.error({ configured }, problem);
        return true;
      } catch (error) {
        log.warn({ err: error }, 'price of the pack not read from Stripe');
        return false;
      }
    },
  };
};
