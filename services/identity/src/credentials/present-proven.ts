import type { ProvenIdentity } from '@shortlist/contracts/api/factors';
import type { Db } from '@shortlist/kit/data/db';
import type { AccountRow } from '../accounts/account.entity.ts';
import { presentAccount } from '../accounts/present.ts';
import { accountFactors } from '../factors/account-factors.ts';
import { findDeletion } from '../deletion/queries.ts';
import type { FactorKeys } from '../factors/factor-keys.ts';

/** An account whose credentials were right, with the factors that a log-in has to consider. */
export const presentProven = async (
  { db, keys }: { db: Db; keys: FactorKeys },
  account: AccountRow,
): Promise<ProvenIdentity> => {
  const deletion = await findDeletion(db.manager, account.id);
  return {
    ...presentAccount(account),
    ...(deletion === null ? {} : { deletionDueAt: deletion.dueAt.toISOString() }),
    factors: await accountFactors(db.manager, account, keys),
  };
};
