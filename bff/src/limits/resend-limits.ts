import { RESEND_PAUSE_SECONDS, RESENDS_PER_DAY } from '@shortlist/contracts/limits';
import type { Redis } from '@shortlist/kit/data/redis';
import { createAttemptLimit } from './attempt-limit.ts';

export type ResendLimits = {
  /** Counts a user's request for another mail. Throws `request.rate_limited` during the pause, and beyond the number of a day. */
  consume: (userId: string) => Promise<void>;
  /** Takes a request back that has caused no mail. */
  refund: (userId: string) => Promise<void>;
};

const DAY = 24 * 60 * 60;

/** `kind` of mails: each has limits of its own. */
export const createResendLimits = (redis: Redis, kind: 'resend' | 'email-change'): ResendLimits => {
  const limitOf = (name: string, settings: { attempts: number; seconds: number }) =>
    createAttemptLimit(redis, { name, ...settings, withoutRedis: 'refuse' });
  const pause = limitOf(`${kind}-pause`, { attempts: 1, seconds: RESEND_PAUSE_SECONDS });
  const daily = limitOf(`${kind}-day`, { attempts: RESENDS_PER_DAY, seconds: DAY });
  return {
    consume: async (userId) => {
      await pause.consume(userId);
      await daily.consume(userId);
    },
    refund: async (userId) => {
      await Promise.all([pause.refund(userId), daily.refund(userId)]);
    },
  };
};
