import { PASSWORD_PROBLEMS, passwordLength } from '@shortlist/contracts/schemas/password';
import type { Log } from '@shortlist/kit/process/log';
import { createFieldError } from '@shortlist/kit/process/errors';
import { createFindBreach, guessedForm, readCommonPasswords } from './breached-passwords.ts';

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
