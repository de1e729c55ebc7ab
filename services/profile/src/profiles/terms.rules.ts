// The directory finds a user by terms that start with the text of the search: the user's names, organization, and email, whole and in parts.
// The database's collation compares them, ignoring case and accents. A term with a letter that the collation does not equate with a plain one,
// such as ł, is stored a second time with plain letters, and a search for either spelling reads both.
import { searchWords } from '@shortlist/contracts/api/directory';
import { asciiEmail, plainLetters, readableEmail } from '@shortlist/contracts/unicode';

const TERM_MAX = 100;
/** The width of the column. Plain letters can be twice as long, so the last spellings of extremely long names are left out. */
const TERMS_MAX = 800;
const SEARCH_TERMS_MAX = 6;

const split = (text: string): string[] => searchWords(text).map((word) => word.slice(0, TERM_MAX));

const plain = (term: string): string => plainLetters(term).slice(0, TERM_MAX);

export type Searchable = { email: string; firstName: string; lastName: string; organizationName: string };

/** A user's terms as one text, each once and preceded by a space. */
export const termsOf = ({ email, firstName, lastName, organizationName }: Searchable): string => {
  const terms = split(`${firstName} ${lastName} ${organizationName} ${email} ${readableEmail(email)}`);
  let text = '';
  // Plain letters first: if the collation equates ß with ss but LIKE does not, the first row is kept, and every search reads plain letters.
  for (const term of new Set([...terms.map(plain), ...terms]))
    if (text.length + term.length < TERMS_MAX) text += ` ${term}`;
  return text;
};

/** The terms of a user's rows. The prefix of the whole email separates it from terms, so that a search for a term reads no emails. */
export const rowTermsOf = ({ email, terms }: { email: string; terms: string }): string[] => [
  `@${email.toLowerCase()}`.slice(0, TERM_MAX),
  ...terms.split(' ').filter((term) => term !== ''),
];

const startsWith = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The LIKE patterns for a term's rows, any of which may match, and those for a column of the user. */
type TermPatterns = { terms: string[]; column: 'email' | 'terms'; patterns: string[] };

/** The start of an email in its stored form; null for other text, and while an internationalised domain is incomplete. */
const emailStart = (text: string): string | null => {
  if (!/^[^\s@]+@\S*$/.test(text)) return null;
  const isDomainTyped =
    /^[\x21-\x7e]*$/.test(text.slice(text.lastIndexOf('@'))) || /\.[\x21-\x7e]*$/.test(text);
  return isDomainTyped ? asciiEmail(text) : null;
};

/** A search: the start of an email, or terms that must all match. */
export const parseSearch = (search: string): TermPatterns[] => {
  const text = search
    .trim()
    .toLowerCase()
    .slice(0, TERM_MAX - 1);
  if (text === '') return [];
  const email = emailStart(text);
  if (email !== null)
    return [{ terms: [startsWith(`@${email}`)], column: 'email', patterns: [startsWith(email)] }];
  const words = [...new Set(split(search))].toSorted((one, other) => other.length - one.length);
  // A search without letters and digits matches no user; without a term it would match all of them.
  return (words.length === 0 ? [text] : words.slice(0, SEARCH_TERMS_MAX)).map((word) => {
    const terms = [...new Set([word, plain(word)])].map(startsWith);
    return { terms, column: 'terms', patterns: terms.map((term) => `% ${term}`) };
  });
};
