import type { Redis } from '@shortlist/kit/data/redis';
import { createError } from '@shortlist/kit/process/errors';
import { RateLimiterRedis } from 'rate-limiter-flexible';

export type SignupLimit = {
  /** Throws `request.rate_limited` when this mailbox has been signed up too often. */
  assertBelow: (email: string) => Promise<void>;
  count: (email: string) => Promise<void>;
};

/** Successful sign-ups of one mailbox in an hour: far more than one person needs. */
const PER_MAILBOX = { points: 20, duration: 60 * 60 };

/** ada+1@ and ada+2@ are two accounts with one mailbox. */
const mailboxOf = (email: string): string => email.replace(/\+[^@]*(?=@)/, '');

/**
 * Limits the mails that sign-ups send to one mailbox, since a sign-up needs no proof that the mailbox is one's own. Without
 * Redis there is no limit: a sign-up needs no session and goes through.
 */
export const createSignupLimit = (redis: Redis): SignupLimit => {
  const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix: 'limit:signup', ...PER_MAILBOX });
  return {
    assertBelow: async (email) => {
      const result = await limiter.get(mailboxOf(email)).catch(() => null);
      if (result !== null && result.consumedPoints >= PER_MAILBOX.points)
        throw createError('request.rate_limited', {
          retryAfterSeconds: Math.ceil(result.msBeforeNext / 1000),
        });
    },
    count: async (email) => {
      await limiter.consume(mailboxOf(email)).catch(() => undefined);
    },
  };
};
