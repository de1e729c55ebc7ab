import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { normalPassword } from '@shortlist/contracts/schemas/password';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { uuidv7 } from 'uuidv7';
import type { Hasher } from '../passwords/hasher.ts';
import { changePassword } from './change-password.ts';
import { newAdmin } from './new-admin.ts';
import { findAccountByEmail, insertAccount } from './queries.ts';

type Parts = { db: Db; hasher: Hasher; clock: Clock };

const OPERATOR = { role: 'service', userId: null } as const;

/**
 * Creates an admin, or changes the password of the admin with this address, which ends the admin's sessions and is recorded in the
 * audit log. The same password changes nothing, so that a repeated installation logs no admin out.
 */
export const createAdmin = async (
  { db, hasher, clock }: Parts,
  { email, password, role = 'owner' }: { email: string; password: string; role?: AdminRole },
): Promise<'created' | 'updated' | 'unchanged'> => {
  const existing = await findAccountByEmail(db.manager, email, 'admin');
  if (existing && (await hasher.verify(existing.passwordHash, normalPassword(password)))) return 'unchanged';
  const passwordHash = await hasher.hash(password);
  return inTransaction(db, async (tx) => {
    if (existing === null) {
      await insertAccount(tx, newAdmin({ id: uuidv7(), email, passwordHash, role, now: clock() }));
      return 'created';
    }
    const { id } = existing;
    await changePassword(tx, { id, passwordHash, caller: OPERATOR, clock });
    return 'updated';
  });
};
