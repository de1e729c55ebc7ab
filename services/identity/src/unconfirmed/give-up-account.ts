import { days } from '@shortlist/contracts/durations';
import { confirmationReminded } from '@shortlist/contracts/events/identity';
import { UNCONFIRMED_REMINDER_DAYS } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { eraseUser, PRODUCT } from '../accounts/erase-user.ts';
import { lockGivenUp, markReminded } from './queries.ts';

/** Causes the reminder to confirm an address, once for each account. */
export const remindUser = async (
  tx: Tx,
  { userId, clock }: { userId: string; clock: Clock },
): Promise<void> => {
  const now = clock();
  if (!(await markReminded(tx, userId, now))) return;
  const dueAt = new Date(now.getTime() + days(UNCONFIRMED_REMINDER_DAYS)).toISOString();
  await emit(tx, confirmationReminded, { subject: userId, data: { dueAt }, clock });
};

/**
 * Deletes an account whose address was never confirmed. Returns false, and changes nothing, for one that is confirmed, is kept or was
 * deleted meanwhile.
 */
export const giveUpAccount = async (
  tx: Tx,
  { userId: id, clock }: { userId: string; clock: Clock },
): Promise<boolean> => {
  if ((await lockGivenUp(tx, id, clock())) === null) return false;
  await eraseUser(tx, { id, caller: PRODUCT, clock });
  return true;
};
