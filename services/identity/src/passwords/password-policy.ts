import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PASSWORD_MIN } from '@shortlist/contracts/limits';
import { normalPassword, PASSWORD_PROBLEMS, passwordLength } from '@shortlist/contracts/schemas/password';
import { createFieldError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';

/**
 * A set of texts in few bits, which can be searched and not listed: it contains every text that was added, and by chance a few
 * others. With `bits` of 19.2 per text and 13 hashes, one of 10,000 other texts is contained.
 */
const BITS_PER_TEXT = 19.2;
const HASHES = 13;

/** The bits of a text, by double hashing: 13 positions from two halves of one digest (Kirsch and Mitzenmacher). */
const positionsOf = (text: string, bits: number): number[] => {
  const digest = createHash('sha256').update(text).digest();
  const [first, second] = [digest.readUInt32BE(0), digest.readUInt32BE(4) | 1];
  return Array.from({ length: HASHES }, (_, index) => (first + index * (second >>> 0)) % bits);
};

const containsText = (filter: Uint8Array, text: string): boolean =>
  positionsOf(text, filter.length * 8).every(
    (position) => ((filter[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0,
  );

/** Adds the texts to a filter of the size that suits their number. */
export const buildFilter = (texts: readonly string[]): Uint8Array => {
  const filter = new Uint8Array(Math.ceil((texts.length * BITS_PER_TEXT) / 8));
  for (const text of texts)
    for (const position of positionsOf(text, filter.length * 8))
      filter[position >>> 3] = (filter[position >>> 3] ?? 0) | (1 << (position & 7));
  return filter;
};

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

type FindBreach = (password: string) => Promise<boolean>;

const PREFIX = 5;
const TIMEOUT_MS = 1_500;

/**
 * Looks passwords up in a list of breached ones by k-anonymity, as Have I Been Pwned defines it: only the first five characters of
 * the SHA-1 are sent, and the response has the rest of every hash that begins so. Without a response the password is accepted.
 */
const createFindBreach = ({ url, log }: { url: string; log: Log }): FindBreach => {
  if (url === '') return () => Promise.resolve(false);
  const base = url.endsWith('/') ? url : `${url}/`;
  return async (password) => {
    const hash = createHash('sha1').update(normalPassword(password)).digest('hex').toUpperCase();
    try {
      const response = await fetch(`${base}${hash.slice(0, PREFIX)}`, {
        headers: { 'add-padding': 'true' },
        redirect: 'error', // a redirect could send the prefix to another host, or into our own network
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const lines = (await response.text()).split(/\r?\n/).map((line) => line.split(':'));
      // Padding has the count 0.
      return lines.some(([rest, count]) => rest === hash.slice(PREFIX) && Number(count) > 0);
    } catch (error) {
      log.warn({ err: error }, 'breached passwords not looked up');
      return false;
    }
  };
};

/** `words`: names of the user. */
export type NewPassword = { password: string; email: string; words?: readonly string[] | undefined };

/** Throws `request.invalid` with the reason at the field `password`. */
export type PasswordPolicy = (chosen: NewPassword) => Promise<void>;

type Settings = { min: number; breachedUrl: string; log: Log };

/** What everyone who attacks this product tries first. */
const PRODUCT_NAME = 'shortlist';

const isPersonal = ({ password, email, words = [] }: NewPassword): boolean => {
  const personal = [email, email.split('@')[0] ?? '', ...words, words.join(' '), words.join('')];
  return personal.map(guessedForm).includes(guessedForm(password));
};

/** The rules for a password that is chosen: its length, and that it is not easy to guess. No kinds of characters are required. */
export const createPasswordPolicy = ({ min, breachedUrl, log }: Settings): PasswordPolicy => {
  const isCommon = readCommonPasswords();
  const findBreach = createFindBreach({ url: breachedUrl, log });
  const isBreached = async (password: string): Promise<boolean> => {
    for (const form of new Set([password, password.trim()])) if (await findBreach(form)) return true;
    return false;
  };
  const problemOf = async (chosen: NewPassword): Promise<string | null> => {
    const { password } = chosen;
    if (passwordLength(password) < min) return `Password must contain at least ${min} characters`;
    if (isPersonal(chosen)) return PASSWORD_PROBLEMS.personal;
    if (guessedForm(password).includes(PRODUCT_NAME)) return PASSWORD_PROBLEMS.product;
    if (isCommon(password)) return PASSWORD_PROBLEMS.common;
    return (await isBreached(password)) ? PASSWORD_PROBLEMS.breached : null;
  };
  return async (chosen) => {
    const problem = await problemOf(chosen);
    if (problem !== null) throw createFieldError('request.invalid', 'password', { message: problem });
  };
};
