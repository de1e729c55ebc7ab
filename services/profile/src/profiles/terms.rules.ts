// The directory finds a user by terms that start with the text of the search: the user's names, organization, and e-mail address,
// whole and in parts. The database's collation compares them, without case and accents.
import { searchWords } from '@shortlist/contracts/api/directory';

const TERM_MAX = 100;
const SEARCH_TERMS_MAX = 6;

const split = (text: string): string[] => searchWords(text).map((word) => word.slice(0, TERM_MAX));

export type Searchable = { email: string; firstName: string; lastName: string; organizationName: string };

/** A user's terms as one text, each once and after a space. */
export const termsOf = ({ email, firstName, lastName, organizationName }: Searchable): string =>
  [...new Set(split(`${firstName} ${lastName} ${organizationName} ${email}`))]
    .map((term) => ` ${term}`)
    .join('');

/** The terms of a user's rows. The prefix of the whole address separates it from terms, so that a search for a term reads no addresses. */
export const rowTermsOf = ({ email, terms }: { email: string; terms: string }): string[] => [
  `@${email.toLowerCase()}`.slice(0, TERM_MAX),
  ...terms.split(' ').filter((term) => term !== ''),
];

const startsWith = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The LIKE pattern of the rows of a term, and that of a column of the user. */
type TermPattern = { term: string; column: 'email' | 'terms'; pattern: string };

/** A search: the start of an address, or terms that must all match. */
export const parseSearch = (search: string): TermPattern[] => {
  const text = search
    .trim()
    .toLowerCase()
    .slice(0, TERM_MAX - 1);
  if (text === '') return [];
  if (/^[^\s@]+@\S*$/.test(text))
    return [{ term: startsWith(`@${text}`), column: 'email', pattern: startsWith(text) }];
  const terms = [...new Set(split(search))].toSorted((one, other) => other.length - one.length);
  // A search without letters and digits matches no user. Without a term it would match all of them.
  return (terms.length === 0 ? [text] : terms.slice(0, SEARCH_TERMS_MAX)).map((term) => ({
    term: startsWith(term),
    column: 'terms',
    pattern: `% ${startsWith(term)}`,
  }));
};
