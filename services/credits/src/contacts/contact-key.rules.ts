// One contact is one contact, however a client writes it. A LinkedIn address counts without scheme, subdomain, query and trailing
// slash; names of members and companies in it ignore case, while the ids of Sales Navigator and Recruiter are kept as they are. An
// e-mail address and any other text ignore case, spacing and invisible characters.

/** The length of the column. */
const MAX_LENGTH = 600;

const LINKEDIN = /^(?:https?:\/\/)?(?:[a-z0-9-]+\.)*linkedin\.com(?::\d+)?\/([^?#]*)/i;
/** Paths of these kinds name a member or a company by a word that ignores case. */
const NAMED_PAGES = new Set(['in', 'pub', 'company', 'school', 'showcase']);
const INVISIBLE = /\p{Cf}/gu;

/** The compatibility form of a character may be many times longer; a text that it makes too long keeps its own characters. */
const fold = (text: string): string => {
  const folded = text.normalize('NFKC').toLowerCase().normalize('NFC');
  return folded.length <= MAX_LENGTH ? folded : text.toLowerCase().normalize('NFC');
};

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // not percent-encoded text, so it stands for itself
  }
};

const linkedInKey = (path: string): string | null => {
  const [kind = '', ...rest] = path
    .split('/')
    .map(decode)
    .filter((segment) => segment !== '');
  const page = kind.toLowerCase();
  if (rest.length === 0) return null;
  const names = NAMED_PAGES.has(page) ? rest.slice(0, 1).map(fold) : rest;
  return ['linkedin.com', page, ...names].join('/');
};

/**
 * The key under which a contact is charged once: equal for all spellings of one e-mail address, LinkedIn page or text. A reference
 * of 200 characters has a key of at most 600.
 */
export const contactKey = (reference: string): string => {
  const text = reference.replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim();
  const path = LINKEDIN.exec(text)?.[1];
  const linkedIn = path === undefined ? null : linkedInKey(path);
  return (
    linkedIn ??
    fold(text)
      .replace(/^mailto:/, '')
      .replace(/\s+/gu, ' ')
      .trim()
  );
};
