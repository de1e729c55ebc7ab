import type { Redis } from '@shortlist/kit/data/redis';
import { createAttemptLimit, NETWORK_HOLD_MS } from './attempt-limit.ts';
import { mailboxKey } from './email-key.ts';
import { networkOf } from './network.ts';
import { createResendLimits } from './resend-limits.ts';

/** A mail to `email`, the new address of the account `id`. */
export type ChangeMail = { id: string; email: string; address: string };

export type ChangeLimits = {
  /** Counts a mail to a new address, then runs what causes it; one that fails does not count. Throws `request.rate_limited`. */
  count: (mail: ChangeMail, work: () => Promise<unknown>) => Promise<void>;
};

const HOUR = 60 * 60;
/** Mails about changes to the addresses of one mailbox, whichever accounts request them. */
const PER_MAILBOX = { attempts: 5, seconds: HOUR };

/**
 * Limits the mails to new addresses, which need not belong to the user who names them: those of an account, of a network (`perHour`)
 * and to a mailbox. No other limit counts them, so that they use up nothing of the owner of the address.
 */
export const createChangeLimits = (redis: Redis, perHour: number): ChangeLimits => {
  const limitOf = (name: string, settings: { attempts: number; seconds: number; holdMs?: number }) =>
    createAttemptLimit(redis, { name, ...settings, withoutRedis: 'refuse' });
  const ofAccount = createResendLimits(redis, 'email-change');
  const perNetwork = limitOf('email-change-network', {
    attempts: perHour,
    seconds: HOUR,
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
