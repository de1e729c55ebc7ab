// Two-step verification is on while an account has an authenticator app: after the password it takes a code of the app, a recovery
// code or a passkey. A passkey alone does not turn it on, since a user who loses the device has no recovery codes. Where admins must
// have a second factor, a passkey is one: the password of an admin who has nothing else does not log in without it.
import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccountFactors } from '@shortlist/contracts/api/factors';
import type { ReauthenticationMethod, SecondFactorMethod } from '@shortlist/contracts/api/authentication';
import type { SignInOrigin } from '@shortlist/contracts/api/sessions';
import { days } from '@shortlist/contracts/durations';
import { SECOND_STEP_SECONDS, SECOND_STEP_TRIES, TRUSTED_DEVICE_DAYS } from '@shortlist/contracts/limits';
import { defineScript, type Redis } from '@shortlist/kit/data/redis';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { defineListCookie } from '../session/credentials.ts';
import { keysOfUser, type SessionRole, withAvailability } from '../session/session.ts';

export type AdminTwoStep = 'required' | 'optional';
type Account = { role: SessionRole; factors: AccountFactors };

const factorMethods = ({ totp, recoveryCodes, passkeys }: AccountFactors): SecondFactorMethod[] => [
  ...(totp ? (['totp'] as const) : []),
  ...(passkeys > 0 ? (['passkey'] as const) : []),
  ...(recoveryCodes > 0 ? (['recovery'] as const) : []),
];

/** The methods of which a log-in takes one after the password; none where the password is enough. */
export const secondStepOf = ({ role, factors }: Account, policy: AdminTwoStep): SecondFactorMethod[] => {
  const isRequired = role === 'admin' && policy === 'required';
  return factors.totp || isRequired ? factorMethods(factors) : [];
};

/** Whether an admin may only set up a second factor. */
export const mustSetUpFactor = ({ role, factors }: Account, policy: AdminTwoStep): boolean =>
  role === 'admin' && policy === 'required' && factorMethods(factors).length === 0;

/** The methods with which a user proves again who they are: those of the second step, or the password too where there is none. */
export const reauthenticationOf = (account: Account, policy: AdminTwoStep): ReauthenticationMethod[] => {
  const secondStep = secondStepOf(account, policy);
  return secondStep.length > 0 ? secondStep : ['password', ...factorMethods(account.factors)];
};

/** A log-in whose password was right. */
export type StoredFirstStep = {
  userId: string;
  email: string;
  role: SessionRole;
  methods: SecondFactorMethod[];
  /** That of the factors at the first step: a change of the password ends the log-in. */
  fingerprint: string;
};

export type Tickets = {
  /** Stores the first step of a log-in. The ticket is 256 random bits; Redis stores only its hash. */
  issue: (step: StoredFirstStep) => Promise<string>;
  /** Throws `session.second_step_ended` for an unknown, expired, used or spent ticket. */
  read: (ticket: string) => Promise<StoredFirstStep>;
  /** Counts a try before its code is compared, in one step with the comparison. Throws as `read`. Returns how many are left. */
  countTry: (ticket: string) => Promise<number>;
  /** Uses the ticket up. Throws as `read`: of two right codes at the same moment, one logs in. */
  close: (ticket: string) => Promise<void>;
};

const COUNT_TRY = `
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
return tonumber(ARGV[1]) - redis.call('HINCRBY', KEYS[1], 'tries', 1)`;

const ticketKey = (ticket: string): string => `second-step:${hash('sha256', ticket, 'base64url')}`;

const end = (): never => {
  throw createError('session.second_step_ended');
};

export const createTickets = (redis: Redis): Tickets => {
  const countTry = defineScript<number>(redis, 'countSecondStep', { keys: 1, lua: COUNT_TRY });
  return {
    issue: async (step) => {
      const ticket = randomBytes(32).toString('base64url');
      const key = ticketKey(ticket);
      const commands = redis
        .multi()
        .hset(key, 'step', JSON.stringify(step), 'tries', 0)
        .expire(key, SECOND_STEP_SECONDS);
      await withAvailability(commands.exec());
      return ticket;
    },
    read: async (ticket) => {
      const step = await withAvailability(redis.hget(ticketKey(ticket), 'step'));
      return step === null ? end() : (JSON.parse(step) as StoredFirstStep);
    },
    countTry: async (ticket) => {
      const left = await withAvailability(countTry([ticketKey(ticket)], [SECOND_STEP_TRIES]));
      return left < 0 ? end() : left;
    },
    close: async (ticket) => {
      if ((await withAvailability(redis.del(ticketKey(ticket)))) !== 1) end();
    },
  };
};

// A device that skips the second step has a cookie with a random value, which scripts cannot read; Redis has its hash, with where it was
// given, so that the user sees and removes it. It is worth nothing after a change of the password or of a factor, and after signing
// out everywhere, which change the fingerprint of the account. A browser can be trusted by several accounts.

type Exchange = { request: IncomingMessage; response: ServerResponse };
/** `fingerprint`: that of the account now (`AccountFactors`). */
type TrustingAccount = { userId: string; fingerprint: string };
/** Times are in ms since the epoch. */
export type TrustedDevice = Pick<SignInOrigin, 'browser' | 'system' | 'place'> & {
  id: string;
  since: number;
  ends: number;
};
type Stored = TrustedDevice & { fingerprint: string };

export type TrustedDevices = {
  isTrusted: (request: IncomingMessage, account: TrustingAccount) => Promise<boolean>;
  trust: (exchange: Exchange, account: TrustingAccount, origin: SignInOrigin) => Promise<void>;
  /** Those that skip the second step now, the newest first. */
  list: (account: TrustingAccount) => Promise<TrustedDevice[]>;
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
    sameSite: 'strict',
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
