// Double-submit token against cross-site requests: a page of this origin repeats in a header what it reads from a cookie. The token
// is an HMAC of a second cookie, which scripts cannot read: a random value and the names of the browser's sessions. It is therefore
// valid for this browser and these sessions only, and each log-in and log-out replaces it.
import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { XSRF_COOKIE, XSRF_HEADER } from '@shortlist/contracts/api/public';
import { seconds } from '@shortlist/contracts/durations';
import { SESSION_ABSOLUTE_SECONDS } from '@shortlist/contracts/limits';
import { mediaTypeOf } from '@shortlist/kit/http/content-type';
import { createError } from '@shortlist/kit/process/errors';
import { createSigner } from '@shortlist/kit/http/signer';
import { stringifySetCookie } from 'cookie';
import { cookiesOf, defineCookie, tokenOf } from './credentials.ts';

type Change = { begun: string } | { ended: string | null };
type Exchange = { request: IncomingMessage; response: ServerResponse };

export type Xsrf = {
  /** Sets both cookies unless the browser has valid ones, and adds the request's session if it is missing in them. */
  ensure: (exchange: Exchange, sessionToken?: string | null) => void;
  /** Sets new cookies, with one session added or removed. */
  renew: (exchange: Exchange, change: Change) => void;
  /** Throws `request.cross_site` for a change that comes neither from a page of this origin nor from a client without cookies. */
  assert: (request: IncomingMessage) => void;
  /** The same for an endpoint that makes a change with GET. */
  assertChange: (request: IncomingMessage) => void;
};

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
/** The content types that a form of any site can send without a preflight request. No endpoint that a session opens accepts them. */
const FORM_TYPES = new Set<string | null>(['text/plain', 'application/x-www-form-urlencoded']);
const PART = /^[A-Za-z0-9_-]{22}$/;
/** A browser has one session as a user and one as an admin; older ones may have expired since. */
const SESSIONS_MAX = 4;

/** A session's name in the cookie, from which its token cannot be derived. */
const nameOf = (token: string): string => hash('sha256', `browser ${token}`, 'base64url').slice(0, 22);

/** A product over http may be opened by each of its hosts' names. Over https, a page of the same host over http is not ours. */
const createForeignCheck = ({ origin: publicOrigin, protocol }: URL) => {
  const isOwn = (origin: string, host = ''): boolean =>
    origin === publicOrigin || (protocol === 'http:' && origin === `http://${host}`);
  return ({ headers: { origin, host, 'sec-fetch-site': site } }: IncomingMessage): boolean => {
    if (site === 'cross-site') return true;
    return origin !== undefined && site !== 'same-origin' && !isOwn(origin, host);
  };
};

/** The parts of the cookie's value; null when it is malformed. */
const readBrowser = (value: string): { random: string; sessions: string[] } | null => {
  const [random = '', ...sessions] = value.split('.');
  const isValid =
    PART.test(random) && sessions.length <= SESSIONS_MAX && sessions.every((name) => PART.test(name));
  return isValid ? { random, sessions } : null;
};

const sessionsAfter = (sessions: string[], change: Change): string[] => {
  if ('begun' in change) return [nameOf(change.begun), ...sessions];
  const ended = change.ended === null ? null : nameOf(change.ended);
  return sessions.filter((name) => name !== ended);
};

export const createXsrf = ({ keys, publicUrl }: { keys: readonly string[]; publicUrl: string }): Xsrf => {
  const publicOrigin = new URL(publicUrl);
  const isForeign = createForeignCheck(publicOrigin);
  const secure = publicOrigin.protocol === 'https:';
  const browserCookie = defineCookie({ name: 'browser', publicUrl, sameSite: 'lax' });
  const attributes = {
    name: XSRF_COOKIE,
    path: '/',
    sameSite: 'lax',
    maxAge: SESSION_ABSOLUTE_SECONDS,
    secure,
  } as const;
  const signer = createSigner(keys);

  const sessionsOf = (request: IncomingMessage): string[] =>
    readBrowser(browserCookie.read(request))?.sessions ?? [];

  const setCookies = (response: ServerResponse, sessions: string[]): void => {
    const browser = [randomBytes(16).toString('base64url'), ...sessions.slice(0, SESSIONS_MAX)].join('.');
    browserCookie.set(response, browser, seconds(SESSION_ABSOLUTE_SECONDS));
    response.appendHeader('set-cookie', [stringifySetCookie({ ...attributes, value: signer.sign(browser) })]);
  };

  const isFromOwnPage = (request: IncomingMessage): boolean => {
    const browser = browserCookie.read(request);
    const sent = request.headers[XSRF_HEADER];
    const repeats = typeof sent === 'string' && readBrowser(browser) !== null && signer.verify(browser, sent);
    const session = tokenOf(request);
    return repeats && (session === null || sessionsOf(request).includes(nameOf(session)));
  };

  const assertChange = (request: IncomingMessage): void => {
    const isForm = FORM_TYPES.has(mediaTypeOf(request));
    const isOwnClient = request.headers.cookie === undefined || isFromOwnPage(request);
    if (isForeign(request) || isForm || !isOwnClient) throw createError('request.cross_site');
  };

  return {
    ensure: ({ request, response }, sessionToken = null) => {
      const browser = browserCookie.read(request);
      const sessions = sessionsOf(request);
      const known = sessionToken === null || sessions.includes(nameOf(sessionToken));
      const token = cookiesOf(request)[XSRF_COOKIE] ?? '';
      const isComplete = readBrowser(browser) !== null && signer.verify(browser, token);
      if (!known) setCookies(response, [nameOf(sessionToken), ...sessions]);
      else if (!isComplete) setCookies(response, sessions);
    },
    renew: ({ request, response }, change) =>
      setCookies(response, sessionsAfter(sessionsOf(request), change)),
    assert: (request) => {
      if (!SAFE.has(request.method ?? 'GET')) assertChange(request);
    },
    assertChange,
  };
};
