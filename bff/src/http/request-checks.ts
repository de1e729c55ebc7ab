// The checks that need nothing but the request itself.
import type { IncomingMessage } from 'node:http';
import { seconds } from '@shortlist/contracts/durations';
import { assertSingleHost, readJson } from '@shortlist/kit/http/express-app';
import { hasBody } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import type { Xsrf } from '../session/xsrf.ts';
import type { Step } from './endpoint.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The name in a Host header, without the port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/**
 * Throws `request.wrong_host` for a request whose Host header has neither the name of the public address nor one of `allowed`, and
 * `request.malformed` for one with two Host headers. A product at a loopback address has all loopback names.
 */
export const assertHost = (publicUrl: string, allowed: readonly string[]): Step => {
  const { hostname } = new URL(publicUrl);
  const names = new Set([hostname, ...allowed.map(nameOf), ...(LOOPBACK.includes(hostname) ? LOOPBACK : [])]);
  return (request, _response, next) => {
    assertSingleHost(request);
    if (!names.has(nameOf(request.headers.host ?? ''))) throw createError('request.wrong_host');
    next();
  };
};

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
 * Parses the target of a request. Throws `request.malformed` for anything but an unambiguous absolute path, and
 * `request.too_many_parameters` for a longer query than any endpoint or page has.
 */
export const parseTarget: Step = ({ url: target }, response, next) => {
  if (!target.startsWith('/')) throw createError('request.malformed');
  const path = target.split('?', 1)[0] ?? '';
  const url = AMBIGUOUS.test(path) || !isEncodedText(path) ? null : URL.parse(target, 'http://bff');
  if (url === null) throw createError('request.malformed');
  if (url.search.split('&', PARAMETERS_MAX + 1).length > PARAMETERS_MAX)
    throw createError('request.too_many_parameters');
  response.locals.url = url;
  next();
};

/** Throws `request.cross_site` for a change that a page of another site sends. */
export const assertSameSite =
  (xsrf: Xsrf): Step =>
  (request, _response, next) => {
    xsrf.assert(request);
    next();
  };

/** Throws `request.too_large` for a request that announces a larger body than its endpoint takes. */
export const assertBodySize =
  (bodyBytes: number): Step =>
  ({ headers }, _response, next) => {
    if (Number(headers['content-length'] ?? 0) > bodyBytes) throw createError('request.too_large');
    next();
  };

/** From the end of the headers until the last byte of the body. */
const BODY_MS = seconds(10);

/**
 * Reads a JSON body whole, ahead of every check of its sender: what was checked first could end before the rest arrives. Throws
 * `request.timeout` for one that takes longer than BODY_MS, and `request.unsupported_type` or `request.unsupported_charset` for one of
 * another type.
 */
export const readBody = (bodyBytes: number, bodyMs = BODY_MS): Step => {
  const read = readJson(bodyBytes) as Step;
  return (request, response, next) => {
    if (!hasBody(request)) return next();
    let isOver = false;
    const proceed = (error?: unknown): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      next(error);
    };
    const timer = setTimeout(() => {
      response.setHeader('connection', 'close');
      proceed(createError('request.timeout'));
    }, bodyMs).unref();
    void read(request, response, (error?: unknown) => {
      if (error === undefined && request.body === undefined) proceed(createError('request.unsupported_type'));
      else proceed(error);
    });
  };
};

/** Throws `request.length_missing` for a body that does not announce its size. */
export const assertAnnounced = ({ headers }: IncomingMessage): void => {
  if (headers['transfer-encoding'] !== undefined) throw createError('request.length_missing');
};
