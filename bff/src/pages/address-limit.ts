import type { Redis } from '@shortlist/kit/data/redis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Answers whether this address may ask once more. */
export type AddressLimit = (address: string) => Promise<boolean>;

/** A person filling in a form asks a few times; whoever tries addresses by the thousand is stopped. */
const POINTS = 30;
const SECONDS = 60;

export const createAddressLimit = (redis: Redis): AddressLimit => {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'limit:availability',
    points: POINTS,
    duration: SECONDS,
  });
  return async (address) => {
    try {
      await limiter.consume(address);
      return true;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return false;
      throw refusal;
    }
  };
};
