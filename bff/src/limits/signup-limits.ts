import type { Redis } from '@shortlist/kit/data/redis';
import { createAttemptLimit, NETWORK_HOLD_MS } from './attempt-limit.ts';
import { emailKey } from './email-key.ts';
import { networkOf } from './network.ts';

export type SignupLimits = {
  /** Counts a request of a network, before its form is read. Throws `request.rate_limited`. */
  consumeNetwork: (address: string) => Promise<void>;
  /** Counts a sign-up of a mailbox, then runs it; one that fails does not count. Throws `request.rate_limited`. */
  countMailbox: <T>(email: string, signUp: () => Promise<T>) => Promise<T>;
};

const HOUR = 60 * 60;
/** Sign-ups of one mailbox: far more than one person needs. */
const PER_MAILBOX = { attempts: 20, seconds: 24 * HOUR };

/** ada+1@ and ada+2@ are two accounts with one mailbox. */
const mailboxOf = (email: string): string => email.replace(/\+[^@]*(?=@)/, '');

/**
 * Limits the accounts, and with them the hashes and mails, that one network (`perHour`) and one mailbox can cause, since a sign-up
 * needs no proof that the mailbox is one's own. Without Redis there is no limit: a sign-up needs no session and goes through.
 */
export const createSignupLimits = (redis: Redis, perHour: number): SignupLimits => {
  const limitOf = (name: string, settings: { attempts: number; seconds: number; holdMs?: number }) =>
    createAttemptLimit(redis, { name, ...settings, withoutRedis: 'allow' });
  const perNetwork = limitOf('signup-network', { attempts: perHour, seconds: HOUR, holdMs: NETWORK_HOLD_MS });
  const perMailbox = limitOf('signup', PER_MAILBOX);
  return {
    consumeNetwork: (address) => perNetwork.consume(networkOf(address)),
    countMailbox: async (email, signUp) => {
      const mailbox = emailKey(mailboxOf(email));
      await perMailbox.consume(mailbox);
      try {
        return await signUp();
      } catch (error) {
        await perMailbox.refund(mailbox);
        throw error;
      }
    },
  };
};
