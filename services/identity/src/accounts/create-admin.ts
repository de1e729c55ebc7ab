import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { uuidv7 } from 'uuidv7';
import type { Hasher } from '../passwords/hasher.ts';
import { newAdmin } from './new-admin.ts';
import { findAccountByEmail, insertAccount } from './queries.ts';

type Parts = { db: Db; hasher: Hasher; clock: Clock };
type NewAdmin = { email: string; password: string; role?: AdminRole };

/**
 * Creates an admin. An existing one stays unchanged, so that a repeated installation neither logs an admin out nor restores an
 * earlier password.
 */
export const createAdmin = async (
  { db, hasher, clock }: Parts,
  { email, password, role = 'owner' }: NewAdmin,
): Promise<'created' | 'unchanged'> => {
  if (await findAccountByEmail(db.manager, email, 'admin')) return 'unchanged';
  const passwordHash = await hasher.hash(password);
  await inTransaction(db, (tx) =>
    insertAccount(tx, newAdmin({ id: uuidv7(), email, passwordHash, role, now: clock() })),
  );
  return 'created';
};
