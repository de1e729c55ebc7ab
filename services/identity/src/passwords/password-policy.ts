import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type ChosenPassword,
  filterContains,
  filterPositions,
  guessableProblem,
  guessedForm,
  isTooShortToList,
  normalPassword,
  PASSWORD_PROBLEMS,
  passwordLength,
} from '@shortlist/contracts/password.rules';
import { createFieldError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';

const digestOf = (text: string): Uint8Array => createHash('sha256').update(text).digest();

const BITS_PER_TEXT = 19.2;

/** Adds the texts to a filter of the size that suits their number. */
export const buildFilter = (texts: readonly string[]): Uint8Array => {
  const filter = new Uint8Array(Math.ceil((texts.length * BITS_PER_TEXT) / 8));
  for (const text of texts)
    for (const position of filterPositions(digestOf(text), filter.length * 8))
      filter[position >>> 3] = (filter[position >>> 3] ?? 0) | (1 << (position & 7));
  return filter;
};

const FILE = createRequire(import.meta.url).resolve('@shortlist/contracts/common-passwords.bloom');

/** Returns whether a password is among the commonest, in its guessed form. */
export const readCommonPasswords = (): ((password: string) => boolean) => {
  const filter = readFileSync(FILE);
  return (password) => {
    const form = guessedForm(password);
    return isTooShortToList(form) || filterContains(filter, digestOf(form));
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

/** Throws `request.invalid` with the reason at the field `password`. */
export type PasswordPolicy = (chosen: ChosenPassword) => Promise<void>;

type Settings = { min: number; breachedUrl: string; log: Log };

/** The rules for a password that is chosen: its length, and that it is not easy to guess. No kinds of characters are required. */
export const createPasswordPolicy = ({ min, breachedUrl, log }: Settings): PasswordPolicy => {
  const isCommon = readCommonPasswords();
  const findBreach = createFindBreach({ url: breachedUrl, log });
  const isBreached = async (password: string): Promise<boolean> => {
    for (const form of new Set([password, password.trim()])) if (await findBreach(form)) return true;
    return false;
  };
  const problemOf = async (chosen: ChosenPassword): Promise<string | null> => {
    const { password } = chosen;
    if (passwordLength(password) < min) return `Password must contain at least ${min} characters`;
    const guessable = guessableProblem(chosen);
    if (guessable !== null) return PASSWORD_PROBLEMS[guessable];
    if (isCommon(password)) return PASSWORD_PROBLEMS.common;
    return (await isBreached(password)) ? PASSWORD_PROBLEMS.breached : null;
  };
  return async (chosen) => {
    const problem = await problemOf(chosen);
    if (problem !== null) throw createFieldError('request.invalid', 'password', { message: problem });
  };
};
