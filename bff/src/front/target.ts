import { createError } from '@shortlist/kit/process/errors';

// A path that two programs could read differently: dots and slashes in disguise, backslashes, empty segments.
const AMBIGUOUS = /(\/\/)|\\|(\/\.{1,2}(\/|$))|%2e|%2f|%5c|%00|;/i;

/** The request's target as a URL. Throws `request.malformed` for anything but an unambiguous path of our own. */
export const readTarget = (target: string | undefined): URL => {
  if (!target?.startsWith('/')) throw createError('request.malformed');
  const path = target.split('?', 1)[0] ?? '';
  if (AMBIGUOUS.test(path) || !URL.canParse(target, 'http://bff')) throw createError('request.malformed');
  return new URL(target, 'http://bff');
};
