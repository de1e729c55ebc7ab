import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { deleteAccount } from '../accounts/delete-account.ts';
import { lockDueDeletion } from './queries.ts';

/** Deletes an account whose deletion is due. Returns false, and changes nothing, for one that was deleted already, or is kept. */
export const completeDeletion = (
  db: Db,
  { deletionId, clock }: { deletionId: string; clock: Clock },
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const deletion = await lockDueDeletion(tx, deletionId, clock());
    if (deletion === null) return false;
    // The user has caused it.
    const caller: Caller = { role: 'user', userId: deletion.accountId };
    await deleteAccount(tx, { id: deletion.accountId, caller, clock });
    return true;
  });
