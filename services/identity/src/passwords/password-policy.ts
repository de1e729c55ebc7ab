import { normalPassword, passwordLength } from '@shortlist/contracts/schemas/password';
import { createError } from '@shortlist/kit/process/errors';

export type NewPassword = { password: string; email: string; words?: readonly string[] | undefined };

/** Throws `request.invalid` with the reason at the field `password`. */
export type PasswordPolicy = (chosen: NewPassword) => Promise<void>;

export const createPasswordPolicy = ({ min }: { min: number }): PasswordPolicy => {
  const problemOf = ({ password }: NewPassword): string | null => {
    if (passwordLength(password) < min) return `Password must contain at least ${min} characters`;
    return null;
  };
  return (chosen) => {
    const problem = problemOf({ ...chosen, password: normalPassword(chosen.password) });
    if (problem !== null) throw createError('request.invalid', { fields: { password: problem } });
    return Promise.resolve();
  };
};
