// Finds choices by what people type: part of a name, or another name.
import { withoutAccents } from '@shortlist/contracts/unicode';

/** Without accents, case and punctuation, "&" and "St" in full, and without a leading article: what people write in several ways. */
const plain = (text: string): string =>
  withoutAccents(text)
    .replaceAll('&', ' and ')
    .replaceAll('.', '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\bst\b/g, 'saint')
    .trim()
    .replace(/^the /, '');

/** Other names of choices, by the choice. */
export type OtherNames = Readonly<Partial<Record<string, readonly string[]>>>;
export type Choices = { choices: readonly string[]; otherNames?: OtherNames | undefined };

const NO_MATCH = 3;

/** How well a name matches: 0 equals the text, 1 begins with it, 2 contains it. */
const rankOf = (name: string, text: string): number => {
  if (name === text) return 0;
  if (name.startsWith(text)) return 1;
  return name.includes(text) ? 2 : NO_MATCH;
};

/** The choices that have the text in one of their names, the best match first. */
export const matchingChoices = ({ choices, otherNames = {} }: Choices, text: string): string[] => {
  const needle = plain(text);
  // A text of signs alone is no beginning of every name.
  if (needle === '' && text.trim() !== '') return [];
  return choices
    .map((choice) => ({
      choice,
      rank: Math.min(...[choice, ...(otherNames[choice] ?? [])].map((name) => rankOf(plain(name), needle))),
    }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ choice }) => choice);
};

/** The choice of which one name equals the typed text, or ''. */
export const choiceFor = ({ choices, otherNames = {} }: Choices, text: string): string => {
  const isText = (name: string): boolean => plain(name) === plain(text);
  return choices.find(isText) ?? choices.find((choice) => otherNames[choice]?.some(isText)) ?? '';
};
