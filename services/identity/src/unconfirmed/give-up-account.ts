import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { deleteAccount, PRODUCT } from '../accounts/delete-account.ts';
import { lockGivenUp } from './queries.ts';

/**
 * Deletes an account whose address was never confirmed. Returns false, and changes nothing, for one that is confirmed, is kept or was
 * deleted meanwhile.
 */
export const giveUpAccount = async (
  tx: Tx,
  { userId: id, clock }: { userId: string; clock: Clock },
): Promise<boolean> => {
  if ((await lockGivenUp(tx, id, clock())) === null) return false;
  await deleteAccount(tx, { id, caller: PRODUCT, clock });
  return true;
};
