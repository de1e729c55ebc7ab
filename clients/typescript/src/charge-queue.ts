import type { LastEntitlements } from './last-entitlements.ts';
import {
  isPassing,
  type PendingCharge,
  type PendingCharges,
  type RefusedCharge,
  type Sent,
} from './pending-charges.ts';
import type { Charge } from './replies.ts';
import type { CallOptions } from './send.ts';
import { ShortlistError, withIdempotencyKey } from './shortlist-error.ts';
import type { RunExclusively } from './storage.ts';

/** What was sent of the queue, and how many charges wait. `isStopped`: they wait for credits. */
export type FlushReport = Pick<Sent, 'sent' | 'refused'> & { pending: number; isStopped: boolean };

export type ChargeQueue = {
  /** Sends the charge after those that wait. Null: it waits, too. */
  charge: (charge: PendingCharge, options?: CallOptions) => Promise<Charge | null>;
  flush: (options?: CallOptions) => Promise<FlushReport>;
  list: () => Promise<PendingCharge[]>;
  credits: () => Promise<number>;
  discard: (idempotencyKey: string) => Promise<boolean>;
  /** The balance is known: a queue that has stopped may go on. */
  resume: () => Promise<void>;
};

type Parts = {
  charges: PendingCharges;
  lastEntitlements: LastEntitlements;
  /** Two senders at a time would mix up the order. */
  runExclusively: RunExclusively;
  onRefused: (refused: RefusedCharge) => void;
};

const queueError = (code: string, title: string, cause: ShortlistError | null): ShortlistError =>
  new ShortlistError({ code: `queue.${code}`, status: 0, title, cause });

export const createChargeQueue = (parts: Parts): ChargeQueue => {
  const { charges, lastEntitlements, runExclusively, onRefused } = parts;

  const credits = async (): Promise<number> =>
    (await charges.read()).pending.reduce((sum, { amount = 1 }) => sum + amount, 0);

  /** Throws unless the last known balance allows all that wait. */
  const assertAllowed = async (cause: ShortlistError | null): Promise<void> => {
    const { isStopped } = await charges.read();
    const available = await lastEntitlements.available();
    if (available === null)
      throw queueError('balance_unknown', 'The balance is unknown. Read the entitlements first.', cause);
    if (isStopped || (await credits()) > available)
      throw queueError('balance_too_low', 'The last known balance does not allow this charge.', cause);
  };

  /** What became of the last charge of the queue. Throws when it may not wait. */
  const outcomeOf = async (key: string, { sent, refused, failure }: Sent): Promise<Charge | null> => {
    const own = sent.find(({ charge }) => charge.idempotencyKey === key);
    if (own) return own.reply;
    const refusal = refused.find(({ charge }) => charge.idempotencyKey === key);
    if (refusal) throw refusal.error;
    if (failure !== null && !isPassing(failure)) throw failure;
    await assertAllowed(failure);
    return null;
  };

  const report = (refused: readonly RefusedCharge[], except?: string): void => {
    for (const each of refused) if (each.charge.idempotencyKey !== except) onRefused(each);
  };

  return {
    charge: (charge, options = {}) =>
      runExclusively(async () => {
        const { idempotencyKey: key } = charge;
        // Written before it is sent: a client that ends meanwhile sends it again under the same key.
        await charges.add(charge);
        const sent = await charges.sendAll(options);
        report(sent.refused, key);
        try {
          return await outcomeOf(key, sent);
        } catch (error) {
          await charges.remove(key);
          throw withIdempotencyKey(error, key);
        }
      }),
    flush: (options = {}) =>
      runExclusively(async () => {
        const { sent, refused } = await charges.sendAll(options);
        report(refused);
        const { pending, isStopped } = await charges.read();
        return { sent, refused, pending: pending.length, isStopped };
      }),
    list: async () => (await charges.read()).pending,
    credits,
    discard: (idempotencyKey) => runExclusively(() => charges.remove(idempotencyKey)),
    resume: () => runExclusively(charges.resume),
  };
};
