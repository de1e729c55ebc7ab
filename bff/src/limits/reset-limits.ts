import type { Redis } from '@shortlist/kit/data/redis';
import { createAttemptLimit, NETWORK_HOLD_MS } from './attempt-limit.ts';
import { emailKey } from './email-key.ts';
import { networkOf } from './network.ts';

export type ResetLimits = {
  /** Counts a request for a link. Throws `request.rate_limited`, for an address without an account as well. */
  consumeRequest: (attempt: { email: string; address: string }) => Promise<void>;
  /** Takes a request back that has caused no mail. */
  refundRequest: (attempt: { email: string; address: string }) => Promise<void>;
  /** Counts the use of a link, valid or not. */
  consumeUse: (address: string) => Promise<void>;
};

const HOUR = 60 * 60;
/** Mails with a link to one address in an hour. */
const PER_EMAIL = 5;
/** Uses of links by one network in a minute. A token cannot be guessed; this limits the work. */
const USES = { attempts: 30, seconds: 60, holdMs: NETWORK_HOLD_MS };

/** Limits the mails that one network (`perHour`) and one address can cause. */
export const createResetLimits = (redis: Redis, perHour: number): ResetLimits => {
  const limitOf = (name: string, settings: { attempts: number; seconds: number; holdMs?: number }) =>
    createAttemptLimit(redis, { name, ...settings, withoutRedis: 'refuse' });
  const perNetwork = limitOf('reset-network', { attempts: perHour, seconds: HOUR, holdMs: NETWORK_HOLD_MS });
  const perEmail = limitOf('reset', { attempts: PER_EMAIL, seconds: HOUR });
  const uses = limitOf('reset-use', USES);
  return {
    consumeRequest: async ({ email, address }) => {
      await perNetwork.consume(networkOf(address));
      await perEmail.consume(emailKey(email));
    },
    refundRequest: async ({ email, address }) => {
      await Promise.all([perNetwork.refund(networkOf(address)), perEmail.refund(emailKey(email))]);
    },
    consumeUse: (address) => uses.consume(networkOf(address)),
  };
};
