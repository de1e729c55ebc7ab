import { createError } from '@shortlist/kit/process/errors';

// Paths that two programs could resolve differently: encoded dots and slashes, backslashes, empty or dot segments.
const AMBIGUOUS = /(\/\/)|\\|(\/\.{1,2}(\/|$))|%2e|%2f|%5c|%00|;/i;

/** The longest search has a dozen. */
const PARAMETERS_MAX = 50;

const isEncodedText = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

/**
 * Parses the request target. Throws `request.malformed` for anything but an unambiguous absolute path, and
 * `request.too_many_parameters` for a longer query than any endpoint or page has.
 */
export const parseTarget = (target: string | undefined): URL => {
  if (!target?.startsWith('/')) throw createError('request.malformed');
  const path = target.split('?', 1)[0] ?? '';
  const url = AMBIGUOUS.test(path) || !isEncodedText(path) ? null : URL.parse(target, 'http://bff');
  if (url === null) throw createError('request.malformed');
  if (url.search.split('&', PARAMETERS_MAX + 1).length > PARAMETERS_MAX)
    throw createError('request.too_many_parameters');
  return url;
};
