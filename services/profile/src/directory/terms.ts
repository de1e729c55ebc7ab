import type { Tx } from '@shortlist/kit/data/db';
import { addressTerm, type Findable, joinWords, splitWords, wordsOf } from './terms.rules.ts';

const COPIED = 'email, first_name, last_name, organization_name, country, created_at, premium_until, words';

/** What a person is found by now: their row says it, so that no list of words by person is kept. */
const termsHeld = async (tx: Tx, userId: string): Promise<string[]> => {
  const [row]: { email: string; words: string }[] = await tx.query(
    'SELECT email, words FROM profiles WHERE user_id = ?',
    [userId],
  );
  return row ? [addressTerm(row.email), ...splitWords(row.words)] : [];
};

export const deleteTerms = async (tx: Tx, userId: string): Promise<void> => {
  const terms = await termsHeld(tx, userId);
  if (terms.length === 0) return;
  await tx.query('DELETE FROM directory_terms WHERE term IN (?) AND user_id = ?', [terms, userId]);
};

/** Makes a new person findable by what they are called. Their profile is there already. */
export const addTerms = async (tx: Tx, userId: string, person: Findable): Promise<void> => {
  const words = wordsOf(person);
  await tx.query('UPDATE profiles SET words = ? WHERE user_id = ?', [joinWords(words), userId]);
  const terms = [addressTerm(person.email), ...words];
  const each = terms.map(() => 'SELECT ? AS term').join(' UNION ALL ');
  await tx.query(
    `INSERT IGNORE INTO directory_terms (term, user_id, ${COPIED})
     SELECT t.term, p.user_id, ${COPIED} FROM (${each}) AS t JOIN profiles p ON p.user_id = ?`,
    [...terms, userId],
  );
};

/** Makes a person findable by what they are called now, and by nothing that they were called before. */
export const replaceTerms = async (tx: Tx, userId: string, person: Findable): Promise<void> => {
  await deleteTerms(tx, userId);
  await addTerms(tx, userId, person);
};

/** A plan that changed is seen by the lists of words too. */
export const copyPlanToTerms = async (tx: Tx, userId: string): Promise<void> => {
  const terms = await termsHeld(tx, userId);
  if (terms.length === 0) return;
  await tx.query(
    `UPDATE directory_terms t JOIN profiles p ON p.user_id = t.user_id SET t.premium_until = p.premium_until
     WHERE t.term IN (?) AND t.user_id = ?`,
    [terms, userId],
  );
};
