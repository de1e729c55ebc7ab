import type { IncomingMessage } from 'node:http';
import { createError } from '@shortlist/kit/process/errors';

/**
 * The bytes of a body for which an endpoint declares no other number: an e-mail address, a password of 256 characters and a token, each
 * character escaped.
 */
export const FORM_BYTES = 4 * 1024;

/** Throws `request.too_large` for a request that announces a larger body than its endpoint takes. */
export const assertBodySize = ({ headers }: IncomingMessage, bodyBytes: number): void => {
  if (Number(headers['content-length'] ?? 0) > bodyBytes) throw createError('request.too_large');
};

/** Throws `request.length_missing` for a body that does not announce its size. */
export const assertAnnounced = ({ headers }: IncomingMessage): void => {
  if (headers['transfer-encoding'] !== undefined) throw createError('request.length_missing');
};
