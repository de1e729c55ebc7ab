import type { IncomingMessage } from 'node:http';
import { createError } from '../process/errors.ts';

/**
 * Throws `request.malformed` for a request with two Host headers (RFC 9112, section 3.2). Node keeps the first one in `headers` and
 * discards the others, and what stands in front of us may have chosen another.
 */
export const assertSingleHost = ({ headersDistinct }: IncomingMessage): void => {
  if ((headersDistinct['host']?.length ?? 0) > 1) throw createError('request.malformed');
};
