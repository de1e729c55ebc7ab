// What users and admins have typed, in mails. A sign-up can name any mailbox, so that our mail would carry a spammer's text to its owner:
// a text that names a page, a mailbox or a telephone number is left out. Programs for mail turn host names into links by themselves.
// The name of a person is left out, too, when it is longer than names are, or has a number. What turns the direction of a line, or ends
// it, goes.

const NAME_MAX = 40;

/** Look-alikes become the character itself, and characters that are not seen go. */
const normal = (text: string): string => text.normalize('NFKC').replace(/\p{Cf}/gu, '');

/** The text of one line, without characters that turn the direction of what follows. */
const inLine = (text: string): string =>
  text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** A slash, an address of mail, or a dot that goes on as a host name does. */
const LINK = /[/\\⁄∕@]|[.。]\p{L}[\p{L}\p{N}-]|[.。]\p{N}/u;
const PHONE = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){6,}/u;
const NUMBER = /\p{Nd}(?:.*\p{Nd}){2,}/su;

/** The name in the greeting and at the address; null for one that a mail does without. */
export const mailedName = (name: string): string | null => {
  const text = normal(name);
  const isPlain = !LINK.test(text) && !NUMBER.test(text);
  return isPlain && text.length <= NAME_MAX ? inLine(name) : null;
};

/**
 * The longest name at an address that nobody has confirmed. In a script that is written without spaces, few characters make a sentence: a
 * given name has at most six.
 */
const UNCONFIRMED_MAX = 30;
const UNSPACED_MAX = 6;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const WORD = "\\p{L}\\p{M}*(?:[-'’]?\\p{L}\\p{M}*)*";
const ONE_OR_TWO_WORDS = new RegExp(`^${WORD}(?: ${WORD})?$`, 'u');

/**
 * The name at an address that is not confirmed yet: whoever signed up typed both, so the mailbox may be another person's, who must read
 * no message in it. One or two words of letters, joined by hyphens and apostrophes at most, greet a person and say nothing else: no
 * sentence, no number, no page, no sign. Null for any other name.
 */
export const unconfirmedName = (name: string): string | null => {
  const text = name.normalize('NFC');
  const max = UNSPACED.test(text) ? UNSPACED_MAX : UNCONFIRMED_MAX;
  return ONE_OR_TWO_WORDS.test(text) && [...text].length <= max ? text : null;
};

/** A name beside an address, without what a mail header has to quote (RFC 5322, 3.2.3): programs on the way fail to, and lose the mail. */
export const headerName = (name: string): string =>
  name
    .replace(/[()<>[\]:;@\\,."]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The reason that an admin gave, or the name of an API key; empty for one that a mail does without. It is on a page as well. */
export const mailedPhrase = (text: string): string => {
  const plain = normal(text);
  return LINK.test(plain) || PHONE.test(plain) ? '' : inLine(text);
};
