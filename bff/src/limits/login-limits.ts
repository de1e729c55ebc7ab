// How long unknown clients wait after failed log-ins of one account, counted over all networks. The first ten failures cost nothing.
// Each further one doubles the wait: 1, 2, 4, … seconds, up to a quarter of an hour. After a hundred in a row the account takes
// no log-in of an unknown client for a day. A day without an attempt, a success, or a new password starts the count again.
// A client that has logged in to the account before is not unknown (its device cookie, below) and never waits for the failures of others.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { days, hours, inSeconds, minutes, seconds } from '@shortlist/contracts/durations';
import { defineScript, type Redis } from '@shortlist/kit/data/redis';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { createSigner } from '@shortlist/kit/http/signer';
import { defineListCookie } from '../session/credentials.ts';
import { withAvailability } from '../session/session.ts';
import { createAttemptLimit, emailKey, type LimitSize, NETWORK_HOLD_MS, networkOf } from './attempt-limit.ts';

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
  /** Takes back an attempt that compared no password. */
  refund: (email: string) => Promise<void>;
  /** Forgets all failures. */
  clear: (email: string) => Promise<void>;
  waitsUntil: (email: string) => Promise<Date>;
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
    waitsUntil: async (email) =>
      new Date(Number((await withAvailability(redis.hget(failuresKey(email), 'until'))) ?? 0)),
  };
};

/** `device`: the name of a client that has logged in to this account before, from its device cookie. */
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
  /** Until when unknown clients have to wait; null without a wait. */
  lockedUntil: (email: string, now: Date) => Promise<Date | null>;
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
    lockedUntil: async (email, now) => {
      const until = await unknown.waitsUntil(email);
      return until > now ? until : null;
    },
    refund: async ({ email, address, device = null }) => {
      if (device !== null) return known.refund(device);
      await Promise.all([sprayed.refund(networkOf(address)), unknown.refund(email)]);
    },
  };
};

// A client that has logged in to an account here before has a device cookie for it and is not held up when others fail to
// (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies). The cookie has one entry for each account:
// the day, the count of new passwords that the account has had, a random name, and an HMAC over these and the account's address, from
// which the account cannot be read. The name stays the same for each log-in of the device: it has one count of wrong passwords.

/** A client as an account knows it. `passwords`: how many new passwords ended the cookies of the account. */
export type Client = { name: string | null; passwords: number };

export type DeviceCookie = {
  /** This client, with a name if it has logged in to the account here in the last year, and its password is still the same. */
  read: (request: IncomingMessage, email: string) => Promise<Client>;
  /** The name of this client for the account; null for an unknown one. */
  find: (request: IncomingMessage, email: string) => Promise<string | null>;
  /**
   * Gives the client a year, and a name if it has none. `client` is read before the log-in is proved, so that a new password meanwhile
   * ends this cookie too.
   */
  renew: (exchange: Exchange, email: string, client: Client) => void;
  /** After a new password: ends the cookies of the account. */
  endAll: (email: string) => Promise<void>;
};

type Exchange = { request: IncomingMessage; response: ServerResponse };
type Settings = { redis: Redis; keys: readonly string[]; publicUrl: string; clock: Clock };
type Entry = { day: string; passwords: string; name: string };

const ENTRY = /^(\d{5})\.(\d{1,9})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;
const YEAR_DAYS = 365;
/** Accounts of one browser; the one used last comes first. */
const ENTRIES_MAX = 5;

/** Redis stores no address. */
const passwordsKey = (email: string): string => `new-passwords:${emailKey(email)}`;

/** Makes and reads the entries of the cookie. */
const createEntries = ({ keys, clock }: Pick<Settings, 'keys' | 'clock'>) => {
  const signer = createSigner(keys, 'device cookie');
  const today = (): number => Math.floor(clock().getTime() / days(1));
  const signedText = ({ day, passwords, name }: Entry, email: string): string =>
    `${day}.${passwords}.${name}.${email}`;
  return {
    /** The entry if it is one of this account, less than a year old. */
    open: (text: string, email: string): Entry | null => {
      const [, day = '', passwords = '', name = '', mac = ''] = ENTRY.exec(text) ?? [];
      const entry = { day, passwords, name };
      const isValid = signer.verify(signedText(entry, email), mac) && today() - Number(day) <= YEAR_DAYS;
      return isValid ? entry : null;
    },
    make: (name: string, passwords: number, email: string): string => {
      const entry = { day: String(today()), passwords: String(passwords), name };
      return `${entry.day}.${entry.passwords}.${name}.${signer.sign(signedText(entry, email))}`;
    },
  };
};

export const createDeviceCookie = ({ redis, publicUrl, ...settings }: Settings): DeviceCookie => {
  const cookie = defineListCookie({
    name: 'device',
    publicUrl,
    sameSite: 'lax',
    pattern: ENTRY,
    max: ENTRIES_MAX,
    lifetimeMs: days(YEAR_DAYS),
  });
  const entries = createEntries(settings);

  const read: DeviceCookie['read'] = async (request, email) => {
    const passwords = Number((await withAvailability(redis.get(passwordsKey(email)))) ?? 0);
    const known = cookie
      .read(request)
      .map((text) => entries.open(text, email))
      .find((entry) => entry !== null && Number(entry.passwords) === passwords);
    return { name: known?.name ?? null, passwords };
  };

  return {
    read,
    find: async (request, email) => (await read(request, email)).name,
    renew: ({ request, response }, email, { name, passwords }) => {
      const others = cookie.read(request).filter((text) => entries.open(text, email) === null);
      const renewed = entries.make(name ?? randomBytes(16).toString('base64url'), passwords, email);
      cookie.set(response, [renewed, ...others]);
    },
    endAll: async (email) => {
      const key = passwordsKey(email);
      await withAvailability(redis.multi().incr(key).pexpire(key, days(YEAR_DAYS)).exec());
    },
  };
};
