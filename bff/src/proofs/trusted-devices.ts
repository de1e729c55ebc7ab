// A device that skips the second step has a signed cookie, which scripts cannot read. The signature includes the fingerprint of the
// account's factors, so a change of the password or of a factor ends it. A browser can be trusted by several accounts.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TRUSTED_DEVICE_DAYS } from '@shortlist/contracts/limits';
import type { Clock } from '@shortlist/kit/process/clock';
import { cookiesOf } from '../session/cookies.ts';

type Exchange = { request: IncomingMessage; response: ServerResponse };
type Account = { userId: string; fingerprint: string };

export type TrustedDevices = {
  isTrusted: (request: IncomingMessage, account: Account) => boolean;
  trust: (exchange: Exchange, account: Account) => void;
};

const SECONDS = TRUSTED_DEVICE_DAYS * 24 * 60 * 60;
const ENTRY = /^(\d{1,12})\.([A-Za-z0-9_-]{43})$/;
const ACCOUNTS_MAX = 5;

const sameText = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export const createTrustedDevices = (
  { secret, publicUrl }: { secret: string; publicUrl: string },
  clock: Clock,
): TrustedDevices => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'trusted devices', 32));
  const secure = publicUrl.startsWith('https:');
  const cookie = secure ? '__Host-trusted' : 'trusted';
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${SECONDS}${secure ? '; Secure' : ''}`;
  const now = (): number => Math.floor(clock().getTime() / 1000);
  const sign = ({ userId, fingerprint }: Account, end: number): string =>
    createHmac('sha256', key).update(`${userId} ${fingerprint} ${end}`).digest('base64url');

  const entriesOf = (request: IncomingMessage): string[] =>
    (cookiesOf(request).get(cookie) ?? '').split('~').slice(0, ACCOUNTS_MAX);

  const isOf = (account: Account, entry: string): boolean => {
    const [, end = '0', signature = ''] = ENTRY.exec(entry) ?? [];
    return Number(end) > now() && sameText(signature, sign(account, Number(end)));
  };

  return {
    isTrusted: (request, account) => entriesOf(request).some((entry) => isOf(account, entry)),
    trust: ({ request, response }, account) => {
      const end = now() + SECONDS;
      const others = entriesOf(request).filter((entry) => ENTRY.test(entry) && !isOf(account, entry));
      const entries = [`${end}.${sign(account, end)}`, ...others].slice(0, ACCOUNTS_MAX);
      response.appendHeader('set-cookie', `${cookie}=${entries.join('~')}; ${attributes}`);
    },
  };
};
