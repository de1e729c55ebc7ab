import type { Role } from '@shortlist/contracts/api/identity';
import type { Db } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { AccountRow } from '../accounts/account.entity.ts';
import { findAccountByEmail, updatePasswordHash } from '../accounts/queries.ts';
import type { Hasher } from './hasher.ts';

export type Credentials = { email: string; password: string; role: Role };
type Parts = { db: Db; hasher: Hasher; log: Log };

// A login must not fail because its hash could not be renewed.
const renewHash = async (
  { db, hasher, log }: Parts,
  account: AccountRow,
  password: string,
): Promise<void> => {
  try {
    await updatePasswordHash(db.manager, account.id, await hasher.hash(password));
  } catch (error) {
    log.warn({ err: error, userId: account.id }, 'hash not renewed');
  }
};

/** The account behind an address and a password. Throws `identity.credentials_wrong` alike for an unknown address and a wrong password. */
export const verifyCredentials = async (
  parts: Parts,
  { email, password, role }: Credentials,
): Promise<AccountRow> => {
  const { db, hasher } = parts;
  const account = await findAccountByEmail(db.manager, email, role);
  const right = await hasher.verify(account?.passwordHash ?? hasher.nothing, password);
  if (account === null || !right) throw createError('identity.credentials_wrong');
  if (hasher.isWeak(account.passwordHash)) await renewHash(parts, account, password);
  return account;
};
