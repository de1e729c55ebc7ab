import { passwordLength } from '@shortlist/contracts/schemas/password';
import { passwordText } from '../messages/password.ts';

export type Strength = { level: 1 | 2 | 3 | 4; label: string };

/** Estimates the strength of a password from its length and its different characters: a hint, not a rule. Null for a shorter one than `min`. */
export const strengthOf = (password: string, min: number): Strength | null => {
  const length = passwordLength(password);
  if (length < min) return null;
  const weight = length * 0.6 + new Set(password).size * 0.8;
  if (weight < 10) return { level: 1, label: passwordText('weak') };
  if (weight < 16) return { level: 2, label: passwordText('fair') };
  return weight < 22
    ? { level: 3, label: passwordText('good') }
    : { level: 4, label: passwordText('strong') };
};
