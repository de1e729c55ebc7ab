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
