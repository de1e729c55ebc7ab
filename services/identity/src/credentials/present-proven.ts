import type { ProvenIdentity } from '@shortlist/contracts/api/factors';
import type { Db } from '@shortlist/kit/data/db';
import type { AccountRow } from '../accounts/account.entity.ts';
import { presentAccount } from '../accounts/present.ts';
import { accountFactors } from '../factors/account-factors.ts';
import type { FactorKeys } from '../factors/factor-keys.ts';

/** An account whose credentials were right, with the factors that a log-in has to consider. */
export const presentProven = async (
  { db, keys }: { db: Db; keys: FactorKeys },
  account: AccountRow,
): Promise<ProvenIdentity> => ({
  ...presentAccount(account),
  factors: await accountFactors(db.manager, account, keys),
});
