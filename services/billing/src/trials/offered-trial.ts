import type { Tx } from '@shortlist/kit/data/db';
import type { Log } from '@shortlist/kit/process/log';
import { hasPaidPlan } from '../records/invoice-queries.ts';
import { hasSubscribed } from '../records/subscription-queries.ts';
import { hasOtherKeys, isClaimed } from './queries.ts';
import type { TrialKeys } from './trial-keys.ts';

/** `days`: of the trial that new subscribers get; 0 for none. Without keys, no trial can be told from a second one. */
export type TrialPolicy = { days: number; keys: TrialKeys | null };

const KEY_MISSING =
  'TRIAL_KEY lacks a key by which trials are remembered; no trial begins until the key is put back, or forgotten after two years';

/** Whether every remembered trial would be recognized. Without it, nobody could be told from a user who has had a trial. */
export const areKeysComplete = async (
  tx: Tx,
  { trials: { keys }, log }: { trials: TrialPolicy; log: Log },
): Promise<boolean> => {
  if (keys === null) return false;
  if (!(await hasOtherKeys(tx, keys.ids))) return true;
  log.error(KEY_MISSING);
  return false;
};

type Parts = { trials: TrialPolicy; log: Log };

/** The days of the trial that a subscription of this user would begin with; 0 for none. */
export const findTrialDays = async (
  tx: Tx,
  { userId, email }: { userId: string; email: string },
  { trials, log }: Parts,
): Promise<number> => {
  const { days, keys } = trials;
  if (days === 0 || keys === null) return 0;
  if ((await hasSubscribed(tx, userId)) || (await hasPaidPlan(tx, userId))) return 0;
  const hashes = [...keys.hashesOf('user', userId), ...keys.hashesOf('email', email)];
  if (await isClaimed(tx, hashes)) return 0;
  return (await areKeysComplete(tx, { trials, log })) ? days : 0;
};
