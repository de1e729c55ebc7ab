import { PASSWORD_MIN } from '@shortlist/contracts/limits';

/** A hint, not a rule: length counts most, repetition counts little. */
export const strengthOf = (password: string): string | null => {
  if (password.length < PASSWORD_MIN) return null;
  const weight = password.length * 0.6 + new Set(password).size * 0.8;
  if (weight < 10) return 'Weak. A few more words would help.';
  return weight < 16 ? 'Fair. Longer is stronger.' : 'Strong.';
};
