import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { findAccountByEmail } from '../accounts/queries.ts';
import { removeAllFactors } from './remove-factors.ts';

const OPERATOR = { role: 'service', userId: null } as const;
const REASON = 'Removed by the operator';

/**
 * Removes the second factors of an admin who has lost them, which is recorded and mailed. Returns null when no admin has the address.
 */
export const recoverAdmin = (
  { db, clock }: { db: Db; clock: Clock },
  email: string,
): Promise<'removed' | 'none' | null> =>
  inTransaction(db, async (tx) => {
    const account = await findAccountByEmail(tx, email, 'admin');
    if (account === null) return null;
    const removal = { accountId: account.id, caller: OPERATOR, clock, reason: REASON };
    return (await removeAllFactors(tx, removal)) ? 'removed' : 'none';
  });
