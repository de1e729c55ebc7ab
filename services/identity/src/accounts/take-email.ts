import { isDuplicate, type Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { isReserved, lockReservation } from '../email-changes/queries.ts';
import type { AccountRow } from './account.entity.ts';
import { emailExists } from './queries.ts';

const emailTaken = (cause?: unknown): Error => {
  const { message } = createError('identity.email_taken');
  return createError('identity.email_taken', { cause, fields: { email: message } });
};

type Taking = { now: Date; store: () => Promise<void> };

/**
 * Gives an account its address by `store`. Throws `identity.email_taken` when another account has the address, which the unique key
 * decides between concurrent ones, or has it reserved. The reservation is read last: a change that gives the address up makes
 * `store` wait until its reservation is there.
 */
export const takeEmail = async (
  tx: Tx,
  { id, email }: Pick<AccountRow, 'id' | 'email'>,
  { now, store }: Taking,
): Promise<void> => {
  try {
    await store();
  } catch (error) {
    throw isDuplicate(error) ? emailTaken(error) : error;
  }
  if (await lockReservation(tx, { email, accountId: id }, now)) throw emailTaken();
};

/** Whether an account could take the address; `accountId` is empty for a new one. */
export const isEmailFree = async (
  tx: Tx,
  taker: { email: string; accountId: string },
  now: Date,
): Promise<boolean> => !(await emailExists(tx, taker.email)) && !(await isReserved(tx, taker, now));
