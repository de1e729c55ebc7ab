import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { uuidv7 } from 'uuidv7';
import { findAccountByEmail, insertAccount, updatePasswordHash } from './queries.ts';

/** Creates an admin, or changes the password of the admin with this address. */
export const createAdmin = async (
  tx: Tx,
  { email, passwordHash, clock }: { email: string; passwordHash: string; clock: Clock },
): Promise<'created' | 'updated'> => {
  const existing = await findAccountByEmail(tx, email, 'admin');
  if (existing === null) {
    const terms = { termsVersion: null, termsAcceptedAt: null };
    const admin = { id: uuidv7(), email, passwordHash, role: 'admin', createdAt: clock(), ...terms } as const;
    await insertAccount(tx, admin);
    return 'created';
  }
  await updatePasswordHash(tx, existing.id, passwordHash);
  return 'updated';
};
