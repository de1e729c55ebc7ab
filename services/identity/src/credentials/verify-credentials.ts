import type { Role } from '@shortlist/contracts/api/identity';
import type { Db } from '@shortlist/kit/data/db';
import { normalPassword } from '@shortlist/contracts/schemas/password';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { AccountRow } from '../accounts/account.entity.ts';
import { currentPasswordWrong } from './change-password.ts';
import { findAccountByEmail, renewPasswordHash } from '../accounts/queries.ts';
import type { Hasher } from '../passwords/hasher.ts';

/** `signal`: aborted once the client has gone. */
export type Credentials = { email: string; password: string; role: Role; signal?: AbortSignal };
type Parts = { db: Db; hasher: Hasher; log: Log };

// A failed renewal must not fail the login.
const renewHash = async (
  { db, hasher, log }: Parts,
  account: AccountRow,
  password: string,
): Promise<void> => {
  try {
    await renewPasswordHash(db.manager, account, await hasher.hash(password));
  } catch (error) {
    log.warn({ err: error, userId: account.id }, 'password hash not renewed');
  }
};

type Check = 'correct' | 'correct as given' | 'wrong';

/**
 * Compares a password with a hash: its normal form, and then the given form, of which older hashes are made. How many hashes are
 * computed for a wrong password depends on the password alone, not on the account.
 */
const checkPassword = async (
  hasher: Hasher,
  passwordHash: string,
  { password, signal }: Pick<Credentials, 'password' | 'signal'>,
): Promise<Check> => {
  const normal = normalPassword(password);
  if (await hasher.verify(passwordHash, normal, signal)) return 'correct';
  if (normal === password || !(await hasher.verify(passwordHash, password, signal))) return 'wrong';
  return 'correct as given';
};

/** Throws `identity.current_password_wrong` unless this is the account's password. */
export const assertCurrentPassword = async (
  hasher: Hasher,
  { passwordHash }: Pick<AccountRow, 'passwordHash'>,
  { password, signal }: { password: string | undefined; signal: AbortSignal },
): Promise<void> => {
  const isCorrect =
    password !== undefined && (await checkPassword(hasher, passwordHash, { password, signal })) !== 'wrong';
  if (!isCorrect) throw currentPasswordWrong();
};

/** The account with these credentials. Throws `identity.credentials_wrong` for an unknown address and for a wrong password alike. */
export const verifyCredentials = async (parts: Parts, credentials: Credentials): Promise<AccountRow> => {
  const { db, hasher } = parts;
  const { email, password, role } = credentials;
  const account = await findAccountByEmail(db.manager, email, role);
  const check = await checkPassword(hasher, account?.passwordHash ?? hasher.dummyHash, credentials);
  if (account === null || check === 'wrong') throw createError('identity.credentials_wrong');
  const isOutdated = check === 'correct as given' || hasher.isWeak(account.passwordHash);
  if (isOutdated) await renewHash(parts, account, password);
  return account;
};
