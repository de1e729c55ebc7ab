// People are found by words that begin as what was typed: their names, their organisation, and their address whole and in
// parts. Case and accents do not matter; the database compares them so.

const WORD_MAX = 100;
const WORDS_MAX = 6;

const split = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, WORD_MAX));

export type Findable = { email: string; firstName: string; lastName: string; organizationName: string };

/**
 * The words of a person, each once. Compared without accents in the database, so two may be one there: the writer ignores the
 * second.
 */
export const wordsOf = ({ email, firstName, lastName, organizationName }: Findable): string[] => [
  ...new Set(split(`${firstName} ${lastName} ${organizationName} ${email}`)),
];

/** The whole address is marked, so that a word typed does not also read the addresses that begin with it. */
export const addressTerm = (email: string): string => `@${email.toLowerCase()}`.slice(0, WORD_MAX);

/** All words as one text, each behind a space. */
export const joinWords = (words: readonly string[]): string => words.map((word) => ` ${word}`).join('');
export const splitWords = (text: string): string[] => text.split(' ').filter((word) => word !== '');

/** What is looked for: an address from its beginning, or words that must all be found, longest first, since that is the rarest. */
export const searchedFor = (search: string): { address: string } | { words: string[] } => {
  const text = search.trim().toLowerCase();
  if (/^[^\s@]+@\S*$/.test(text)) return { address: text.slice(0, WORD_MAX - 1) };
  const words = [...new Set(split(text))];
  // Signs alone are in nobody's words: asked for as they are, they find nobody, and not everybody.
  if (words.length === 0) return { words: [text.slice(0, WORD_MAX)] };
  return { words: words.toSorted((one, other) => other.length - one.length).slice(0, WORDS_MAX) };
};

/** The LIKE pattern for "begins with these very characters". */
export const beginningWith = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;
