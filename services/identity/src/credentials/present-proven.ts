import type { ProvenIdentity } from '@shortlist/contracts/api/factors';
import { createError } from '@shortlist/kit/process/errors';
import type { Db } from '@shortlist/kit/data/db';
import type { AccountRow } from '../accounts/account.entity.ts';
import { presentAccount } from '../accounts/present.ts';
import { accountFactors } from '../factors/account-factors.ts';
import { findDeletion } from '../deletion/queries.ts';
import type { FactorKeys } from '../factors/factor-keys.ts';

/**
 * An account whose credentials were right, with the factors that a log-in has to consider. Throws `identity.suspended`, which only
 * the right credentials reveal.
 */
export const presentProven = async (
  { db, keys }: { db: Db; keys: FactorKeys },
  account: AccountRow,
): Promise<ProvenIdentity> => {
  const presented = presentAccount(account);
  if (presented.admin?.role === null) throw createError('identity.suspended');
  const deletion = await findDeletion(db.manager, account.id);
  return {
    ...presented,
    generation: account.generation,
    ...(deletion === null ? {} : { deletionDueAt: deletion.dueAt.toISOString() }),
    factors: await accountFactors(db.manager, account, keys),
  };
};
