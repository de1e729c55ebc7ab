// The two forms of an internationalised domain: ASCII, which is stored and compared, and Unicode, which people read; and letters that
// people spell differently when they search. Without Joi.

/** The ASCII form of a domain (UTS 46); null if it is not a domain. */
export const asciiDomain = (domain: string): string | null => {
  // ASCII stays unchanged: the URL parser would read some names as numbers.
  const isAscii = /^[\x21-\x7e]*$/.test(domain) && !/(^|\.)xn--/.test(domain);
  if (isAscii) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return null;
  }
};

/** The email in lower case with its domain in ASCII, as it is stored and compared. */
export const asciiEmail = (email: string): string => {
  const text = email.normalize('NFKC').trim().toLowerCase();
  const at = text.lastIndexOf('@') + 1;
  return at === 0 ? text : text.slice(0, at) + (asciiDomain(text.slice(at)) ?? text.slice(at));
};

// The parameters of Punycode. Source: RFC 3492, section 5.
const BASE = 36;
const [T_MIN, T_MAX, SKEW, DAMP] = [1, 26, 38, 700];
const [INITIAL_BIAS, INITIAL_N] = [72, 0x80];
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const MAX_CODE_POINT = 0x10ffff;

const adaptBias = (delta: number, length: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / length);
  let bias = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; bias += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return bias + Math.floor((BASE * rest) / (rest + SKEW));
};

/** Reads a variable-length integer. Returns null where the digits end too early. Source: RFC 3492, section 3.3. */
const readDelta = (encoded: string, from: number, bias: number): { delta: number; end: number } | null => {
  let delta = 0;
  let weight = 1;
  for (let [at, k] = [from, BASE]; at < encoded.length; at += 1, k += BASE) {
    const digit = DIGITS.indexOf(encoded.charAt(at));
    if (digit === -1) return null;
    delta += digit * weight;
    const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
    if (digit < threshold) return { delta, end: at + 1 };
    weight *= BASE - threshold;
  }
  return null;
};

/** Decodes a label without its prefix `xn--`; null if it is not Punycode. Source: RFC 3492, section 6.2. */
const decodeLabel = (encoded: string): string | null => {
  const basicLength = Math.max(encoded.lastIndexOf('-'), 0);
  const points = Array.from(encoded.slice(0, basicLength), (letter) => letter.charCodeAt(0));
  let [n, index, bias] = [INITIAL_N, 0, INITIAL_BIAS];
  for (let at = basicLength === 0 ? 0 : basicLength + 1; at < encoded.length;) {
    const read = readDelta(encoded, at, bias);
    if (read === null) return null;
    const length = points.length + 1;
    bias = adaptBias(read.delta, length, index === 0 && n === INITIAL_N);
    index += read.delta;
    n += Math.floor(index / length);
    index %= length;
    if (!(n <= MAX_CODE_POINT)) return null; // also true of Infinity and NaN
    points.splice(index, 0, n);
    index += 1;
    at = read.end;
  }
  return String.fromCodePoint(...points);
};

const PREFIX = 'xn--';

/** Letters of Latin alphabets in use, without phonetic and historic ones, some of which look like other letters. */
const LATIN = /^[a-z\d\u00df-\u00f6\u00f8-\u017f\u01a1\u01b0\u0219\u021b\u0259\u1e00-\u1eff-]+$/;

/** The recommended scripts of UAX 31 (table 5) besides Latin; Chinese, Japanese and Korean each use several (UTS 39, 5.1). */
const OTHER_SCRIPTS = [
  ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati'],
  ...['Gurmukhi', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil'],
  ...['Telugu', 'Thaana', 'Thai', 'Tibetan', 'Han Bopomofo', 'Han Hiragana Katakana', 'Han Hangul'],
].map((scripts) => {
  const letters = scripts.replace(/(\w+) ?/g, '\\p{Script_Extensions=$1}');
  return new RegExp(`^[${letters}\\d-]+$`, 'u');
});

/** Letters that look like ASCII letters, by script. Sources: confusables.txt of UTS 39, and Chromium's rules for displaying domains. */
const LOOK_ALIKES = [
  'ı',
  'аеорсухіјѕһԁӏԛԝԍгпьъыюҽѵѡ',
  'αικνρυωηοτ',
  'ագզէլհյոսւօ',
  'იოყძხჽჿ',
  'דוחיןסװײ',
].join('');

/** Whether a label looks like ASCII: no letter reveals another script or has an accent. */
const looksAscii = (label: string): boolean =>
  Array.from(label).every((letter) => letter <= '\x7f' || LOOK_ALIKES.includes(letter));

const isReadable = (label: string): boolean =>
  [LATIN, ...OTHER_SCRIPTS].some((letters) => letters.test(label)) && !looksAscii(label);

const readableLabel = (label: string): string | null => {
  if (!label.startsWith(PREFIX)) return label;
  const decoded = decodeLabel(label.slice(PREFIX.length));
  return decoded !== null && isReadable(decoded) ? decoded : null;
};

/**
 * The domain in Unicode if it cannot be mistaken for another domain, otherwise in ASCII. Each label must be in a single script (level "Single
 * Script" of UTS 39, 5.2), with at least one letter that does not look like ASCII, and UTS 46 must encode the whole as the same domain.
 */
const readableDomain = (domain: string): string => {
  const labels = domain.split('.').map(readableLabel);
  if (labels.includes(null)) return domain;
  const readable = labels.join('.');
  return asciiDomain(readable) === domain ? readable : domain;
};

/** An email as people read it: its domain is in Unicode where that is safe. It is for display alone; `asciiEmail` reverses it. */
export const readableEmail = (email: string): string => {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  return at > 0 && domain.includes(PREFIX) ? email.slice(0, at) + readableDomain(domain) : email;
};

/**
 * Letters without a decomposition in Unicode: no normal form makes them plain, nor does every database collation. The plain letters are
 * those of passports (ICAO 9303, part 3, section 6), except ø, which people type as o.
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

/** Those letters in both cases, and capital İ, which JavaScript lowercases to an i with an extra dot. */
export const SPECIAL_LETTERS = [...Object.keys(PLAIN).flatMap((letter) => [letter, letter.toUpperCase()])]
  .filter((letter) => [...letter].length === 1 && letter > '\x7f')
  .concat('ẞ', 'İ')
  .join('');

const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** In lower case, with İ as i. */
export const lowerCase = (text: string): string => text.toLowerCase().replaceAll('i\u0307', 'i');

/** A text in lower case with plain letters in place of those without a decomposition. Keeps accents. */
export const plainLetters = (text: string): string => text.replace(SPECIAL, (letter) => PLAIN[letter] ?? '');

/** A text in lower case with plain letters and without accents. */
export const withoutAccents = (text: string): string =>
  plainLetters(lowerCase(text).normalize('NFD').replace(/\p{M}/gu, ''));
