import { minutes } from '@shortlist/contracts/durations';
import { type ErrorCode, ERRORS } from '@shortlist/contracts/errors';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { failuresKey, LOCKING_FAILURE } from '../src/limits/login-limits.ts';
import { fromPage, type Jar, store } from './cookie-jar.ts';
import { NO_FACTORS, OWNER } from './factors-reply.ts';
import { respondWith, send, useBff } from './support.ts';

const RIGHT = 'the right password';
const FIREFOX = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:130.0) Gecko/20100101 Firefox/130.0';

/** Why identity refuses a request, or null. */
const refusalOf = (url: string, body: string): ErrorCode | null => {
  if (url === '/credentials/verify' && !body.includes(RIGHT)) return 'identity.credentials_wrong';
  return isHistoryAway && url.endsWith('sign-ins') ? 'service.failed' : null;
};

let userId: string;
let email: string;
let isHistoryAway = false;
const bff = await useBff({ TRUSTED_PROXIES: '127.0.0.1' });
bff.upstream.respond = (request, response, body) => {
  const refusal = refusalOf(request.url ?? '', body.toString());
  const reply =
    refusal === null
      ? { data: { id: userId, admin: OWNER }, factors: NO_FACTORS, planState: { version: 1 } }
      : { error: { code: refusal, message: 'no' } };
  const status = refusal === null ? 200 : ERRORS[refusal][0];
  respondWith(() => reply, status)(request, response, body);
};
beforeEach(() => {
  userId = uuidv7();
  email = `${uuidv7()}@people.test`;
  isHistoryAway = false;
});

const logIn = async (password: string, jar: Jar = new Map(), path = '/super-admin-authentication') => {
  const response = await send(bff.port, path, {
    method: 'POST',
    headers: fromPage(jar, { 'user-agent': FIREFOX, 'x-forwarded-for': '198.51.100.7' }),
    body: JSON.stringify({ email, password }),
  });
  store(jar, response);
  return response;
};
const recorded = (path: string) =>
  bff.upstream.requests
    .filter(({ url }) => url === path)
    .map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);

describe('a log-in', () => {
  it('is recorded at identity with its session, device and network, not the address', async () => {
    const jar: Jar = new Map();
    await logIn(RIGHT, jar);
    await logIn(RIGHT, jar);
    const [session] = await bff.sessions.list(userId);
    const origin = { browser: 'Firefox', system: 'macOS', network: '198.51.100.0/24', place: '' };
    expect(recorded(`/accounts/${userId}/sign-ins`)).toEqual([
      expect.objectContaining({ ...origin, method: 'password', isKnownDevice: false }),
      { ...origin, method: 'password', sessionId: session?.id, isKnownDevice: true },
    ]);
    const [request] = bff.upstream.requests.filter(({ url }) => url?.endsWith('/sign-ins'));
    const caller = { role: 'service', address: '198.51.100.7' };
    expect(await bff.callerOf('identity', request)).toMatchObject(caller);
  });

  it('of a user succeeds while the history is away, that of an admin leaves no session', async () => {
    isHistoryAway = true;
    expect((await logIn(RIGHT, new Map(), '/login')).status).toBe(200);
    userId = uuidv7();
    expect((await logIn(RIGHT)).status).toBe(ERRORS['service.failed'][0]);
    expect(await bff.sessions.list(userId)).toEqual([]);
  });
});

describe('a failed log-in', () => {
  it('A6 is recorded without the password, and the one that locks the account is marked', async () => {
    for (let failure = 0; failure < LOCKING_FAILURE + 1; failure += 1) {
      await bff.redis.hset(failuresKey(email), 'until', 0);
      expect((await logIn('wrong one')).status).toBe(401);
    }
    const failures = () => recorded('/failed-sign-ins');
    await until('the records', () => Promise.resolve(failures().length === LOCKING_FAILURE + 1));
    expect(failures().filter(({ isLocking }) => isLocking)).toEqual([
      {
        email,
        role: 'admin',
        method: 'password',
        isLocking: true,
        browser: 'Firefox',
        system: 'macOS',
        network: '198.51.100.0/24',
        place: '',
      },
    ]);
  });

  it('A6 that is refused unread is not recorded', async () => {
    await bff.redis.hset(failuresKey(email), 'until', Date.now() + minutes(1));
    expect((await logIn('wrong one')).status).toBe(429);
    expect(bff.upstream.requests).toEqual([]);
  });
});
