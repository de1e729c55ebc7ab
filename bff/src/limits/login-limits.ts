import type { Redis } from '@shortlist/kit/data/redis';
import { createAccountDelay } from './account-delay.ts';
import { createAttemptLimit, NETWORK_HOLD_MS } from './attempt-limit.ts';
import { networkOf } from './network.ts';

/** `device`: the name of a client that has logged in to this account before (device-cookie.ts). */
export type Attempt = { email: string; address: string; device?: string | null };
export type LoginLimits = {
  /**
   * Counts an attempt before its password is hashed, and returns how many failures of unknown clients in a row that makes; 0 for a
   * known one. Throws `request.rate_limited`; the response is the same for unknown accounts.
   */
  consume: (attempt: Attempt) => Promise<number>;
  /** After a successful log-in: clears the failures, and takes this attempt back from those of the network. */
  succeeded: (attempt: Attempt) => Promise<void>;
  /** After a new password: clears the failures of unknown clients. */
  unlock: (email: string) => Promise<void>;
  /** After an attempt that compared no password: takes it back. */
  refund: (attempt: Attempt) => Promise<void>;
};

/** Failures of a known client: they count for it alone, so that no one else can lock it out. */
const FROM_DEVICE = { attempts: 10, seconds: 900 };
const MINUTE = 60;
const HOUR = 3_600;

/**
 * The limits of log-ins. `perMinute` attempts of one network pass, successful ones included, which is far fewer than the queue of
 * hashes holds: a single network cannot fill the queue that all log-ins share. A success of a known client leaves the wait of
 * unknown ones as it is: each visit of the user would give an attacker new attempts.
 */
export const createLoginLimits = (redis: Redis, perMinute: number): LoginLimits => {
  const limitOf = (name: string, settings: { attempts: number; seconds: number }) =>
    createAttemptLimit(redis, { name, ...settings, withoutRedis: 'refuse' });
  const networkLimitOf = (name: string, settings: { attempts: number; seconds: number }) =>
    createAttemptLimit(redis, { name, ...settings, withoutRedis: 'refuse', holdMs: NETWORK_HOLD_MS });
  const flood = networkLimitOf('login-flood', { attempts: perMinute, seconds: MINUTE });
  // Passwords are tried on many accounts once as well as on one account often: in an hour, two minutes' worth of failures. Known clients
  // do not count: each tries one account, and failures of others in its network do not keep it out.
  const sprayed = networkLimitOf('login-network', { attempts: 2 * perMinute, seconds: HOUR });
  const known = limitOf('login-device', FROM_DEVICE);
  const unknown = createAccountDelay(redis);
  return {
    consume: async ({ email, address, device = null }) => {
      await flood.consume(networkOf(address));
      if (device === null) {
        // One after the other: an attempt that the network's limit refuses does not count against the account.
        await sprayed.consume(networkOf(address));
        return unknown.consume(email);
      }
      await known.consume(device);
      return 0;
    },
    succeeded: async ({ email, address, device = null }) => {
      if (device !== null) return known.clear(device);
      await Promise.all([sprayed.refund(networkOf(address)), unknown.clear(email)]);
    },
    unlock: (email) => unknown.clear(email),
    refund: async ({ email, address, device = null }) => {
      if (device !== null) return known.refund(device);
      await Promise.all([sprayed.refund(networkOf(address)), unknown.refund(email)]);
    },
  };
};
