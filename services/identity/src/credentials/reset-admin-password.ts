import { normalPassword } from '@shortlist/contracts/schemas/password';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Hasher } from '../passwords/hasher.ts';
import { changePassword } from './change-password.ts';
import { findAccountByEmail } from '../accounts/queries.ts';

type Parts = { db: Db; hasher: Hasher; clock: Clock };

const OPERATOR = { role: 'service', userId: null } as const;

/**
 * Sets the password of the admin with this address, which ends the admin's sessions and is recorded in the audit log. The same
 * password changes nothing. Returns null when no admin has the address.
 */
export const resetAdminPassword = async (
  { db, hasher, clock }: Parts,
  { email, password }: { email: string; password: string },
): Promise<'changed' | 'unchanged' | null> => {
  const account = await findAccountByEmail(db.manager, email, 'admin');
  if (account === null) return null;
  if (await hasher.verify(account.passwordHash, normalPassword(password))) return 'unchanged';
  const passwordHash = await hasher.hash(password);
  await inTransaction(db, (tx) =>
    changePassword(tx, { id: account.id, passwordHash, caller: OPERATOR, clock }),
  );
  return 'changed';
};
