import { isDuplicate, type Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createFieldError } from '@shortlist/kit/process/errors';
import { eraseUser, PRODUCT } from './delete-account.ts';
import { isReserved, lockReservation } from './email-change-queries.ts';
import { type AccountRow, findAccountOfAnyRole, lockAccountByEmail } from './queries.ts';

/**
 * Whether an account gives its address up to a person who proves that it is theirs, which its own user has never done. One with a plan
 * does not: the owner of the address takes it over by setting a new password.
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

type ProvenTaking = { clock: Clock; store: () => Promise<void> };

/**
 * The same for an address that the taker has proved to be theirs. An account that has it without such a proof is deleted with everything
 * in it; the lock decides between this and a confirmation at the same moment.
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

/** Whether an account could take the address, with a proof; `accountId` is empty for a new one. */
export const isEmailFree = async (
  tx: Tx,
  taker: { email: string; accountId: string },
  now: Date,
): Promise<boolean> => {
  const holder = await findAccountOfAnyRole(tx, taker.email);
  return (holder === null || releasesEmail(holder)) && !(await isReserved(tx, taker, now));
};
