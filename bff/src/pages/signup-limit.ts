import { createError } from '@shortlist/kit/process/errors';
import type { Redis } from '@shortlist/kit/data/redis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

export type SignupLimit = {
  /** Throws `request.rate_limited` when this mailbox has been signed up too often. */
  assertOpen: (email: string) => Promise<void>;
  count: (email: string) => Promise<void>;
};

/** Far more than one person needs. */
const MAILBOX = { points: 20, duration: 60 * 60 };

/** ada+1@ and ada+2@ are two accounts and one mailbox. */
const mailboxOf = (email: string): string => email.replace(/\+[^@]*(?=@)/, '');

/**
 * Whoever signs up is written to, so nobody may fill a stranger's mailbox by signing it up again and again. What counts is sign-ups
 * that succeed. Without Redis there is no limit: signing up needs no session, and goes on.
 */
export const createSignupLimit = (redis: Redis): SignupLimit => {
  const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix: 'limit:signup', ...MAILBOX });
  return {
    assertOpen: async (email) => {
      const found = await limiter.get(mailboxOf(email)).catch(() => null);
      if (found !== null && found.consumedPoints >= MAILBOX.points)
        throw createError('request.rate_limited', {
          retryAfterSeconds: Math.ceil(found.msBeforeNext / 1000),
        });
    },
    count: async (email) => {
      await limiter.consume(mailboxOf(email)).catch(() => undefined);
    },
  };
};
