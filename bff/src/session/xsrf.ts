// A page of ours repeats a token that only it can read; another site's page cannot. The token is made from a cookie that no
// script can read: a random mark, and the sessions that this browser holds. So it is good for this browser and these sessions
// alone, and a new mark at each log in and log out makes the old one void.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { XSRF_COOKIE, XSRF_HEADER } from '@shortlist/contracts/api/public';
import { SESSION_ABSOLUTE_SECONDS } from '@shortlist/contracts/limits';
import { createError } from '@shortlist/kit/process/errors';
import { tokenOf } from './token.ts';

type Change = { begun: string } | { ended: string | null };
type Exchange = { request: IncomingMessage; response: ServerResponse };

export type Xsrf = {
  /** Gives the browser a mark and its token unless it has them, and notes a session that it turns out to hold. */
  ensure: (exchange: Exchange, sessionToken?: string | null) => void;
  /** Gives the browser a new mark and token, with one session more or less. */
  renew: (exchange: Exchange, change: Change) => void;
  /** Refuses a change that was not sent by a page of ours, or by a plain client without cookies. What only reads passes. */
  assert: (request: IncomingMessage) => void;
  /** The same for a door that changes something although its method says that it reads. */
  assertChange: (request: IncomingMessage) => void;
};

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What a form of any site can send without asking first. No door of ours takes these. */
const FORM_TYPES = /^\s*(text\/plain|application\/x-www-form-urlencoded)/i;
const PART = /^[A-Za-z0-9_-]{22}$/;
/** A browser holds one session as a user and one as an admin; those before them may have run out unnoticed. */
const SESSIONS_MAX = 4;

const cookiesOf = ({ headers }: IncomingMessage): Map<string, string> => {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return new Map(pairs.filter((pair): pair is [string, string] => pair.length === 2));
};

const sameText = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** A session's name in the cookie: nothing that opens a door can be made from it. */
const nameOf = (token: string): string =>
  createHash('sha256').update(`browser ${token}`).digest('base64url').slice(0, 22);

const createForeignCheck =
  (publicOrigin: URL) =>
  ({ headers }: IncomingMessage): boolean => {
    const site = headers['sec-fetch-site'];
    if (site === 'cross-site') return true;
    const { origin } = headers;
    return (
      origin !== undefined &&
      site !== 'same-origin' &&
      origin !== publicOrigin.origin &&
      origin !== `http://${headers.host}`
    );
  };

/** The cookie's value and what it is made of; nothing when it is not one of ours. */
const readBrowser = (value = ''): { mark: string; sessions: string[] } | null => {
  const [mark = '', ...sessions] = value.split('.');
  const isOurs =
    PART.test(mark) && sessions.length <= SESSIONS_MAX && sessions.every((name) => PART.test(name));
  return isOurs ? { mark, sessions } : null;
};

const sessionsAfter = (sessions: string[], change: Change): string[] => {
  if ('begun' in change) return [nameOf(change.begun), ...sessions];
  const gone = change.ended === null ? null : nameOf(change.ended);
  return sessions.filter((name) => name !== gone);
};

export const createXsrf = ({ key, publicUrl }: { key: string; publicUrl: string }): Xsrf => {
  const publicOrigin = new URL(publicUrl);
  const isForeign = createForeignCheck(publicOrigin);
  const secure = publicOrigin.protocol === 'https:';
  // The prefix makes a browser refuse the cookie from anybody but this very host; it needs https.
  const browserCookie = secure ? '__Host-browser' : 'browser';
  const attributes = `Path=/; SameSite=Lax; Max-Age=${SESSION_ABSOLUTE_SECONDS}${secure ? '; Secure' : ''}`;
  const tokenFor = (browser: string): string => createHmac('sha256', key).update(browser).digest('base64url');

  const sessionsOf = (request: IncomingMessage): string[] =>
    readBrowser(cookiesOf(request).get(browserCookie))?.sessions ?? [];

  const setCookies = (response: ServerResponse, sessions: string[]): void => {
    const browser = [randomBytes(16).toString('base64url'), ...sessions.slice(0, SESSIONS_MAX)].join('.');
    response.appendHeader('set-cookie', [
      `${browserCookie}=${browser}; ${attributes}; HttpOnly`,
      `${XSRF_COOKIE}=${tokenFor(browser)}; ${attributes}`,
    ]);
  };

  const isFromOwnPage = (request: IncomingMessage): boolean => {
    const browser = cookiesOf(request).get(browserCookie) ?? '';
    const sent = request.headers[XSRF_HEADER];
    const repeats =
      typeof sent === 'string' && readBrowser(browser) !== null && sameText(sent, tokenFor(browser));
    const session = tokenOf(request);
    return repeats && (session === null || sessionsOf(request).includes(nameOf(session)));
  };

  const assertChange = (request: IncomingMessage): void => {
    const isForm = FORM_TYPES.test(request.headers['content-type'] ?? '');
    const fromUs = request.headers.cookie === undefined || isFromOwnPage(request);
    if (isForeign(request) || isForm || !fromUs) throw createError('request.cross_site');
  };

  return {
    ensure: ({ request, response }, sessionToken = null) => {
      const cookies = cookiesOf(request);
      const browser = cookies.get(browserCookie) ?? '';
      const sessions = sessionsOf(request);
      const known = sessionToken === null || sessions.includes(nameOf(sessionToken));
      const isWhole = readBrowser(browser) !== null && cookies.get(XSRF_COOKIE) === tokenFor(browser);
      if (!known) setCookies(response, [nameOf(sessionToken), ...sessions]);
      else if (!isWhole) setCookies(response, sessions);
    },
    renew: ({ request, response }, change) =>
      setCookies(response, sessionsAfter(sessionsOf(request), change)),
    assert: (request) => {
      if (!SAFE.has(request.method ?? 'GET')) assertChange(request);
    },
    assertChange,
  };
};
