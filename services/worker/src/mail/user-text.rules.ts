// Text typed by users and admins, in emails. A sign-up can name any mailbox, so a spammer could use our emails to send text to its owner: text
// with a URL, an email or a telephone number is left out, because mail clients turn host names into links. A person's name is also left out if
// it is too long for a name or has a number. Characters that end a line or change its direction are removed.

const NAME_MAX = 40;

/** Replaces look-alikes by the character itself, and removes invisible characters. */
const normal = (text: string): string => text.normalize('NFKC').replace(/\p{Cf}/gu, '');

/** The text as one line, without characters that change the direction of what follows. */
const inLine = (text: string): string =>
  text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** A slash, an @, or a dot followed by text as in a host name. */
const LINK = /[/\\⁄∕@]|[.。]\p{L}[\p{L}\p{N}-]|[.。]\p{N}/u;
const PHONE = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){6,}/u;
const NUMBER = /\p{Nd}(?:.*\p{Nd}){2,}/su;

/** The name for greeting and address; null if it must be left out. */
export const mailedName = (name: string): string | null => {
  const text = normal(name);
  const isPlain = !LINK.test(text) && !NUMBER.test(text);
  return isPlain && text.length <= NAME_MAX ? inLine(name) : null;
};

/** The longest name at an unconfirmed address. In scripts without spaces, a few characters make a sentence: a given name has at most six. */
const UNCONFIRMED_MAX = 30;
const UNSPACED_MAX = 6;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const WORD = "\\p{L}\\p{M}*(?:[-'’]?\\p{L}\\p{M}*)*";
const ONE_OR_TWO_WORDS = new RegExp(`^${WORD}(?: ${WORD})?$`, 'u');

/**
 * The name at an unconfirmed address. The same person typed both, so the mailbox may belong to someone else, to whom the name must not carry a
 * message. Allows one or two words of letters, hyphens and apostrophes: no sentence, number, URL or symbol. Null for any other name.
 */
export const unconfirmedName = (name: string): string | null => {
  const text = name.normalize('NFC');
  const max = UNSPACED.test(text) ? UNSPACED_MAX : UNCONFIRMED_MAX;
  return ONE_OR_TWO_WORDS.test(text) && [...text].length <= max ? text : null;
};

/**
 * A name in an address header, without characters that need quoting (RFC 5322, 3.2.3), because some mail servers fail to quote them and lose
 * the email.
 */
export const headerName = (name: string): string =>
  name
    .replace(/[()<>[\]:;@\\,."]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** An admin's reason or the name of an API key; empty if it must be left out. A page shows it as well. */
export const mailedPhrase = (text: string): string => {
  const plain = normal(text);
  return LINK.test(plain) || PHONE.test(plain) ? '' : inLine(text);
};
