import type { Redis } from '@shortlist/kit/data/redis';
import { createError } from '@shortlist/kit/process/errors';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export type AttemptLimit = {
  /**
   * Counts an attempt before its work begins, in one step with the comparison: attempts at the same moment cannot pass together.
   * Throws `request.rate_limited` beyond the limit.
   */
  consume: (key: string) => Promise<void>;
  /** Takes an attempt back that is not to count. */
  refund: (key: string) => Promise<void>;
  /** Forgets all attempts of this key. */
  clear: (key: string) => Promise<void>;
};

type Settings = {
  name: string;
  /** How many attempts pass within `seconds`. */
  attempts: number;
  seconds: number;
  /** Without Redis, attempts are refused as `session.unavailable` or pass unlimited. */
  withoutRedis: 'refuse' | 'allow';
};

export const createAttemptLimit = (
  redis: Redis,
  { name, attempts, seconds, withoutRedis }: Settings,
): AttemptLimit => {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `limit:${name}`,
    points: attempts,
    duration: seconds,
  });
  const ignoreFailure = (): undefined => undefined; // the count expires by itself
  return {
    consume: async (key) => {
      try {
        await limiter.consume(key);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes)
          throw createError('request.rate_limited', {
            retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
          });
        if (withoutRedis === 'refuse') throw createError('session.unavailable', { cause: refusal });
      }
    },
    refund: async (key) => {
      await limiter.reward(key).catch(ignoreFailure);
    },
    clear: async (key) => {
      await limiter.delete(key).catch(ignoreFailure);
    },
  };
};
