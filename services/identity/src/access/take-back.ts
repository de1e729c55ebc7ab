import type { RemovedAccess } from '@shortlist/contracts/api/email';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { cancelDeletion } from '../accounts/delete-account.ts';
import { markOwned } from '../accounts/queries.ts';
import { removeFactorsSince } from '../factors/change-factors.ts';
import { endAccess } from './end-access.ts';

type TakingBack = { accountId: string; factorsSince: Date; caller: Caller; clock: Clock };

/**
 * Closes every way into an account for an intruder when its owner takes it back by an emailed link: removes the factors that were added at
 * `factorsSince` or later, everything that acts for the user, and a requested deletion. The caller has locked the account's row, and sets the
 * new password in the same transaction.
 */
export const takeBack = async (
  tx: Tx,
  { accountId, factorsSince: since, caller, clock }: TakingBack,
): Promise<RemovedAccess> => {
  const factors = await removeFactorsSince(tx, { accountId, since, caller, clock });
  const ended = await endAccess(tx, { accountId, cause: 'takeover', caller, clock });
  const deletion = await cancelDeletion(tx, { id: accountId, caller, clock });
  await markOwned(tx, accountId, clock());
  return { ...factors, ...ended, deletion };
};
