import { days, hours, minutes, seconds } from '@shortlist/contracts/durations';
import { RESEND_PAUSE_SECONDS, RESENDS_PER_DAY, RESET_PAUSE_MINUTES } from '@shortlist/contracts/limits';
import type { Redis } from '@shortlist/kit/data/redis';
import {
  createAttemptLimit,
  emailKey,
  isAlias,
  type LimitSize,
  mailboxKey,
  NETWORK_HOLD_MS,
  networkOf,
} from './attempt-limit.ts';

export type SignupLimits = {
  /** Counts a request of a network, before its form is read. Throws `request.rate_limited`. */
  consumeNetwork: (address: string) => Promise<void>;
  /** Counts a sign-up with an address, then runs it; one that fails does not count. Throws `request.rate_limited`. */
  countAddress: <T>(email: string, signUp: () => Promise<T>) => Promise<T>;
};

/** Sign-ups with one address, and with the aliases of one mailbox: far more than one person needs. */
const PER_ADDRESS = { attempts: 20, windowMs: days(1) };

/**
 * Limits the accounts, and with them the hashes and mails, that one network (`perHour`) and one mailbox can cause, since a sign-up
 * needs no proof that the mailbox is one's own. Aliases have a count of their own: others who use it up do not keep the owner from
 * signing up with the address itself. Without Redis there is no limit: a sign-up needs no session and goes through.
 */
export const createSignupLimits = (redis: Redis, perHour: number): SignupLimits => {
  const limitOf = (name: string, size: LimitSize) =>
    createAttemptLimit(redis, { name, ...size, withoutRedis: 'allow' });
  const perNetwork = limitOf('signup-network', {
    attempts: perHour,
    windowMs: hours(1),
    holdMs: NETWORK_HOLD_MS,
  });
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

export type ResendLimits = {
  /** Counts a user's request for another mail. Throws `request.rate_limited` during the pause, and beyond the number of a day. */
  consume: (userId: string) => Promise<void>;
  /** Takes back a request that has caused no email. */
  refund: (userId: string) => Promise<void>;
};

/** `kind` of mails: each has limits of its own. */
export const createResendLimits = (
  redis: Redis,
  kind: 'resend' | 'email-change' | 'email-retry',
): ResendLimits => {
  const limitOf = (name: string, size: LimitSize) =>
    createAttemptLimit(redis, { name, ...size, withoutRedis: 'refuse' });
  const pause = limitOf(`${kind}-pause`, { attempts: 1, windowMs: seconds(RESEND_PAUSE_SECONDS) });
  const daily = limitOf(`${kind}-day`, { attempts: RESENDS_PER_DAY, windowMs: days(1) });
  return {
    consume: async (userId) => {
      await pause.consume(userId);
      await daily.consume(userId);
    },
    refund: async (userId) => {
      await Promise.all([pause.refund(userId), daily.refund(userId)]);
    },
  };
};

// Requests of others must not use up what the owner of an address may do, so an address is never refused a link. A request that
// would be one too many causes no mail, because one of the last minutes is there already, whose link still works.

/** `device`: the name of a client that has logged in to this account before, from its device cookie. */
type ResetRequest = { email: string; address: string; device: string | null };

export type ResetLimits = {
  /**
   * Counts a request for a link, for an address without an account as well, and returns whether it is to cause a mail. Throws
   * `request.rate_limited` for a network with too many requests.
   */
  countRequest: (request: ResetRequest) => Promise<boolean>;
  /** After a new password, which ends the links that were sent before: the next request causes a mail again. */
  passwordChanged: (email: string) => Promise<void>;
  /** Counts the use of a link, valid or not. */
  consumeUse: (address: string) => Promise<void>;
};
/** Mails that known clients of an address cause in an hour without regard to those that others have caused. */
const BY_KNOWN = { attempts: 5, windowMs: hours(1) };
/** Far shorter than the life of a link: the owner finds one that works for a while, even if others have requested it. */
const PAUSE = { attempts: 1, windowMs: minutes(RESET_PAUSE_MINUTES) };
/** Pauses of an address that a new password ends in an hour. */
const ENDED_PAUSES = { attempts: 5, windowMs: hours(1) };
/** Uses of links by one network in a minute. A token cannot be guessed; this limits the work. */
const USES = { attempts: 30, windowMs: minutes(1), holdMs: NETWORK_HOLD_MS };

/** Limits the mails that one network (`perHour`) and one address can cause. */
export const createResetLimits = (redis: Redis, perHour: number): ResetLimits => {
  const limitOf = (name: string, size: LimitSize) =>
    createAttemptLimit(redis, { name, ...size, withoutRedis: 'refuse' });
  const perNetwork = limitOf('reset-network', {
    attempts: perHour,
    windowMs: hours(1),
    holdMs: NETWORK_HOLD_MS,
  });
  const known = limitOf('reset-known', BY_KNOWN);
  const pause = limitOf('reset', PAUSE);
  // Without Redis there is no pause to end, and the change has been made.
  const endedPauses = createAttemptLimit(redis, {
    name: 'reset-ended',
    ...ENDED_PAUSES,
    withoutRedis: 'allow',
  });
  const uses = limitOf('reset-use', USES);
  return {
    countRequest: async ({ email, address, device }) => {
      const key = emailKey(email);
      // Ahead of the network's limit, which others of the same network can fill.
      if (device !== null && (await known.pass(key))) return true;
      await perNetwork.consume(networkOf(address));
      return pause.pass(key);
    },
    passwordChanged: async (email) => {
      const key = emailKey(email);
      if (await endedPauses.pass(key)) await pause.clear(key);
    },
    consumeUse: (address) => uses.consume(networkOf(address)),
  };
};

/** A mail to `email`, the new address of the account `id`. */
type ChangeMail = { id: string; email: string; address: string };

export type ChangeLimits = {
  /** Counts a mail to a new address, then runs what causes it; one that fails does not count. Throws `request.rate_limited`. */
  count: (mail: ChangeMail, work: () => Promise<unknown>) => Promise<void>;
};
/** Mails about changes to the addresses of one mailbox, whichever accounts request them. */
const PER_MAILBOX = { attempts: 5, windowMs: hours(1) };

/**
 * Limits the mails to new addresses, which need not belong to the user who names them: those of an account, of a network (`perHour`)
 * and to a mailbox. No other limit counts them, so that they use up nothing of the owner of the address.
 */
export const createChangeLimits = (redis: Redis, perHour: number): ChangeLimits => {
  const limitOf = (name: string, size: LimitSize) =>
    createAttemptLimit(redis, { name, ...size, withoutRedis: 'refuse' });
  const ofAccount = createResendLimits(redis, 'email-change');
  const perNetwork = limitOf('email-change-network', {
    attempts: perHour,
    windowMs: hours(1),
    holdMs: NETWORK_HOLD_MS,
  });
  const perMailbox = limitOf('email-change-mailbox', PER_MAILBOX);
  return {
    count: async ({ id, email, address }, work) => {
      const limits = [
        [ofAccount, id],
        [perNetwork, networkOf(address)],
        [perMailbox, mailboxKey(email)],
      ] as const;
      const counted: (() => Promise<void>)[] = [];
      try {
        for (const [limit, key] of limits) {
          await limit.consume(key);
          counted.push(() => limit.refund(key));
        }
        await work();
      } catch (error) {
        await Promise.all(counted.map((refund) => refund()));
        throw error;
      }
    },
  };
};
