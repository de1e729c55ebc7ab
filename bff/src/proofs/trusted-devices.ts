// A device that skips the second step has a cookie with a random value, which scripts cannot read; Redis has its hash, with where it was
// given, so that the user sees and removes it. It is worth nothing after a change of the password or of a factor, and after signing
// out everywhere, which change the fingerprint of the account. A browser can be trusted by several accounts.
import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SignInOrigin } from '@shortlist/contracts/api/sessions';
import { days } from '@shortlist/contracts/durations';
import { TRUSTED_DEVICE_DAYS } from '@shortlist/contracts/limits';
import type { Redis } from '@shortlist/kit/data/redis';
import type { Clock } from '@shortlist/kit/process/clock';
import { keysOfUser, withAvailability } from '../session/session.ts';
import { defineListCookie } from '../session/cookie.ts';

type Exchange = { request: IncomingMessage; response: ServerResponse };
/** `fingerprint`: that of the account now (`AccountFactors`). */
type Account = { userId: string; fingerprint: string };
/** Times are in ms since the epoch. */
export type TrustedDevice = Pick<SignInOrigin, 'browser' | 'system' | 'place'> & {
  id: string;
  since: number;
  ends: number;
};
type Stored = TrustedDevice & { fingerprint: string };

export type TrustedDevices = {
  isTrusted: (request: IncomingMessage, account: Account) => Promise<boolean>;
  trust: (exchange: Exchange, account: Account, origin: SignInOrigin) => Promise<void>;
  /** Those that skip the second step now, the newest first. */
  list: (account: Account) => Promise<TrustedDevice[]>;
  /** Returns false when the account has no such device. */
  remove: (userId: string, id: string) => Promise<boolean>;
};

const LIFETIME_MS = days(TRUSTED_DEVICE_DAYS);
const VALUE = /^[A-Za-z0-9_-]{43}$/;
/** Accounts of one browser, and devices of one account: the ones trusted last stay. */
const ACCOUNTS_MAX = 5;
const DEVICES_MAX = 20;

const nameOf = (value: string): string => hash('sha256', value, 'base64url');

type Store = { redis: Redis; clock: Clock };

/** The devices of an account by the names of their values, without those that have ended. */
const readDevices = async ({ redis, clock }: Store, userId: string): Promise<Map<string, Stored>> => {
  const fields = await withAvailability(redis.hgetall(keysOfUser(userId).trustedDevices));
  const devices = Object.entries(fields).map(([name, json]) => [name, JSON.parse(json) as Stored] as const);
  return new Map(devices.filter(([, { ends }]) => ends > clock().getTime()));
};

/** Removes what has ended, and the oldest beyond the limit, so that the list of an account stays short. */
const prune = async (store: Store, userId: string, fingerprint: string): Promise<void> => {
  const key = keysOfUser(userId).trustedDevices;
  const current = [...(await readDevices(store, userId))]
    .filter(([, device]) => device.fingerprint === fingerprint)
    .toSorted(([, a], [, b]) => b.since - a.since)
    .slice(0, DEVICES_MAX)
    .map(([name]) => name);
  const names = await withAvailability(store.redis.hkeys(key));
  const ended = names.filter((name) => !current.includes(name));
  if (ended.length > 0) await withAvailability(store.redis.hdel(key, ...ended));
};

export const createTrustedDevices = (store: Store, publicUrl: string): TrustedDevices => {
  const { redis, clock } = store;
  const cookie = defineListCookie({
    name: 'trusted',
    publicUrl,
    sameSite: 'Strict',
    pattern: VALUE,
    max: ACCOUNTS_MAX,
    lifetimeMs: LIFETIME_MS,
  });

  return {
    isTrusted: async (request, { userId, fingerprint }) => {
      const values = cookie.read(request);
      if (values.length === 0) return false;
      const devices = await readDevices(store, userId);
      return values.some((value) => devices.get(nameOf(value))?.fingerprint === fingerprint);
    },
    trust: async ({ request, response }, { userId, fingerprint }, { browser, system, place }) => {
      const value = randomBytes(32).toString('base64url');
      const since = clock().getTime();
      const device: Stored = {
        id: randomUUID(),
        browser,
        system,
        place,
        since,
        ends: since + LIFETIME_MS,
        fingerprint,
      };
      const key = keysOfUser(userId).trustedDevices;
      const commands = redis
        .multi()
        .hset(key, nameOf(value), JSON.stringify(device))
        .pexpire(key, LIFETIME_MS);
      await withAvailability(commands.exec());
      await prune(store, userId, fingerprint);
      cookie.set(response, [value, ...cookie.read(request)]);
    },
    list: async ({ userId, fingerprint }) =>
      [...(await readDevices(store, userId)).values()]
        .filter((device) => device.fingerprint === fingerprint)
        .map(({ fingerprint: _, ...device }) => device)
        .toSorted((a, b) => b.since - a.since),
    remove: async (userId, id) => {
      const [name] = [...(await readDevices(store, userId))].find(([, device]) => device.id === id) ?? [];
      if (name === undefined) return false;
      await withAvailability(redis.hdel(keysOfUser(userId).trustedDevices, name));
      return true;
    },
  };
};
