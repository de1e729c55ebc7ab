import { days, hours, inSeconds, minutes, seconds } from '@shortlist/contracts/durations';
import { defineScript, type Redis } from '@shortlist/kit/data/redis';
import { createError } from '@shortlist/kit/process/errors';
import { createAttemptLimit, emailKey, type LimitSize, NETWORK_HOLD_MS, networkOf } from './attempt-limit.ts';

// How long unknown clients wait after failed log-ins of one account, counted over all networks. The first ten failures cost nothing.
// Each further one doubles the wait: 1, 2, 4, … seconds, up to a quarter of an hour. After a hundred in a row the account takes
// no log-in of an unknown client for a day. A day without an attempt, a success, or a new password starts the count again.
// A client that has logged in to the account before is not unknown (device-cookie.ts) and never waits for the failures of others.

const FREE_FAILURES = 10;
const LONGEST_WAIT_SECONDS = inSeconds(minutes(15));
export const MOST_FAILURES = 100;

/** The failure with which the wait reaches its full length: the user is notified that the account is locked. */
export const LOCKING_FAILURE = 20;

/** Seconds until the next attempt after this many failures in a row. */
export const waitAfter = (failures: number): number => {
  if (failures < FREE_FAILURES) return 0;
  if (failures >= MOST_FAILURES) return inSeconds(days(1));
  return Math.min(LONGEST_WAIT_SECONDS, 2 ** (failures - FREE_FAILURES));
};

type AccountDelay = {
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

const WAITS_MS = Array.from({ length: MOST_FAILURES }, (_, index) => seconds(waitAfter(index + 1)));

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
const createAccountDelay = (redis: Redis): AccountDelay => {
  const consume = defineScript<[number, number]>(redis, 'countLoginFailure', { keys: 1, lua: CONSUME });
  const refund = defineScript<number>(redis, 'refundLoginFailure', { keys: 1, lua: REFUND });
  const ignoreFailure = (): undefined => undefined; // the count expires by itself
  return {
    consume: async (email) => {
      const [failures, waitMs] = await consume([failuresKey(email)], [days(1), ...WAITS_MS]).catch(
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
const FROM_DEVICE = { attempts: 10, windowMs: minutes(15) };

/**
 * The limits of log-ins. `perMinute` attempts of one network pass, successful ones included, which is far fewer than the queue of
 * hashes holds: a single network cannot fill the queue that all log-ins share. A success of a known client leaves the wait of
 * unknown ones as it is: each visit of the user would give an attacker new attempts.
 */
export const createLoginLimits = (redis: Redis, perMinute: number): LoginLimits => {
  const limitOf = (name: string, size: LimitSize) =>
    createAttemptLimit(redis, { name, ...size, withoutRedis: 'refuse' });
  const networkLimitOf = (name: string, size: LimitSize) =>
    createAttemptLimit(redis, { name, ...size, withoutRedis: 'refuse', holdMs: NETWORK_HOLD_MS });
  const flood = networkLimitOf('login-flood', { attempts: perMinute, windowMs: minutes(1) });
  // Passwords are tried on many accounts once as well as on one account often: in an hour, two minutes' worth of failures. Known clients
  // do not count: each tries one account, and failures of others in its network do not keep it out.
  const sprayed = networkLimitOf('login-network', { attempts: 2 * perMinute, windowMs: hours(1) });
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
