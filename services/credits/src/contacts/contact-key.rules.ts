// A contact has one key, however a client writes it. A LinkedIn address counts without scheme, subdomain, fragment and trailing slash; names of
// members and companies in it ignore case, while the ids of Sales Navigator and Recruiter are kept as they are. The query counts only on pages
// of other kinds, since it may name the member there. An email address and any other text ignore case, spacing and invisible characters.

import { asciiDomain } from '@shortlist/contracts/unicode';

const MAX_LENGTH = 600;

const LINKEDIN = /^(?:https?:\/\/)?(?:[a-z0-9-]+\.)*linkedin\.com(?::\d+)?\/([^?#]*)(\?[^#]*)?/i;
/** Names in these paths ignore case. Old addresses of members repeat a namesake's name, and three groups of digits distinguish them. */
const NAME_LENGTHS = new Map(Object.entries({ in: 1, pub: 4, company: 1, school: 1, showcase: 1 }));
/** Paths of these kinds contain ids, which depend on case. What follows the comma after an id is how it was found. */
const ID_PAGES = new Set(['sales', 'talent', 'recruiter']);
const INVISIBLE = /\p{Cf}/gu;
/** What LinkedIn puts before the path of a page: its site for phones, and the links in its emails. */
const PREFIXES = new Set(['mwlite', 'comm']);
/** A path that clients keep without the host. */
const PATH_ALONE = /^\/?(?:in|pub|company|school|showcase)\/[^\s/]+\/?$/i;

type Fold = (text: string) => string;

const clean: Fold = (text) => text.replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim();
const foldForms: Fold = (text) => clean(text.normalize('NFKC').toLowerCase().normalize('NFC'));
const foldCase: Fold = (text) => clean(text.toLowerCase().normalize('NFC'));

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // not percent-encoded text, so it stands for itself
  }
};

/** Keeps a delimiter that was escaped, or that a compatibility form contains, distinct from one of the address. */
const escapeDelimiters = (segment: string): string => segment.replace(/[/?#%]/g, encodeURIComponent);

const namesOf = (page: string, rest: string[], fold: Fold): string[] => {
  const length = NAME_LENGTHS.get(page);
  if (length !== undefined) return rest.slice(0, length).map(fold);
  return ID_PAGES.has(page) ? rest.map((id) => id.replace(/^([^,]+),.*/, '$1').trim()) : rest;
};

const segmentsOf = (path: string): string[] => {
  const [first = '', ...rest] = path
    .split('/')
    .map((segment) => clean(decode(segment)))
    .filter((segment) => segment !== '');
  return PREFIXES.has(first.toLowerCase()) ? rest : [first, ...rest];
};

const withHost = (text: string): string =>
  PATH_ALONE.test(text) ? `linkedin.com/${text.replace(/^\//, '')}` : text;

const linkedInKey = (text: string, fold: Fold): string | null => {
  const [, path = '', query = ''] = LINKEDIN.exec(withHost(text)) ?? [];
  const [kind = '', ...rest] = segmentsOf(path);
  if (rest.length === 0) return null;
  const page = kind.toLowerCase();
  const names = [page, ...namesOf(page, rest, fold)].map(escapeDelimiters);
  return (
    ['linkedin.com', ...names].join('/') + (NAME_LENGTHS.has(page) || ID_PAGES.has(page) ? '' : query.trim())
  );
};

/** The address of a mail header, which may have a name before it. */
const bareAddress = (text: string): string => /^[^<>]*<([^<>@\s]+@[^<>@\s]+)>$/.exec(text)?.[1] ?? text;

/** A domain in its ASCII form, without the dot of the root. */
const withOneDomain = (text: string): string =>
  text.replace(
    /^(\S+@)([^\s@]+?)\.?$/,
    (_, local: string, domain: string) => local + (asciiDomain(domain) ?? domain),
  );

const textKey = (text: string, fold: Fold): string => {
  const plain = fold(text)
    .replace(/^(?:mailto: ?)+([^?]*).*/, '$1')
    .replace(/ ?@ ?/g, '@')
    .trim();
  return withOneDomain(bareAddress(plain));
};

/** The key of a contact: equal for all spellings of one email address, LinkedIn page or text, and of at most 600 characters. */
export const contactKey = (reference: string): string => {
  const text = clean(reference);
  const keyWith = (fold: Fold): string => linkedInKey(text, fold) ?? textKey(text, fold);
  const key = keyWith(foldForms);
  // The compatibility form of a character may be many times longer; a key that it makes too long keeps the characters themselves.
  return key.length <= MAX_LENGTH ? key : keyWith(foldCase);
};
