import type { Role } from '@shortlist/contracts/api/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { In, IsNull } from 'typeorm';
import { accountEntity, type AccountRow, type NewAccountRow } from './account.entity.ts';

/** An address has one account at most, whatever its role. */
export const findAccountOfAnyRole = (tx: Tx, email: string): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOneBy({ email });

export const findAccountByEmail = (tx: Tx, email: string, role: Role): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOneBy({ email, role });

export const findAccount = (tx: Tx, id: string): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOneBy({ id });

/** Locks the row of an account until the end of the transaction. */
export const lockAccount = (tx: Tx, id: string): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });

export const lockAccountByEmail = (tx: Tx, email: string): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOne({ where: { email }, lock: { mode: 'pessimistic_write' } });

export const accountExists = (tx: Tx, id: string): Promise<boolean> =>
  tx.getRepository(accountEntity).existsBy({ id });

export const listAdminEmails = (tx: Tx, ids: string[]): Promise<Pick<AccountRow, 'id' | 'email'>[]> =>
  tx
    .getRepository(accountEntity)
    .find({ select: { id: true, email: true }, where: { id: In(ids), role: 'admin' } });

export const listAdmins = (tx: Tx): Promise<AccountRow[]> =>
  tx.getRepository(accountEntity).find({ where: { role: 'admin' }, order: { id: 'ASC' } });

export const insertAccount = async (tx: Tx, account: NewAccountRow): Promise<void> => {
  await tx.createQueryBuilder().insert().into(accountEntity).values(account).updateEntity(false).execute();
};

/** Returns whether the address was not confirmed before. */
export const markEmailVerified = async (tx: Tx, id: string, at: Date): Promise<boolean> => {
  const { affected } = await tx
    .getRepository(accountEntity)
    .update({ id, emailVerifiedAt: IsNull() }, { emailVerifiedAt: at });
  return affected === 1;
};

const DAY_MS = 86_400_000;

/**
 * Counts a try of a mailed code, before it is compared, in one statement. Returns how many there were since the first of a day;
 * 0 for an unknown account.
 */
export const countCodeTry = async (tx: Tx, id: string, now: Date): Promise<number> => {
  const isNewDay = 'code_tries_since IS NULL OR code_tries_since < :dayAgo';
  const repository = tx.getRepository(accountEntity);
  await repository
    .createQueryBuilder()
    .update()
    // The database assigns from left to right: the count first, by the time that is stored until then.
    .set({
      codeTries: () => `IF(${isNewDay}, 1, code_tries + 1)`,
      codeTriesSince: () => `IF(${isNewDay}, :now, code_tries_since)`,
    })
    .where({ id })
    .setParameters({ dayAgo: new Date(now.getTime() - DAY_MS), now })
    .execute();
  return (await repository.findOne({ select: { codeTries: true }, where: { id } }))?.codeTries ?? 0;
};

/** Records that the user of the account reads its mail. */
export const markOwned = async (tx: Tx, id: string, at: Date): Promise<void> => {
  await tx.getRepository(accountEntity).update({ id, ownedSince: IsNull() }, { ownedSince: at });
};

/** Stores another address, which its owner has proved to be theirs. Throws the database's error for one that has an account. */
export const updateEmail = async (
  tx: Tx,
  id: string,
  { email, verifiedAt, ownedSince }: { email: string; verifiedAt: Date; ownedSince: Date | null },
): Promise<void> => {
  await tx
    .getRepository(accountEntity)
    .update(
      { id },
      { email, emailVerifiedAt: verifiedAt, ownedSince, emailVersion: () => 'email_version + 1' },
    );
};

/** Replaces a hash by one of the same password. Does nothing when the password has been changed meanwhile. */
export const renewPasswordHash = async (
  tx: Tx,
  { id, passwordHash }: Pick<AccountRow, 'id' | 'passwordHash'>,
  renewed: string,
): Promise<void> => {
  await tx.getRepository(accountEntity).update({ id, passwordHash }, { passwordHash: renewed });
};

/**
 * Ends what began with the account before: bff accepts no session, and completes no log-in, of an earlier generation. Returns the new
 * one. The row stays locked until the end of the transaction.
 */
export const beginGeneration = async (tx: Tx, id: string): Promise<number> => {
  const repository = tx.getRepository(accountEntity);
  await repository.update({ id }, { generation: () => 'generation + 1' });
  const account = await repository.findOne({ select: { generation: true }, where: { id } });
  if (account === null) throw createError('identity.user_not_found');
  return account.generation;
};

type NewHash = Pick<AccountRow, 'id' | 'passwordHash'> & { replacing: string | undefined };

/** Returns whether the account exists and has the hash `replacing`, where one is given. */
export const updatePasswordHash = async (
  tx: Tx,
  { id, passwordHash, replacing }: NewHash,
): Promise<boolean> => {
  const isCurrent = replacing === undefined ? {} : { passwordHash: replacing };
  const { affected } = await tx.getRepository(accountEntity).update({ id, ...isCurrent }, { passwordHash });
  return affected === 1;
};

/** Deletes a user; an admin's account is not affected. Returns whether there was one. */
export const deleteUser = async (tx: Tx, id: string): Promise<boolean> => {
  const result = await tx.getRepository(accountEntity).delete({ id, role: 'user' });
  return result.affected === 1;
};
