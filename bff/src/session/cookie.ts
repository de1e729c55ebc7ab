import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inSeconds } from '@shortlist/contracts/durations';

export const cookiesOf = ({ headers }: IncomingMessage): Map<string, string> => {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return new Map(pairs.filter((pair): pair is [string, string] => pair.length === 2));
};

/** What proves that a value of a cookie is ours. */
export const signatureOf = (key: string | Buffer, value: string): string =>
  createHmac('sha256', key).update(value).digest('base64url');

type Settings = { name: string; publicUrl: string; sameSite: 'Lax' | 'Strict' };

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
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
  const set: Cookie['set'] = (response, value, lifetimeMs) => {
    const line = `${fullName}=${value}; ${attributes}; Max-Age=${inSeconds(lifetimeMs)}`;
    response.appendHeader('set-cookie', [line]);
  };
  return {
    read: (request) => cookiesOf(request).get(fullName) ?? '',
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
