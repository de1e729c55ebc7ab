import type { Redis } from '@shortlist/kit/data/redis';
import { createAttemptLimit, NETWORK_HOLD_MS } from './attempt-limit.ts';
import { emailKey, isAlias, mailboxKey } from './email-key.ts';
import { networkOf } from './network.ts';

export type SignupLimits = {
  /** Counts a request of a network, before its form is read. Throws `request.rate_limited`. */
  consumeNetwork: (address: string) => Promise<void>;
  /** Counts a sign-up with an address, then runs it; one that fails does not count. Throws `request.rate_limited`. */
  countAddress: <T>(email: string, signUp: () => Promise<T>) => Promise<T>;
};

const HOUR = 60 * 60;
/** Sign-ups with one address, and with the aliases of one mailbox: far more than one person needs. */
const PER_ADDRESS = { attempts: 20, seconds: 24 * HOUR };

/**
 * Limits the accounts, and with them the hashes and mails, that one network (`perHour`) and one mailbox can cause, since a sign-up
 * needs no proof that the mailbox is one's own. Aliases have a count of their own: others who use it up do not keep the owner from
 * signing up with the address itself. Without Redis there is no limit: a sign-up needs no session and goes through.
 */
export const createSignupLimits = (redis: Redis, perHour: number): SignupLimits => {
  const limitOf = (name: string, settings: { attempts: number; seconds: number; holdMs?: number }) =>
    createAttemptLimit(redis, { name, ...settings, withoutRedis: 'allow' });
  const perNetwork = limitOf('signup-network', { attempts: perHour, seconds: HOUR, holdMs: NETWORK_HOLD_MS });
  const perAddress = limitOf('signup', PER_ADDRESS);
  const perAliases = limitOf('signup-aliases', PER_ADDRESS);
  return {
    consumeNetwork: (address) => perNetwork.consume(networkOf(address)),
    countAddress: async (email, signUp) => {
      const [limit, key] = isAlias(email) ? [perAliases, mailboxKey(email)] : [perAddress, emailKey(email)];
      await limit.consume(key);
      try {
        return await signUp();
      } catch (error) {
        await limit.refund(key);
        throw error;
      }
    },
  };
};
