import type { Redis } from '@shortlist/kit/data/redis';
import { type AttemptLimit, createAttemptLimit } from './attempt-limit.ts';
import { networkOf } from './network.ts';

export type Attempt = { email: string; address: string };
export type LoginLimits = {
  /** Counts an attempt before its password is hashed. Throws `request.rate_limited`; the response is the same for unknown accounts. */
  consume: (attempt: Attempt) => Promise<void>;
  /** After a successful log-in: clears the failures of the account, and takes this attempt back from those of the network. */
  succeeded: (attempt: Attempt) => Promise<void>;
  /** After a reset of the password: clears the failures of the account. */
  unlock: (attempt: Attempt) => Promise<void>;
  /** After an attempt that compared no password: takes it back. */
  refund: (attempt: Attempt) => Promise<void>;
};

/** Failures of one account: ten a minute from one network, a hundred in a quarter of an hour from all. */
const FROM_NETWORK = { attempts: 10, seconds: 60 };
const FROM_ALL = { attempts: 100, seconds: 900 };
const MINUTE = 60;
const HOUR = 3_600;

type Counted = { limit: AttemptLimit; keyOf: (attempt: Attempt) => string };

/**
 * The limits of log-ins. `perMinute` attempts of one network pass, successful ones included, which is far fewer than the queue of
 * hashes holds: a single network cannot fill the queue that all log-ins share.
 */
export const createLoginLimits = (redis: Redis, perMinute: number): LoginLimits => {
  const limitOf = (name: string, settings: { attempts: number; seconds: number }): AttemptLimit =>
    createAttemptLimit(redis, { name, ...settings, withoutRedis: 'refuse' });
  const flood = limitOf('login-flood', { attempts: perMinute, seconds: MINUTE });
  const sprayed: Counted = {
    // Passwords are tried on many accounts once as well as on one account often: in an hour, two minutes' worth of failures.
    limit: limitOf('login-network', { attempts: 2 * perMinute, seconds: HOUR }),
    keyOf: ({ address }) => networkOf(address),
  };
  const ofAccount: Counted[] = [
    {
      limit: limitOf('login', FROM_NETWORK),
      keyOf: ({ email, address }) => `${networkOf(address)}|${email}`,
    },
    { limit: limitOf('account', FROM_ALL), keyOf: ({ email }) => email },
  ];
  const failures = [sprayed, ...ofAccount];
  const unlock = async (attempt: Attempt): Promise<void> => {
    await Promise.all(ofAccount.map(({ limit, keyOf }) => limit.clear(keyOf(attempt))));
  };
  return {
    unlock,
    consume: async (attempt) => {
      await flood.consume(networkOf(attempt.address));
      // One after the other: an attempt that a narrow limit refuses does not count against the account from all networks.
      for (const { limit, keyOf } of failures) await limit.consume(keyOf(attempt));
    },
    succeeded: async (attempt) => {
      await Promise.all([sprayed.limit.refund(sprayed.keyOf(attempt)), unlock(attempt)]);
    },
    refund: async (attempt) => {
      await Promise.all(failures.map(({ limit, keyOf }) => limit.refund(keyOf(attempt))));
    },
  };
};
