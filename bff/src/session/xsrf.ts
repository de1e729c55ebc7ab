// A page of ours repeats a token that only it can read; another site's page cannot. The token is made from a random mark in
// an HttpOnly cookie, so it is good for this browser alone, and a new mark at each log in and log out makes the old one void.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { XSRF_COOKIE, XSRF_HEADER } from '@shortlist/contracts/api/public';
import { coded } from '@shortlist/kit/errors';

export type Xsrf = {
  /** Gives the browser a mark and its token unless it has them. */
  ensure: (request: IncomingMessage, response: ServerResponse) => void;
  /** Gives the browser a new mark and token. */
  renew: (response: ServerResponse) => void;
  /** Refuses a change that was not sent by a page of ours, or by a plain client without cookies. */
  assert: (request: IncomingMessage) => void;
};

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const MARK = /^[A-Za-z0-9_-]{22}$/;

const cookiesOf = ({ headers }: IncomingMessage): Map<string, string> => {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return new Map(pairs.filter((pair): pair is [string, string] => pair.length === 2));
};

const sameText = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export const createXsrf = ({ key, publicUrl }: { key: string; publicUrl: string }): Xsrf => {
  const own = new URL(publicUrl);
  const secure = own.protocol === 'https:';
  // The prefix makes a browser refuse the cookie from anybody but this very host; it needs https.
  const markCookie = secure ? '__Host-browser' : 'browser';
  const attributes = `Path=/; SameSite=Lax${secure ? '; Secure' : ''}`;
  const tokenFor = (mark: string): string => createHmac('sha256', key).update(mark).digest('base64url');

  const renew = (response: ServerResponse): void => {
    const mark = randomBytes(16).toString('base64url');
    response.appendHeader('set-cookie', [
      `${markCookie}=${mark}; ${attributes}; HttpOnly`,
      `${XSRF_COOKIE}=${tokenFor(mark)}; ${attributes}`,
    ]);
  };

  const isForeign = ({ headers }: IncomingMessage): boolean => {
    const site = headers['sec-fetch-site'];
    if (site === 'cross-site') return true;
    const { origin } = headers;
    return (
      origin !== undefined &&
      site !== 'same-origin' &&
      origin !== own.origin &&
      origin !== `http://${headers.host}`
    );
  };

  const repeatsToken = (request: IncomingMessage): boolean => {
    const mark = cookiesOf(request).get(markCookie) ?? '';
    const sent = request.headers[XSRF_HEADER];
    return typeof sent === 'string' && MARK.test(mark) && sameText(sent, tokenFor(mark));
  };

  return {
    renew,
    ensure: (request, response) => {
      const cookies = cookiesOf(request);
      const mark = cookies.get(markCookie) ?? '';
      if (!MARK.test(mark) || cookies.get(XSRF_COOKIE) !== tokenFor(mark)) renew(response);
    },
    assert: (request) => {
      if (SAFE.has(request.method ?? 'GET')) return;
      const fromUs = request.headers.cookie === undefined || repeatsToken(request);
      if (isForeign(request) || !fromUs) throw coded('request.cross_site');
    },
  };
};
