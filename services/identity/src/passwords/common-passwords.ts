import { readFileSync } from 'node:fs';
import { PASSWORD_MIN } from '@shortlist/contracts/limits';
import { normalPassword, passwordLength } from '@shortlist/contracts/schemas/password';
import { containsText } from './bloom-filter.ts';

const FILE = new URL('common-passwords.bloom', import.meta.url);

/**
 * The form in which passwords are compared with those that are easy to guess: normal, in lower case, and without what a reader does
 * not see, which are characters of no width and space around it. A guesser tries these variants too.
 */
export const guessedForm = (password: string): string =>
  normalPassword(password)
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .trim();

/**
 * Returns whether a password is among the 100,000 commonest, in its guessed form. common-passwords.md describes the file, which has
 * none of fewer than six characters: what is left of a password by then is as easy to guess.
 */
export const readCommonPasswords = (): ((password: string) => boolean) => {
  const filter = readFileSync(FILE);
  return (password) => {
    const form = guessedForm(password);
    return passwordLength(form) < PASSWORD_MIN || containsText(filter, form);
  };
};
