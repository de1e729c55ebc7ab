import { createError } from '@shortlist/kit/process/errors';
import type { Redis } from '@shortlist/kit/data/redis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export type Attempt = { email: string; address: string };
export type LoginLimits = {
  /** Throws `request.rate_limited` when this account has been tried wrongly too often, from this address or from anywhere. */
  assertOpen: (attempt: Attempt) => Promise<void>;
  countFailure: (attempt: Attempt) => Promise<void>;
  forgive: (attempt: Attempt) => Promise<void>;
};

/** From one address: ten wrong tries a minute. From all together: a hundred in a quarter of an hour, and then a pause. */
const HERE = { points: 10, duration: 60 };
const ANYWHERE = { points: 100, duration: 900 };

const blockedFor = (result: RateLimiterRes | null, points: number): number =>
  result !== null && result.consumedPoints >= points ? Math.ceil(result.msBeforeNext / 1000) : 0;

export const createLoginLimits = (redis: Redis): LoginLimits => {
  const here = new RateLimiterRedis({ storeClient: redis, keyPrefix: 'limit:login', ...HERE });
  const anywhere = new RateLimiterRedis({ storeClient: redis, keyPrefix: 'limit:account', ...ANYWHERE });
  const keyHere = ({ email, address }: Attempt): string => `${address}|${email}`;
  const count = async (limiter: RateLimiterRedis, key: string): Promise<void> => {
    await limiter.consume(key).catch((refusal: unknown) => {
      if (!(refusal instanceof RateLimiterRes)) throw createError('session.unavailable', { cause: refusal });
    });
  };
  return {
    assertOpen: async (attempt) => {
      const found = await Promise.all([here.get(keyHere(attempt)), anywhere.get(attempt.email)]).catch(
        (cause: unknown) => {
          throw createError('session.unavailable', { cause });
        },
      );
      const wait = Math.max(blockedFor(found[0], HERE.points), blockedFor(found[1], ANYWHERE.points));
      if (wait > 0) throw createError('request.rate_limited', { retryAfterSeconds: wait });
    },
    countFailure: async (attempt) => {
      await Promise.all([count(here, keyHere(attempt)), count(anywhere, attempt.email)]);
    },
    forgive: async (attempt) => {
      await Promise.all([here.delete(keyHere(attempt)), anywhere.delete(attempt.email)]).catch(
        () => undefined,
      );
    },
  };
};
