import type { Tx } from '@shortlist/kit/db';
import { type Findable, termsOf } from './terms.rules.ts';

export const deleteTerms = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query('DELETE FROM directory_terms WHERE user_id = ?', [userId]);
};

/** Makes a person findable by what they are called now, and by nothing that they were called before. */
export const replaceTerms = async (tx: Tx, userId: string, person: Findable): Promise<void> => {
  await deleteTerms(tx, userId);
  const rows = termsOf(person).map((term) => [userId, term]);
  await tx.query('INSERT IGNORE INTO directory_terms (user_id, term) VALUES ?', [rows]);
};
