import { PASSWORD_MIN } from '@shortlist/contracts/limits';

export type Strength = { strokes: 1 | 2 | 3 | 4; words: string };

/** A hint, not a rule: length counts most, repetition counts little. */
export const strengthOf = (password: string): Strength | null => {
  if (password.length < PASSWORD_MIN) return null;
  const weight = password.length * 0.6 + new Set(password).size * 0.8;
  if (weight < 10) return { strokes: 1, words: 'Weak. A few more words would help.' };
  if (weight < 16) return { strokes: 2, words: 'Fair. Longer is stronger.' };
  return weight < 22 ? { strokes: 3, words: 'Good.' } : { strokes: 4, words: 'Strong.' };
};
