import type { IncomingMessage } from 'node:http';
import { assertSingleHost } from '@shortlist/kit/http/express-app';
import { createError } from '@shortlist/kit/process/errors';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The name in a Host header, without the port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/**
 * Returns a check that throws `request.wrong_host` for a request whose Host header has neither the name of the public address nor
 * one of `allowed`, and `request.malformed` for one with two Host headers. A product at a loopback address has all loopback names.
 */
export const createHostCheck = (
  publicUrl: string,
  allowed: readonly string[],
): ((request: IncomingMessage) => void) => {
  const { hostname } = new URL(publicUrl);
  const names = new Set([hostname, ...allowed.map(nameOf), ...(LOOPBACK.includes(hostname) ? LOOPBACK : [])]);
  return (request) => {
    assertSingleHost(request);
    if (!names.has(nameOf(request.headers.host ?? ''))) throw createError('request.wrong_host');
  };
};
