import type { CreditMails } from '@shortlist/contracts/api/credits';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { isDeleted, storeWantsMails } from './queries.ts';

/**
 * Stores whether the user gets mails about credits, which the next warning says. Throws `credits.user_not_found` for a deleted user, of
 * whom nothing may be stored again.
 */
export const setCreditMails = async (
  tx: Tx,
  { userId, enabled }: { userId: string } & CreditMails,
): Promise<CreditMails> => {
  await storeWantsMails(tx, userId, enabled);
  if (await isDeleted(tx, userId)) throw createError('credits.user_not_found');
  return { enabled };
};
