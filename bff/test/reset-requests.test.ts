import { publicEndpoints } from '@shortlist/contracts/api/public';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { RESET_MINUTES, RESET_PAUSE_MINUTES } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { emailKey } from '../src/limits/attempt-limit.ts';
import { fromPage, type Jar, store } from './cookie-jar.ts';
import { NO_FACTORS } from './factors-reply.ts';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { type RawResponse, respondWith, send, useBff } from './support.ts';

const TOKEN = 'A'.repeat(43);
const LIMIT = 30;

let userId: string;
let email = '';

const replyTo = (url = ''): unknown => {
  if (url === '/password-resets/check') return { data: { userId, email, role: 'user' } };
  if (url === '/password-resets/use') return { data: { userId, email, generation: 1 } };
  if (url.endsWith('/password')) return { generation: 1 };
  if (url.endsWith('/credentials')) return { data: { factors: NO_FACTORS, credentials: [] } };
  return { data: { id: userId, ...ana, email }, planState: { version: 1 }, factors: NO_FACTORS };
};

const strict = { SIGNUP_LIMIT: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' };
const bff = await useBff(strict);
bff.upstream.respond = respondWith(({ url }) => replyTo(url));
beforeEach(() => {
  [userId, email] = [uuidv7(), `${uuidv7()}@people.test`];
});

const newNetwork = (): string => `2001:db8:d${uuidv7().slice(-3)}:d${uuidv7().slice(-3)}`;
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
type Name = 'forgotPassword' | 'resetPassword' | 'changePassword' | 'requestEmailChange';
const json = (
  name: Name,
  body: object,
  { from = `${newNetwork()}::1`, token = '' }: { from?: string; token?: string } = {},
): Promise<RawResponse> =>
  send(bff.port, publicEndpoints[name].path, {
    method: publicEndpoints[name].method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': from,
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
const statusCounts = (responses: RawResponse[]): Record<number, number> =>
  responses.reduce<Record<number, number>>(
    (counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  );
/** The mails with a link that identity is to cause. */
const mails = (): number =>
  bff.upstream.requests.filter(({ method, url }) => method === 'POST' && url === '/password-resets').length;
const endPause = () => bff.redis.del(`limit:reset:${emailKey(email)}`);

describe('a request for a link to set a new password', () => {
  it('A10 causes one mail in ten minutes for an address, known or not, and has the same response', async () => {
    const responses = await Promise.all(times(40, () => json('forgotPassword', { email })));
    expect(statusCounts(responses)).toEqual({ 202: 40 });
    expect(new Set(responses.map(({ body }) => body)).size).toBe(1);
    expect(mails()).toBe(1);
    const seconds = await bff.redis.ttl(`limit:reset:${emailKey(email)}`);
    expect(seconds).toBeGreaterThan(inSeconds(minutes(RESET_PAUSE_MINUTES)) - 30);
    expect(seconds, 'the link of that mail works for longer').toBeLessThan(
      inSeconds(minutes(RESET_MINUTES / 2)),
    );
  });

  it('A10 gets the owner a mail whatever others have requested for the address in the hour before', async () => {
    for (let round = 0; round < 20; round += 1) {
      await json('forgotPassword', { email });
      await endPause();
    }
    const before = mails();
    expect((await json('forgotPassword', { email })).status).toBe(202);
    expect(mails()).toBe(before + 1);
  });

  it('A10 causes a mail on a browser that has logged in here, although others have just requested one', async () => {
    const jar: Jar = new Map();
    const network = newNetwork();
    const fromBrowser = async (name: 'login' | 'forgotPassword', body: object, from = `${network}::1`) => {
      const { method, path } = publicEndpoints[name];
      const headers = fromPage(jar, { 'x-forwarded-for': from });
      const response = await send(bff.port, path, { method, headers, body: JSON.stringify(body) });
      store(jar, response);
      return response.status;
    };
    expect(await fromBrowser('login', { email, password: 'a password' })).toBe(200);
    const neighbours = times(LIMIT + 1, (index) =>
      json('forgotPassword', { email: `${index}-${email}` }, { from: `${network}::2` }),
    );
    expect(statusCounts(await Promise.all(neighbours))).toEqual({ 202: LIMIT, 429: 1 });
    await json('forgotPassword', { email });
    const before = mails();
    expect(await fromBrowser('forgotPassword', { email })).toBe(202);
    expect(mails(), 'its network is full, and a mail of a minute ago is there').toBe(before + 1);
    for (let round = 0; round < 10; round += 1)
      await fromBrowser('forgotPassword', { email }, `${newNetwork()}::1`);
    expect(mails(), 'it causes five in an hour').toBe(before + 5);
  });

  it.each(['resetPassword', 'changePassword', 'the profile'] as const)(
    'A10 causes a mail after a new password by %s, which has ended the link of the one before',
    async (way) => {
      const { token } = await bff.sessions.begin(userId, 'user');
      const setPassword = () => {
        const password = 'a new sesame';
        if (way === 'resetPassword') return json('resetPassword', { token: TOKEN, password });
        if (way === 'changePassword')
          return json('changePassword', { currentPassword: 'open sesame', password }, { token });
        return send(bff.port, `/users/${userId}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${token}`, 'content-type': MULTIPART },
          body: form(field('userData', JSON.stringify({ ...ana, password, currentPassword: 'open sesame' }))),
        });
      };
      await json('forgotPassword', { email });
      expect((await setPassword()).status).toBe(200);
      await json('forgotPassword', { email });
      expect(mails()).toBe(2);
      for (let round = 0; round < 10; round += 1) {
        await setPassword();
        await json('forgotPassword', { email });
      }
      expect(mails(), 'five times an hour: the holder of an account floods no mailbox').toBeLessThanOrEqual(
        6,
      );
    },
  );

  it('A10 leaves a mail to the owner while others want the address for their accounts', async () => {
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const { token } = await bff.sessions.begin(uuidv7(), 'user');
      await json('requestEmailChange', { email }, { token });
    }
    expect((await json('forgotPassword', { email })).status).toBe(202);
    expect(mails()).toBe(1);
  });

  it('A10 is limited for one network over all addresses', async () => {
    const network = newNetwork();
    const responses = await Promise.all(
      times(60, (index) =>
        json('forgotPassword', { email: `${index}-${email}` }, { from: `${network}::${index}` }),
      ),
    );
    expect(statusCounts(responses)).toEqual({ 202: LIMIT, 429: 60 - LIMIT });
  });
});
