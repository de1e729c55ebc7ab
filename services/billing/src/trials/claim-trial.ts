// A user, an address and a card begin one trial each. What a trial was begun with is claimed when its subscription is first seen, whoever saw it
// first and whatever was offered: a page that was opened with a trial may be paid when another account has used it.
import { days } from '@shortlist/contracts/durations';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Log } from '@shortlist/kit/process/log';
import type { CustomerSnapshot } from '../stripe/snapshot.ts';
import { areKeysComplete, type TrialPolicy } from './offered-trial.ts';
import { insertTrials, isTrialOf, TRIAL_MEMORY_DAYS } from './queries.ts';
import type { TrialHash } from './trial-keys.ts';
import { type TrialToCheck, trialsToCheck } from './trial.rules.ts';

type Parts = { db: Db; log: Log; trials: TrialPolicy; clock: () => Date };

type User = { userId: string; email: string };

/** Null if it cannot be said what the trial was begun with. */
const hashesOf = (
  { keys }: TrialPolicy,
  { userId, email }: User,
  { trial: { cardPrint } }: TrialToCheck,
): TrialHash[] | null =>
  keys && cardPrint
    ? [
        ...keys.hashesOf('user', userId),
        ...keys.hashesOf('email', email),
        ...keys.hashesOf('card', cardPrint),
      ]
    : null;

class Taken extends Error {}

/** Claims all or nothing. Of two claims at the same time, the second waits for the first. */
const claim = async (parts: Parts, user: User, subscription: TrialToCheck): Promise<boolean> => {
  const { db, log, trials } = parts;
  const { id: subscriptionId, startedAt: claimedAt } = subscription;
  if (await isTrialOf(db.manager, subscriptionId)) return true;
  const hashes = subscription.isFirst ? hashesOf(trials, user, subscription) : null;
  if (hashes === null || !(await areKeysComplete(db.manager, { trials, log }))) return false;
  try {
    await inTransaction(db, async (tx) => {
      if (!(await insertTrials(tx, hashes, { subscriptionId, claimedAt }))) throw new Taken();
    });
    return true;
  } catch (error) {
    // By this subscription, if the lease has passed to another process meanwhile.
    if (error instanceof Taken) return isTrialOf(db.manager, subscriptionId);
    throw error;
  }
};

/**
 * Claims the trials of a customer that are not claimed yet, and returns the subscriptions to end at once, because their user, address or card
 * has begun another trial, or the user had a subscription before. Nothing was charged for them. The caller owns the user's lease.
 */
export const claimTrials = async (
  parts: Parts,
  user: User,
  snapshot: CustomerSnapshot,
): Promise<string[]> => {
  const rememberedFrom = parts.clock().getTime() - days(TRIAL_MEMORY_DAYS);
  const refused: string[] = [];
  for (const subscription of trialsToCheck(snapshot)) {
    if (subscription.startedAt.getTime() < rememberedFrom) continue;
    if (!(await claim(parts, user, subscription)) && subscription.isLive) refused.push(subscription.id);
  }
  return refused;
};
