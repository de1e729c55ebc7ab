import { isDuplicate, type Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createFieldError } from '@shortlist/kit/process/errors';
import { eraseUser, PRODUCT } from './delete-account.ts';
import { isReserved, lockReservation } from './email-change-queries.ts';
import { type AccountRow, findAccountOfAnyRole, lockAccountByEmail } from './queries.ts';

/**
 * Whether an unconfirmed account gives up its email to a person who proves to own it. An account with a plan does not: the email's owner takes
 * it over by setting a new password.
 */
export const releasesEmail = ({
  role,
  emailVerifiedAt,
  keptFor,
}: Pick<AccountRow, 'role' | 'emailVerifiedAt' | 'keptFor'>): boolean =>
  role === 'user' && emailVerifiedAt === null && keptFor !== 'plan';

const emailTaken = (cause?: unknown): Error => createFieldError('identity.email_taken', 'email', { cause });

type Taking = { now: Date; store: () => Promise<void> };

/**
 * Gives an account its email by `store`. Throws `identity.email_taken` if another account has the email (the unique key decides between concurrent
 * ones) or has reserved it. The reservation is read last: a change that gives up the email makes `store` wait until its reservation exists.
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

type ProvenTaking = { clock: Clock; store: () => Promise<void> };

/**
 * The same for an email whose ownership is proved. An account that has it without proof is deleted with all its data; the lock serializes this
 * with a concurrent confirmation.
 */
export const takeProvenEmail = async (
  tx: Tx,
  taker: Pick<AccountRow, 'id' | 'email'>,
  { clock, store }: ProvenTaking,
): Promise<void> => {
  const holder = await lockAccountByEmail(tx, taker.email);
  if (holder !== null && holder.id !== taker.id && releasesEmail(holder))
    await eraseUser(tx, { id: holder.id, caller: PRODUCT, clock });
  await takeEmail(tx, taker, { now: clock(), store });
};

/** Whether an account could take the email, given a proof; `accountId` is empty for a new account. */
export const isEmailFree = async (
  tx: Tx,
  taker: { email: string; accountId: string },
  now: Date,
): Promise<boolean> => {
  const holder = await findAccountOfAnyRole(tx, taker.email);
  return (holder === null || releasesEmail(holder)) && !(await isReserved(tx, taker, now));
};
