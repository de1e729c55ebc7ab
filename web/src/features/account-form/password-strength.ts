import { PASSWORD_MIN } from '@shortlist/contracts/limits';
import { passwordLength } from '@shortlist/contracts/schemas/password';
import { accountFormText } from '../../messages/account-form.ts';

export type Strength = { level: 1 | 2 | 3 | 4; label: string };

/** Estimates the strength of a password from its length and its number of different characters. It is a hint, not a rule. */
export const strengthOf = (password: string): Strength | null => {
  const length = passwordLength(password);
  if (length < PASSWORD_MIN) return null;
  const weight = length * 0.6 + new Set(password).size * 0.8;
  if (weight < 10) return { level: 1, label: accountFormText('weak') };
  if (weight < 16) return { level: 2, label: accountFormText('fair') };
  return weight < 22
    ? { level: 3, label: accountFormText('good') }
    : { level: 4, label: accountFormText('strong') };
};
