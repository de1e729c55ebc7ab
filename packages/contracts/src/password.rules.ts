// Which new passwords are refused. identity decides; the browser shows the same result while the user types. A password must not be the
// user's own email or name, contain the name of the product, or be one of the 100,000 most common (common-passwords.md). Invisible
// characters make no difference, and no kinds of characters are required.
import { PASSWORD_MIN } from './limits.ts';

/** The form in which passwords are hashed, NFKC: keyboards produce the same characters in different forms. */
export const normalPassword = (password: string): string => password.normalize('NFKC');

/** The length of a password in characters (code points) of its normal form. */
export const passwordLength = (password: string): number => [...normalPassword(password)].length;

/** Why a password of sufficient length is refused. */
export const PASSWORD_PROBLEMS = {
  common: 'This password is too common. Please choose another one.',
  product: 'Your password cannot contain the name of this product. Please choose another one.',
  personal: 'Your password cannot be your email or your name. Please choose another one.',
  breached: 'This password was part of a data breach elsewhere. Please choose another one.',
} as const;

export type PasswordProblem = keyof typeof PASSWORD_PROBLEMS;

/** The form that is compared: normal, in lower case, without invisible characters. Attackers try these variants too. */
export const guessedForm = (password: string): string =>
  normalPassword(password)
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .trim();

/** `words`: names of the user. */
export type ChosenPassword = { password: string; email: string; words?: readonly string[] | undefined };

/** Every attacker of this product tries it first. */
const PRODUCT_NAME = 'shortlist';

/** Why a password is refused, apart from the list. */
export const guessableProblem = ({ password, email, words = [] }: ChosenPassword): PasswordProblem | null => {
  const form = guessedForm(password);
  const personal = [email, email.split('@')[0] ?? '', ...words, words.join(' '), words.join('')];
  if (personal.map(guessedForm).includes(form)) return 'personal';
  return form.includes(PRODUCT_NAME) ? 'product' : null;
};

/** The list has no shorter ones: such a short remainder is just as easy to guess. */
export const isTooShortToList = (form: string): boolean => passwordLength(form) < PASSWORD_MIN;

// The list is a Bloom filter: it contains every added text, and by chance one in 10,000 others, with 19.2 bits per text and 13 hashes.

const HASHES = 13;

/** The bits of a text, by double hashing: 13 positions from two halves of its SHA-256 (Kirsch and Mitzenmacher). */
export const filterPositions = (digest: Uint8Array, bits: number): number[] => {
  const view = new DataView(digest.buffer, digest.byteOffset);
  const [first, second] = [view.getUint32(0), view.getUint32(4) | 1];
  return Array.from({ length: HASHES }, (_, index) => (first + index * (second >>> 0)) % bits);
};

/** Whether a filter contains the text with this SHA-256. */
export const filterContains = (filter: Uint8Array, digest: Uint8Array): boolean =>
  filterPositions(digest, filter.length * 8).every(
    (position) => ((filter[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0,
  );
