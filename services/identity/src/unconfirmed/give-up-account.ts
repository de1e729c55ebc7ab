import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { deleteAccount } from '../accounts/delete-account.ts';
import { lockGivenUp } from './queries.ts';

const PRODUCT: Caller = { role: 'service', userId: SYSTEM_ACTOR_ID };

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
