// Letters that people leave out or write in another way when they search. Free of Joi.

/**
 * Letters without a decomposition in Unicode: no normal form makes them plain, and not every collation of a database does. Plain letters
 * are those of passports (ICAO 9303, part 3, section 6), but people type ø as o.
 */
const PLAIN: Readonly<Record<string, string>> = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ł: 'l',
  ŋ: 'n',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ŧ: 't',
};

/** Those letters in both cases, and the capital İ, whose small letter in JavaScript is an i with another dot. */
export const SPECIAL_LETTERS = [...Object.keys(PLAIN).flatMap((letter) => [letter, letter.toUpperCase()])]
  .filter((letter) => [...letter].length === 1 && letter > '\x7f')
  .concat('ẞ', 'İ')
  .join('');

const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** In lower case, with İ as i. */
export const lowerCase = (text: string): string => text.toLowerCase().replaceAll('i\u0307', 'i');

/** A text in lower case with plain letters in place of those without a decomposition; accents stay. */
export const plainLetters = (text: string): string => text.replace(SPECIAL, (letter) => PLAIN[letter] ?? '');

/** A text in lower case with plain letters and without accents. */
export const withoutAccents = (text: string): string =>
  plainLetters(lowerCase(text).normalize('NFD').replace(/\p{M}/gu, ''));
