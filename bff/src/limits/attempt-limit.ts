import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from '@shortlist/kit/data/redis';
import { createError } from '@shortlist/kit/process/errors';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export type AttemptLimit = {
  /**
   * Counts an attempt before its work begins, in one step with the comparison: attempts at the same moment cannot pass together.
   * Throws `request.rate_limited` beyond the limit.
   */
  consume: (key: string) => Promise<void>;
  /** Counts an attempt as `consume` does, and returns whether it is within the limit. */
  pass: (key: string) => Promise<boolean>;
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
  /** Holds each refusal back for this time, so that a client which repeats refused attempts at once cannot fill the process. */
  holdMs?: number;
};

/** For limits of a network: further attempts of one that is over its limit cost the others less (`make bench b=flood`). */
export const NETWORK_HOLD_MS = 1_000;
/** Refusals that wait at the same time. Beyond it they are sent at once, since each keeps a connection open. */
const WAITING_MAX = 2_000;

/** Returns a function that waits, unless too many wait already. */
const createHold = (ms: number): (() => Promise<void>) => {
  let waiting = 0;
  return async () => {
    if (ms === 0 || waiting >= WAITING_MAX) return;
    waiting += 1;
    await sleep(ms, undefined, { ref: false });
    waiting -= 1;
  };
};

export const createAttemptLimit = (
  redis: Redis,
  { name, attempts, seconds, withoutRedis, holdMs = 0 }: Settings,
): AttemptLimit => {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `limit:${name}`,
    points: attempts,
    duration: seconds,
  });
  const hold = createHold(holdMs);
  const refuse = async (waitMs: number): Promise<never> => {
    await hold();
    throw createError('request.rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  };
  const ignoreFailure = (): undefined => undefined; // the count expires by itself
  /** Returns the time until the next attempt; 0 for one within the limit. */
  const count = async (key: string): Promise<number> => {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
      if (withoutRedis === 'refuse') throw createError('session.unavailable', { cause: refusal });
    }
    return 0;
  };
  return {
    consume: async (key) => {
      const waitMs = await count(key);
      if (waitMs > 0) await refuse(waitMs);
    },
    pass: async (key) => (await count(key)) === 0,
    refund: async (key) => {
      await limiter.reward(key).catch(ignoreFailure);
    },
    clear: async (key) => {
      await limiter.delete(key).catch(ignoreFailure);
    },
  };
};
