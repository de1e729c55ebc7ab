import { RESEND_PAUSE_SECONDS, RESENDS_PER_DAY } from '@shortlist/contracts/limits';
import type { Redis } from '@shortlist/kit/data/redis';
import { createAttemptLimit } from './attempt-limit.ts';

/** Counts a user's request for another mail. Throws `request.rate_limited` during the pause, and beyond the number of a day. */
export type ResendLimits = { consume: (userId: string) => Promise<void> };

const DAY = 24 * 60 * 60;

export const createResendLimits = (redis: Redis): ResendLimits => {
  const limitOf = (name: string, settings: { attempts: number; seconds: number }) =>
    createAttemptLimit(redis, { name, ...settings, withoutRedis: 'refuse' });
  const pause = limitOf('resend-pause', { attempts: 1, seconds: RESEND_PAUSE_SECONDS });
  const daily = limitOf('resend-day', { attempts: RESENDS_PER_DAY, seconds: DAY });
  return {
    consume: async (userId) => {
      await pause.consume(userId);
      await daily.consume(userId);
    },
  };
};
