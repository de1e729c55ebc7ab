// People are found by words that begin as what was typed: their names, their organisation, and their address whole and in
// parts. Case and accents do not matter; the database compares them so.

const TERM_MAX = 100;
const WORDS_MAX = 6;

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

export type Findable = { email: string; firstName: string; lastName: string; organizationName: string };

// The whole address is marked, so that a word typed does not also read the addresses that begin with it.
// Compared without accents in the database, so two words may be one there: the writer ignores the second.
export const termsOf = ({ email, firstName, lastName, organizationName }: Findable): string[] => {
  const words = wordsOf(`${firstName} ${lastName} ${organizationName} ${email}`);
  return [...new Set([`@${email.toLowerCase()}`, ...words])].map((term) => term.slice(0, TERM_MAX));
};

/** What must all be found, longest first, since the longest is the rarest. An address is looked for as a whole. */
export const searchedTerms = (search: string): string[] => {
  const text = search.trim().toLowerCase();
  if (text.includes('@')) return [`@${text}`.slice(0, TERM_MAX)];
  const words = [...new Set(wordsOf(text))].map((word) => word.slice(0, TERM_MAX));
  return words.sort((one, other) => other.length - one.length).slice(0, WORDS_MAX);
};

/** The LIKE pattern for "begins with these very characters". */
export const beginningWith = (term: string): string => `${term.replace(/[\\%_]/g, '\\$&')}%`;
