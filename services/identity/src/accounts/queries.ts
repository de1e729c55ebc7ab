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

export const emailExists = (tx: Tx, email: string): Promise<boolean> =>
  tx.getRepository(accountEntity).existsBy({ email });

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

/** Stores another address, which its owner has proved to be theirs. Throws the database's error for one that has an account. */
export const updateEmail = async (
  tx: Tx,
  id: string,
  { email, verifiedAt }: { email: string; verifiedAt: Date },
): Promise<void> => {
  await tx
    .getRepository(accountEntity)
    .update({ id }, { email, emailVerifiedAt: verifiedAt, emailVersion: () => 'email_version + 1' });
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

/** Throws `identity.current_password_wrong` unless the account has the hash `replacing`, where one is given. */
export const updatePasswordHash = async (tx: Tx, { id, passwordHash, replacing }: NewHash): Promise<void> => {
  const isCurrent = replacing === undefined ? {} : { passwordHash: replacing };
  const { affected } = await tx.getRepository(accountEntity).update({ id, ...isCurrent }, { passwordHash });
  if (affected !== 1)
    throw createError(
      replacing === undefined ? 'identity.user_not_found' : 'identity.current_password_wrong',
    );
};

/** Deletes a user; an admin's account is not affected. Returns whether there was one. */
export const deleteUser = async (tx: Tx, id: string): Promise<boolean> => {
  const result = await tx.getRepository(accountEntity).delete({ id, role: 'user' });
  return result.affected === 1;
};
