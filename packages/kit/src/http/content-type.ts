// Content types are compared as the MIME Sniffing standard says (https://mimesniff.spec.whatwg.org), and character sets as the Encoding
// standard does (https://encoding.spec.whatwg.org/#names-and-labels): each has many labels, in any case.
import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { createError } from '../process/errors.ts';

type WithHeaders = { headers: IncomingHttpHeaders };

const contentTypeOf = ({ headers }: WithHeaders): MIMEType | null => {
  const header = headers['content-type'];
  if (header === undefined) return null; // hot: every request without a body
  try {
    // The standard ignores a parameter with spaces around its sign, which would be a charset that no one has looked at.
    return new MIMEType(header.replaceAll(/[ \t]*=[ \t]*/g, '='));
  } catch {
    return null;
  }
};

/** The type of a body without its parameters, in lower case; null when it has none, or one that cannot be parsed. */
export const mediaTypeOf = (request: WithHeaders): string | null => contentTypeOf(request)?.essence ?? null;

/** The name of the encoding that has this label, such as `utf-8` for `UTF8`; null when none has. */
export const encodingOf = (label: string): string | null => {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
};

/** Whether a body is text of another encoding than UTF-8, which is what it has when it names none. */
export const isOtherThanUtf8 = (request: WithHeaders): boolean => {
  const label = contentTypeOf(request)?.params.get('charset') ?? null;
  return label !== null && encodingOf(label) !== 'utf-8';
};

/** Throws `request.unsupported_charset` for a body that is not UTF-8. */
export const assertUtf8 = (request: WithHeaders): void => {
  if (isOtherThanUtf8(request)) throw createError('request.unsupported_charset');
};
