// A client that has logged in to an account here before has a device cookie for it and is not held up when others fail to
// (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies). The cookie has one entry for each account:
// the day, the count of new passwords that the account has had, a random name, and an HMAC over these and the account's address, from
// which the account cannot be read. The name stays the same for each log-in of the device: it has one count of wrong passwords.
import { hkdfSync, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { days } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import type { Clock } from '@shortlist/kit/process/clock';
import { withAvailability } from '../session/session.ts';
import { defineListCookie, sameText, signatureOf } from '../session/credentials.ts';
import { emailKey } from './attempt-limit.ts';

/** A client as an account knows it. `passwords`: how many new passwords ended the cookies of the account. */
export type Client = { name: string | null; passwords: number };

export type DeviceCookie = {
  /** This client, with a name if it has logged in to the account here in the last year, and its password is still the same. */
  read: (request: IncomingMessage, email: string) => Promise<Client>;
  /** The name of this client for the account; null for an unknown one. */
  find: (request: IncomingMessage, email: string) => Promise<string | null>;
  /**
   * Gives the client a year, and a name if it has none. `client` is read before the log-in is proved, so that a new password meanwhile
   * ends this cookie too.
   */
  renew: (exchange: Exchange, email: string, client: Client) => void;
  /** After a new password: ends the cookies of the account. */
  endAll: (email: string) => Promise<void>;
};

type Exchange = { request: IncomingMessage; response: ServerResponse };
type Settings = { redis: Redis; key: string; publicUrl: string; clock: Clock };
type Entry = { day: string; passwords: string; name: string };

const ENTRY = /^(\d{5})\.(\d{1,9})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;
const YEAR_DAYS = 365;
/** Accounts of one browser; the one used last comes first. */
const ENTRIES_MAX = 5;

/** Redis stores no address. */
const passwordsKey = (email: string): string => `new-passwords:${emailKey(email)}`;

/** Makes and reads the entries of the cookie. */
const createEntries = ({ key, clock }: Pick<Settings, 'key' | 'clock'>) => {
  const signingKey = Buffer.from(hkdfSync('sha256', key, '', 'device cookie', 32));
  const today = (): number => Math.floor(clock().getTime() / days(1));
  const macOf = ({ day, passwords, name }: Entry, email: string): string =>
    signatureOf(signingKey, `${day}.${passwords}.${name}.${email}`);
  return {
    /** The entry if it is one of this account, less than a year old. */
    open: (text: string, email: string): Entry | null => {
      const [, day = '', passwords = '', name = '', mac = ''] = ENTRY.exec(text) ?? [];
      const entry = { day, passwords, name };
      const isValid = sameText(mac, macOf(entry, email)) && today() - Number(day) <= YEAR_DAYS;
      return isValid ? entry : null;
    },
    make: (name: string, passwords: number, email: string): string => {
      const entry = { day: String(today()), passwords: String(passwords), name };
      return `${entry.day}.${entry.passwords}.${name}.${macOf(entry, email)}`;
    },
  };
};

export const createDeviceCookie = ({ redis, publicUrl, ...settings }: Settings): DeviceCookie => {
  const cookie = defineListCookie({
    name: 'device',
    publicUrl,
    sameSite: 'Lax',
    pattern: ENTRY,
    max: ENTRIES_MAX,
    lifetimeMs: days(YEAR_DAYS),
  });
  const entries = createEntries(settings);

  const read: DeviceCookie['read'] = async (request, email) => {
    const passwords = Number((await withAvailability(redis.get(passwordsKey(email)))) ?? 0);
    const known = cookie
      .read(request)
      .map((text) => entries.open(text, email))
      .find((entry) => entry !== null && Number(entry.passwords) === passwords);
    return { name: known?.name ?? null, passwords };
  };

  return {
    read,
    find: async (request, email) => (await read(request, email)).name,
    renew: ({ request, response }, email, { name, passwords }) => {
      const others = cookie.read(request).filter((text) => entries.open(text, email) === null);
      const renewed = entries.make(name ?? randomBytes(16).toString('base64url'), passwords, email);
      cookie.set(response, [renewed, ...others]);
    },
    endAll: async (email) => {
      const key = passwordsKey(email);
      await withAvailability(redis.multi().incr(key).pexpire(key, days(YEAR_DAYS)).exec());
    },
  };
};
