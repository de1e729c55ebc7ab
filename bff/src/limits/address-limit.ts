import type { Redis } from '@shortlist/kit/data/redis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export type AddressLimit = {
  /** Counts one call of this network address. Returns false when it has made too many. */
  consume: (address: string) => Promise<boolean>;
};

/** Calls per address and minute: enough for someone who fills in a form, too few to try addresses by the thousand. */
const PER_ADDRESS = { points: 30, duration: 60 };

export const createAddressLimit = (redis: Redis): AddressLimit => {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'limit:availability',
    ...PER_ADDRESS,
  });
  return {
    consume: async (address) => {
      try {
        await limiter.consume(address);
        return true;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return false;
        throw refusal;
      }
    },
  };
};
