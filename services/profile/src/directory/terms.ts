import type { Tx } from '@shortlist/kit/db';
import { type Findable, termsOf } from './terms.rules.ts';

const COPIED = 'email, first_name, last_name, organization_name, country, created_at, premium_until';

export const deleteTerms = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query('DELETE FROM directory_terms WHERE user_id = ?', [userId]);
};

/** Makes a person findable by what they are called now, and by nothing that they were called before. Their profile is there already. */
export const replaceTerms = async (tx: Tx, userId: string, person: Findable): Promise<void> => {
  await deleteTerms(tx, userId);
  const terms = termsOf(person);
  const each = terms.map(() => 'SELECT ? AS term').join(' UNION ALL ');
  await tx.query(
    `INSERT IGNORE INTO directory_terms (term, user_id, ${COPIED})
     SELECT t.term, p.user_id, ${COPIED} FROM (${each}) AS t JOIN profiles p ON p.user_id = ?`,
    [...terms, userId],
  );
};

/** A plan that changed is seen by the lists of words too. */
export const copyPlanToTerms = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query(
    `UPDATE directory_terms t JOIN profiles p ON p.user_id = t.user_id SET t.premium_until = p.premium_until
     WHERE t.user_id = ?`,
    [userId],
  );
};
