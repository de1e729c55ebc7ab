import { defineScript, type Redis } from '@shortlist/kit/data/redis';
import { createError } from '@shortlist/kit/process/errors';
import { MOST_FAILURES, waitAfter } from './login-delay.rules.ts';
import { emailKey } from './email-key.ts';

export type AccountDelay = {
  /**
   * Counts an attempt as a failure before its work begins, in one step with the wait that it causes. Returns how many failures in a
   * row there are. Throws `request.rate_limited` during a wait.
   */
  consume: (email: string) => Promise<number>;
  /** Takes an attempt back that compared no password. */
  refund: (email: string) => Promise<void>;
  /** Forgets all failures. */
  clear: (email: string) => Promise<void>;
};

const DAY_MS = 24 * 60 * 60 * 1000;
const WAITS_MS = Array.from({ length: MOST_FAILURES }, (_, index) => 1000 * waitAfter(index + 1));

// In Redis' time, which all processes share. ARGV: how long the count is kept, then the wait after each failure.
const CONSUME = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local waits_until = tonumber(redis.call('HGET', KEYS[1], 'until') or '0')
if waits_until > now then return {0, waits_until - now} end
local failures = redis.call('HINCRBY', KEYS[1], 'failures', 1)
local wait = tonumber(ARGV[1 + math.min(failures, #ARGV - 1)])
redis.call('HSET', KEYS[1], 'until', now + wait)
redis.call('PEXPIRE', KEYS[1], math.max(wait, tonumber(ARGV[1])))
return {failures, 0}`;

const REFUND = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[1], 'until')
return redis.call('HINCRBY', KEYS[1], 'failures', -1)`;

/** Redis stores no address. */
export const failuresKey = (email: string): string => `login-failures:${emailKey(email)}`;

/** The growing wait of unknown clients after failed log-ins of one account, existing or not. */
export const createAccountDelay = (redis: Redis): AccountDelay => {
  const consume = defineScript<[number, number]>(redis, 'countLoginFailure', { keys: 1, lua: CONSUME });
  const refund = defineScript<number>(redis, 'refundLoginFailure', { keys: 1, lua: REFUND });
  const ignoreFailure = (): undefined => undefined; // the count expires by itself
  return {
    consume: async (email) => {
      const [failures, waitMs] = await consume([failuresKey(email)], [DAY_MS, ...WAITS_MS]).catch(
        (cause: unknown) => {
          throw createError('session.unavailable', { cause });
        },
      );
      if (failures === 0)
        throw createError('request.rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
      return failures;
    },
    refund: async (email) => {
      await refund([failuresKey(email)], []).catch(ignoreFailure);
    },
    clear: async (email) => {
      await redis.del(failuresKey(email)).catch(ignoreFailure);
    },
  };
};
