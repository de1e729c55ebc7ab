// The directory finds a user by terms that start with the text of the search: the user's names, organization, and e-mail address,
// whole and in parts. The database's collation compares them, without case and accents.

const TERM_MAX = 100;
const SEARCH_TERMS_MAX = 6;

const split = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((term) => term !== '')
    .map((term) => term.slice(0, TERM_MAX));

export type Searchable = { email: string; firstName: string; lastName: string; organizationName: string };

/** A user's terms, each once. Two that differ in accents only are one term to the database, which ignores the second. */
export const termsOf = ({ email, firstName, lastName, organizationName }: Searchable): string[] => [
  ...new Set(split(`${firstName} ${lastName} ${organizationName} ${email}`)),
];

/** The term of a whole address. Its prefix separates it from terms, so that a search for a term does not read addresses. */
export const addressTerm = (email: string): string => `@${email.toLowerCase()}`.slice(0, TERM_MAX);

/** All terms as one text, each after a space. */
export const joinTerms = (terms: readonly string[]): string => terms.map((term) => ` ${term}`).join('');
export const splitTerms = (text: string): string[] => text.split(' ').filter((term) => term !== '');

/** A search: the start of an address, or terms that must all match, longest first because that is the most selective. */
export const parseSearch = (search: string): { address: string } | { terms: string[] } => {
  const text = search.trim().toLowerCase();
  if (/^[^\s@]+@\S*$/.test(text)) return { address: text.slice(0, TERM_MAX - 1) };
  const terms = [...new Set(split(text))];
  // A search without letters and digits matches no user. Without a term it would match all of them.
  if (terms.length === 0) return { terms: [text.slice(0, TERM_MAX)] };
  return { terms: terms.toSorted((one, other) => other.length - one.length).slice(0, SEARCH_TERMS_MAX) };
};

/** The LIKE pattern of texts that start with exactly this text. */
export const prefixPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;
