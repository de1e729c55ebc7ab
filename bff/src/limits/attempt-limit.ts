import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import { toAppError } from '@shortlist/kit/http/respond';
import { createError } from '@shortlist/kit/process/errors';
import ipaddr, { type IPv6 } from 'ipaddr.js';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export type AttemptLimit = {
  /**
   * Counts an attempt before its work begins, in one step with the comparison: attempts at the same moment cannot pass together.
   * Throws `request.rate_limited` beyond the limit.
   */
  consume: (key: string) => Promise<void>;
  /** Counts an attempt as `consume` does, and returns whether it is within the limit. */
  pass: (key: string) => Promise<boolean>;
  /** Takes back an attempt that must not count. */
  refund: (key: string) => Promise<void>;
  /** Forgets all attempts of this key. */
  clear: (key: string) => Promise<void>;
};

/** How many attempts pass within `windowMs`. */
export type LimitSize = {
  attempts: number;
  windowMs: number;
  /** Holds each refusal back for this time, so that a client which repeats refused attempts at once cannot fill the process. */
  holdMs?: number;
};

type Settings = LimitSize & {
  name: string;
  /** Without Redis, attempts are refused as `session.unavailable` or pass unlimited. */
  withoutRedis: 'refuse' | 'allow';
};

/** For limits of a network: further attempts of one that is over its limit cost the others less (`make bench b=flood`). */
export const NETWORK_HOLD_MS = 1_000;
/** Refusals that wait at the same time. Beyond it they are sent at once, since each keeps a connection open. */
const WAITING_MAX = 2_000;

/** Returns a function that waits, unless too many wait already. */
const createHold = (ms: number): (() => Promise<void>) => {
  let waiting = 0;
  return async () => {
    if (ms === 0 || waiting >= WAITING_MAX) return;
    waiting += 1;
    await sleep(ms, undefined, { ref: false });
    waiting -= 1;
  };
};

export const createAttemptLimit = (
  redis: Redis,
  { name, attempts, windowMs, withoutRedis, holdMs = 0 }: Settings,
): AttemptLimit => {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `limit:${name}`,
    points: attempts,
    duration: inSeconds(windowMs),
  });
  const hold = createHold(holdMs);
  const refuse = async (waitMs: number): Promise<never> => {
    await hold();
    throw createError('request.rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  };
  const ignoreFailure = (): undefined => undefined; // the count expires by itself
  /** Returns the time until the next attempt; 0 for one within the limit. */
  const count = async (key: string): Promise<number> => {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
      if (withoutRedis === 'refuse') throw createError('session.unavailable', { cause: refusal });
    }
    return 0;
  };
  return {
    consume: async (key) => {
      const waitMs = await count(key);
      if (waitMs > 0) await refuse(waitMs);
    },
    pass: async (key) => (await count(key)) === 0,
    refund: async (key) => {
      await limiter.reward(key).catch(ignoreFailure);
    },
    clear: async (key) => {
      await limiter.delete(key).catch(ignoreFailure);
    },
  };
};

/**
 * Counts the error of a client without a session if it refuses the request as such. Returns the error to respond with: the same, or
 * `request.rate_limited` beyond the limit, after a pause.
 *
 * It limits refusals alone, after they are decided. Many people may share a network: one who floods it with broken requests must not
 * keep the others from logging in, so a request that is in order passes, whatever the network has sent before. This is enough because a
 * refusal costs no more than a request that is in order: the limit is there to slow the flood down, and to show it.
 */
export type RefusalLimit = (cause: unknown, address: string) => Promise<unknown>;

/** What no page of ours causes often: the pages validate their forms, and know their host. */
const COUNTED = new Set<string>([
  'request.invalid',
  'request.malformed',
  'request.too_many_parameters',
  'request.too_large',
  'request.length_missing',
  'request.unsupported_type',
  'request.unsupported_charset',
  'request.wrong_host',
  'request.cross_site',
  'identity.login_invalid',
]);

export const createRefusalLimit = (redis: Redis, perMinute: number): RefusalLimit => {
  const limit = createAttemptLimit(redis, {
    name: 'refusals',
    attempts: perMinute,
    windowMs: minutes(1),
    withoutRedis: 'allow',
    holdMs: NETWORK_HOLD_MS,
  });
  return async (cause, address) => {
    if (!COUNTED.has(toAppError(cause).code)) return cause;
    return limit.consume(networkOf(address)).then(
      () => cause,
      (beyond: unknown) => beyond,
    );
  };
};

/** Names an email address in a key of Redis, which must not contain the address itself. */
export const emailKey = (email: string): string => hash('sha256', email, 'base64url');

/** ada+1@ and ada+2@ are two addresses of the mailbox ada@. */
const mailboxOf = (email: string): string => email.replace(/\+[^@]*(?=@)/, '');

export const isAlias = (email: string): boolean => mailboxOf(email) !== email;

/** Names the mailbox of an address, which is one for all its aliases. */
export const mailboxKey = (email: string): string => emailKey(mailboxOf(email));

/** The network part: an IPv6 client usually has a whole /64 to itself and can change the rest for each request. */
const COUNTED_BITS = 64;

const parse = (address: string) => (ipaddr.isValid(address) ? ipaddr.process(address) : null);

const networkOfIpv6 = (address: IPv6, bits: number): string =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${new ipaddr.IPv6(address.parts).toString()}/${bits}`).toString()}/${bits}`;

/** What a rate limit counts as one client: an IPv4 address, or the /64 of an IPv6 address. */
export const networkOf = (address: string): string => {
  const parsed = parse(address);
  if (parsed === null) return address;
  return parsed instanceof ipaddr.IPv6 ? networkOfIpv6(parsed, COUNTED_BITS) : parsed.toString();
};

/** What is stored of an IPv6 address: the network of a provider's customer, at most. */
const STORED_BITS = 48;

/** What is stored of a client's address: the /24 of an IPv4 address, the /48 of an IPv6 address. Neither names one client. */
export const storedNetworkOf = (address: string): string => {
  const parsed = parse(address);
  if (parsed === null) return '';
  if (parsed instanceof ipaddr.IPv6) return networkOfIpv6(parsed, STORED_BITS);
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/24`).toString()}/24`;
};
