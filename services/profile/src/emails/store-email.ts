import type { Tx } from '@shortlist/kit/data/db';
import { lockProfile, updateEmailCopy } from '../profiles/queries.ts';
import { replaceTerms } from '../terms/queries.ts';
import { joinTerms, termsOf } from '../terms/terms.rules.ts';

/**
 * Stores the copy of a new address unless a newer one is stored, with the search terms that it has. Does nothing without a profile:
 * admins have none, and the registration of a user always comes first.
 */
export const storeEmail = async (
  tx: Tx,
  id: string,
  { email, version }: { email: string; version: number },
): Promise<void> => {
  const current = await lockProfile(tx, id);
  if (current === null || current.emailVersion >= version) return;
  const terms = joinTerms(termsOf({ ...current, email }));
  await updateEmailCopy(tx, id, { email, emailVersion: version, terms });
  await replaceTerms(tx, current, { ...current, email, terms });
};
