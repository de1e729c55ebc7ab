import type { Redis } from '@shortlist/kit/data/redis';
import { createError } from '@shortlist/kit/process/errors';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export type Attempt = { email: string; address: string };
export type LoginLimits = {
  /** Throws `request.rate_limited` after too many failures for this account, from this address or from all together. */
  assertBelow: (attempt: Attempt) => Promise<void>;
  countFailure: (attempt: Attempt) => Promise<void>;
  /** Clears both counts after a successful log-in. */
  reset: (attempt: Attempt) => Promise<void>;
};

/** Failures per account: ten a minute from one address, a hundred in a quarter of an hour from all. Durations in seconds. */
const PER_ADDRESS = { points: 10, duration: 60 };
const PER_ACCOUNT = { points: 100, duration: 900 };

const secondsToWait = (result: RateLimiterRes | null, points: number): number =>
  result !== null && result.consumedPoints >= points ? Math.ceil(result.msBeforeNext / 1000) : 0;

export const createLoginLimits = (redis: Redis): LoginLimits => {
  const perAddress = new RateLimiterRedis({ storeClient: redis, keyPrefix: 'limit:login', ...PER_ADDRESS });
  const perAccount = new RateLimiterRedis({ storeClient: redis, keyPrefix: 'limit:account', ...PER_ACCOUNT });
  const addressKey = ({ email, address }: Attempt): string => `${address}|${email}`;
  const count = async (limiter: RateLimiterRedis, key: string): Promise<void> => {
    await limiter.consume(key).catch((refusal: unknown) => {
      if (!(refusal instanceof RateLimiterRes)) throw createError('session.unavailable', { cause: refusal });
    });
  };
  return {
    assertBelow: async (attempt) => {
      const counts = [perAddress.get(addressKey(attempt)), perAccount.get(attempt.email)] as const;
      const [address, account] = await Promise.all(counts).catch((cause: unknown) => {
        throw createError('session.unavailable', { cause });
      });
      const wait = Math.max(
        secondsToWait(address, PER_ADDRESS.points),
        secondsToWait(account, PER_ACCOUNT.points),
      );
      if (wait > 0) throw createError('request.rate_limited', { retryAfterSeconds: wait });
    },
    countFailure: async (attempt) => {
      await Promise.all([count(perAddress, addressKey(attempt)), count(perAccount, attempt.email)]);
    },
    reset: async (attempt) => {
      await Promise.all([perAddress.delete(addressKey(attempt)), perAccount.delete(attempt.email)]).catch(
        () => undefined,
      );
    },
  };
};
