// Content types are compared according to the MIME Sniffing standard (https://mimesniff.spec.whatwg.org), and character sets according to the
// Encoding standard (https://encoding.spec.whatwg.org/#names-and-labels), where each has many labels, in any case.
import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { createError } from '../process/errors.ts';

type WithHeaders = { headers: IncomingHttpHeaders };

const contentTypeOf = ({ headers }: WithHeaders): MIMEType | null => {
  const header = headers['content-type'];
  if (header === undefined) return null; // hot: every request without a body
  try {
    // The standard ignores a parameter with spaces around the equals sign, so its charset would go unchecked.
    return new MIMEType(header.replaceAll(/[ \t]*=[ \t]*/g, '='));
  } catch {
    return null;
  }
};

/** The media type of a body without parameters, in lower case; null if it is missing or cannot be parsed. */
export const mediaTypeOf = (request: WithHeaders): string | null => contentTypeOf(request)?.essence ?? null;

/** The name of the encoding with this label, such as `utf-8` for `UTF8`; null if there is none. */
export const encodingOf = (label: string): string | null => {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
};

/** Whether a body declares an encoding other than UTF-8, the default. */
export const isOtherThanUtf8 = (request: WithHeaders): boolean => {
  const label = contentTypeOf(request)?.params.get('charset') ?? null;
  return label !== null && encodingOf(label) !== 'utf-8';
};

/** Throws `request.unsupported_charset` for a body that is not UTF-8. */
export const assertUtf8 = (request: WithHeaders): void => {
  if (isOtherThanUtf8(request)) throw createError('request.unsupported_charset');
};
