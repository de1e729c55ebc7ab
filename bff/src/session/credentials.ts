import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inSeconds, seconds } from '@shortlist/contracts/durations';
import { SESSION_ABSOLUTE_SECONDS } from '@shortlist/contracts/limits';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Bindings, SessionRole } from './session.ts';

export const cookiesOf = ({ headers }: IncomingMessage) => parseCookie(headers.cookie ?? '');

type Settings = { name: string; publicUrl: string; sameSite: 'lax' | 'strict' };

export type Cookie = {
  /** The value in a request; '' without one. */
  read: (request: IncomingMessage) => string;
  set: (response: ServerResponse, value: string, lifetimeMs: number) => void;
  /** Removes it from the browser. */
  remove: (response: ServerResponse) => void;
};

/** A cookie that scripts cannot read. */
export const defineCookie = ({ name, publicUrl, sameSite }: Settings): Cookie => {
  const secure = new URL(publicUrl).protocol === 'https:';
  // With this prefix browsers accept the cookie from this host only; it needs https.
  const fullName = secure ? `__Host-${name}` : name;
  const attributes = { name: fullName, path: '/', httpOnly: true, sameSite, secure };
  const set: Cookie['set'] = (response, value, lifetimeMs) => {
    const maxAge = inSeconds(lifetimeMs);
    response.appendHeader('set-cookie', [stringifySetCookie({ ...attributes, value, maxAge })]);
  };
  return {
    read: (request) => cookiesOf(request)[fullName] ?? '',
    set,
    remove: (response) => set(response, '', 0),
  };
};

/** `pattern` of a value; `max`: how many accounts of one browser have one. */
type ListSettings = Settings & { pattern: RegExp; max: number; lifetimeMs: number };

export type ListCookie = {
  read: (request: IncomingMessage) => string[];
  /** The first values stay. */
  set: (response: ServerResponse, values: string[]) => void;
};

/** A cookie with a value for each account of a browser, the one used last first. */
export const defineListCookie = ({ pattern, max, lifetimeMs, ...settings }: ListSettings): ListCookie => {
  const cookie = defineCookie(settings);
  return {
    read: (request) =>
      cookie
        .read(request)
        .split('~', max)
        .filter((value) => pattern.test(value)),
    set: (response, values) => cookie.set(response, values.slice(0, max).join('~'), lifetimeMs),
  };
};

/** The session token of a request, from `Authorization: Bearer <token>` or the bare token; null without one. */
export const tokenOf = ({ headers }: IncomingMessage): string | null => {
  const header = headers.authorization?.trim();
  if (!header) return null;
  return /^bearer /i.test(header) ? header.slice('Bearer '.length).trim() : header;
};

// A session that begins in a browser is bound to a cookie that scripts cannot read: a token that is stolen from the browser's storage
// is worth nothing without it. Clients that are not browsers send neither Origin nor Sec-Fetch-Site and have no cookies; the
// sessions that they begin are bound to nothing.

type Exchange = { request: IncomingMessage; response: ServerResponse };

export type Binding = {
  /** The hashes of the request's binding cookies. */
  of: (request: IncomingMessage) => Bindings;
  /** Sets a new cookie for the sessions of this role and returns its hash; '' for a client that is not a browser. */
  begin: (exchange: Exchange, role: SessionRole) => string;
  /** Removes the cookie of this role. */
  remove: (exchange: Exchange, role: SessionRole) => void;
};

const VALUE = /^[A-Za-z0-9_-]{43}$/;

const hashOf = (value: string): string => (VALUE.test(value) ? hash('sha256', value, 'base64url') : '');

const isBrowser = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

/** A cookie for each role: one browser can have a session of a user and one of an admin. */
export const createBinding = (publicUrl: string): Binding => {
  const settings = { publicUrl, sameSite: 'strict' } as const;
  const cookies: Record<SessionRole, Cookie> = {
    user: defineCookie({ name: 'user-session', ...settings }),
    admin: defineCookie({ name: 'admin-session', ...settings }),
  };
  return {
    of: (request) => ({
      user: hashOf(cookies.user.read(request)),
      admin: hashOf(cookies.admin.read(request)),
    }),
    begin: ({ request, response }, role) => {
      if (!isBrowser(request)) return '';
      const value = randomBytes(32).toString('base64url');
      cookies[role].set(response, value, seconds(SESSION_ABSOLUTE_SECONDS));
      return hashOf(value);
    },
    remove: ({ request, response }, role) => {
      if (cookies[role].read(request) !== '') cookies[role].remove(response);
    },
  };
};
