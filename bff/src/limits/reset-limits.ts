// Requests of others must not use up what the owner of an address may do, so an address is never refused a link. A request that
// would be one too many causes no mail, because one of the last minutes is there already, whose link still works.
import { RESET_PAUSE_MINUTES } from '@shortlist/contracts/limits';
import type { Redis } from '@shortlist/kit/data/redis';
import { createAttemptLimit, NETWORK_HOLD_MS } from './attempt-limit.ts';
import { emailKey } from './email-key.ts';
import { networkOf } from './network.ts';

/** `device`: the name of a client that has logged in to this account before (device-cookie.ts). */
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

const HOUR = 60 * 60;
/** Mails that known clients of an address cause in an hour without regard to those that others have caused. */
const BY_KNOWN = { attempts: 5, seconds: HOUR };
/** Far shorter than the life of a link: the owner finds one that works for a while, even if others have requested it. */
const PAUSE = { attempts: 1, seconds: RESET_PAUSE_MINUTES * 60 };
/** Pauses of an address that a new password ends in an hour. */
const ENDED_PAUSES = { attempts: 5, seconds: HOUR };
/** Uses of links by one network in a minute. A token cannot be guessed; this limits the work. */
const USES = { attempts: 30, seconds: 60, holdMs: NETWORK_HOLD_MS };

/** Limits the mails that one network (`perHour`) and one address can cause. */
export const createResetLimits = (redis: Redis, perHour: number): ResetLimits => {
  const limitOf = (name: string, settings: { attempts: number; seconds: number; holdMs?: number }) =>
    createAttemptLimit(redis, { name, ...settings, withoutRedis: 'refuse' });
  const perNetwork = limitOf('reset-network', { attempts: perHour, seconds: HOUR, holdMs: NETWORK_HOLD_MS });
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
