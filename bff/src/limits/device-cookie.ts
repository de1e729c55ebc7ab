// A client that has logged in to an account here before has a device cookie for it and is not held up when others fail to
// (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies). The cookie has one entry for each account:
// the day, a random name, and an HMAC over these and the account's address, from which the account cannot be read.
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@shortlist/kit/process/clock';
import { cookiesOf, sameText } from '../session/cookies.ts';

export type DeviceCookie = {
  /** The name of this client for the account, if it has logged in to it here in the last year; else null. */
  find: (request: IncomingMessage, email: string) => string | null;
  /** Gives the client a new name for the account, and a year. */
  renew: (exchange: { request: IncomingMessage; response: ServerResponse }, email: string) => void;
};

type Settings = { key: string; publicUrl: string; clock: Clock };

const ENTRY = /^(\d{5})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;
const DAY_MS = 24 * 60 * 60 * 1000;
const YEAR_DAYS = 365;
/** Accounts of one browser; the one used last comes first. */
const ENTRIES_MAX = 5;

export const createDeviceCookie = ({ key, publicUrl, clock }: Settings): DeviceCookie => {
  const secure = new URL(publicUrl).protocol === 'https:';
  const cookie = secure ? '__Host-device' : 'device';
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${YEAR_DAYS * 86_400}${secure ? '; Secure' : ''}`;
  const signingKey = Buffer.from(hkdfSync('sha256', key, '', 'device cookie', 32));
  const today = (): number => Math.floor(clock().getTime() / DAY_MS);
  const macOf = (day: string, name: string, email: string): string =>
    createHmac('sha256', signingKey).update(`${day}.${name}.${email}`).digest('base64url');

  const nameIn = (entry: string, email: string): string | null => {
    const [, day = '', name = '', mac = ''] = ENTRY.exec(entry) ?? [];
    const isValid = sameText(mac, macOf(day, name, email)) && today() - Number(day) <= YEAR_DAYS;
    return isValid ? name : null;
  };
  const entriesOf = (request: IncomingMessage): string[] =>
    (cookiesOf(request).get(cookie) ?? '').split('~', ENTRIES_MAX).filter((entry) => ENTRY.test(entry));

  return {
    find: (request, email) =>
      entriesOf(request)
        .map((entry) => nameIn(entry, email))
        .find((name) => name !== null) ?? null,
    renew: ({ request, response }, email) => {
      const others = entriesOf(request).filter((entry) => nameIn(entry, email) === null);
      const day = String(today());
      const name = randomBytes(16).toString('base64url');
      const entry = `${day}.${name}.${macOf(day, name, email)}`;
      const value = [entry, ...others].slice(0, ENTRIES_MAX).join('~');
      response.appendHeader('set-cookie', [`${cookie}=${value}; ${attributes}`]);
    },
  };
};
