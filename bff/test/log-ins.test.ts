import { type IncomingMessage, ServerResponse } from 'node:http';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { days, minutes } from '@shortlist/contracts/durations';
import { ERRORS } from '@shortlist/contracts/errors';
import { until } from '@shortlist/kit/testing/until';
import {
  createDeviceCookie,
  failuresKey,
  LOCKING_FAILURE,
  MOST_FAILURES,
  waitAfter,
} from '../src/limits/login-limits.ts';
import { fromPage, type Jar, store } from './browser.ts';
import { refuseWith, respondAsAccount, useBff } from './support.ts';
import { newEmail, type RawResponse, times } from './requests.ts';

const RIGHT = 'the right password';
const FIREFOX = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:130.0) Gecko/20100101 Firefox/130.0';

let clockOffsetMs = 0;
let email: string;
let userId: string;
let isHistoryAway = false;
const clock = () => new Date(Date.now() + clockOffsetMs);
const bff = await useBff({ TRUSTED_PROXIES: '127.0.0.1' }, { clock });
bff.upstream.respond = (request, response, body) => {
  let respond = respondAsAccount(userId);
  if (request.url === '/credentials/verify' && !body.includes(RIGHT))
    respond = refuseWith('identity.credentials_wrong');
  if (isHistoryAway && request.url?.endsWith('sign-ins')) respond = refuseWith('service.failed');
  respond(request, response, body);
};
beforeEach(() => {
  [email, userId, clockOffsetMs, isHistoryAway] = [newEmail(), uuidv7(), 0, false];
});

type LogIn = {
  password?: string;
  network?: number;
  jar?: Jar;
  as?: string;
  name?: 'login' | 'adminLogin';
};
/** Logs in from a page; without a jar, from a browser that has no cookies. */
const logIn = async (input: LogIn = {}): Promise<RawResponse> => {
  const { password = 'wrong one', network = 0, jar = new Map(), as = email, name = 'adminLogin' } = input;
  const response = await bff.call(name, {
    headers: fromPage(jar, { 'user-agent': FIREFOX, 'x-forwarded-for': `198.51.${100 + network}.7` }),
    body: { email: as, password },
  });
  store(jar, response);
  return response;
};
/** The cookies of a browser that has logged in to the account. */
const knownBrowser = async (as = email): Promise<Jar> => {
  const jar: Jar = new Map();
  expect((await logIn({ password: RIGHT, jar, as })).status).toBe(200);
  return jar;
};

/** Lets the current wait of the account pass. */
const skipWait = () => bff.redis.hset(failuresKey(email), 'until', 0);
/** The time at which the wait of the account ends. */
const waitsUntil = async (): Promise<number> => Number(await bff.redis.hget(failuresKey(email), 'until'));
const redisTime = async (): Promise<number> => {
  const [seconds = 0, microseconds = 0] = (await bff.redis.time()).map(Number);
  return seconds * 1000 + Math.floor(microseconds / 1000);
};
/** The key that counts the failures of a browser, by the first entry of its cookie. */
const deviceKey = (jar: Jar): string =>
  `limit:login-device:${/^\d+\.\d+\.([\w-]+)\./.exec(jar.get('device') ?? '')?.[1]}`;
const comparisons = (): number => bff.upstream.requestsTo('/credentials/verify').length;
const statuses = (responses: RawResponse[]): number[] => responses.map(({ status }) => status);

/** Fails this often, from ten networks; each time once the wait of the account is over. */
const fail = async (count: number, eachTime?: (failure: number) => Promise<void>): Promise<void> => {
  for (let failure = 1; failure <= count; failure += 1) {
    await skipWait();
    expect((await logIn({ network: failure % 10 })).status).toBe(401);
    await eachTime?.(failure);
  }
};

describe('failed log-ins of one account from unknown clients', () => {
  it('A6 cost nothing up to the tenth; then each doubles the wait, whatever the network', async () => {
    let before = await redisTime();
    await fail(22, async (failure) => {
      const [end, after] = [await waitsUntil(), await redisTime()];
      expect(end).toBeGreaterThanOrEqual(before + 1000 * waitAfter(failure));
      expect(end).toBeLessThanOrEqual(after + 1000 * waitAfter(failure));
      before = await redisTime();
    });
  });

  it('A6 are refused during a wait with its length, the right password too, and compare nothing', async () => {
    await fail(12);
    const compared = comparisons();
    const refused = await logIn({ password: RIGHT, network: 5 });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(4);
    expect(comparisons()).toBe(compared);
  });

  it('A6 end for a day after a hundred in a row', async () => {
    await fail(MOST_FAILURES);
    const refused = await logIn({ network: 3 });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
  });

  it('A6 are forgotten after a success, and leave no address in the store', async () => {
    const failNineTimes = async () => statuses(await Promise.all(times(9, (network) => logIn({ network }))));
    expect(await failNineTimes()).toEqual(times(9, () => 401));
    expect((await logIn({ password: RIGHT })).status).toBe(200);
    expect(await failNineTimes()).toEqual(times(9, () => 401));
    const keys = await bff.redis.keys('*');
    expect(keys.filter((key) => key.includes(email))).toEqual([]);
  });
});

/** Whether the account knows the browser of this jar: a failure counts for the browser, which this forgets again. */
const isKnown = async (jar: Jar, as = email): Promise<boolean> => {
  await logIn({ jar: new Map(jar), as });
  return (await bff.redis.del(deviceKey(jar))) === 1;
};
/** How many of these attempts at once compared the password. */
const compareAtOnce = async (count: number, ...jars: Jar[]): Promise<number> => {
  const attempts = jars.flatMap((jar) => times(count, () => logIn({ jar: new Map(jar) })));
  return statuses(await Promise.all(attempts)).filter((status) => status === 401).length;
};

describe('a browser that has logged in to the account before', () => {
  it('A6 gets in after 100 wrong passwords from 10 networks, which an unknown one does not', async () => {
    const jar = await knownBrowser();
    const attack = times(100, (index) => logIn({ network: index % 10 }));
    expect(new Set(statuses(await Promise.all(attack)))).toEqual(new Set([401, 429]));
    await fail(8); // until the wait is longer than the rest of the test
    expect((await logIn({ password: RIGHT, network: 11 })).status).toBe(429);
    expect((await logIn({ password: RIGHT, jar })).status).toBe(200);
    const unknown = await logIn({ password: RIGHT, network: 11 });
    expect(unknown.status, 'and leaves the attack locked out').toBe(429);
  });

  it('A6 gets in although others of its network have failed on too many accounts', async () => {
    const jar = await knownBrowser();
    const network = 150;
    await bff.redis.set(`limit:login-network:198.51.${100 + network}.7`, 1_000_000, 'EX', 60);
    expect((await logIn({ password: RIGHT, network })).status).toBe(429);
    expect((await logIn({ password: RIGHT, network, jar })).status).toBe(200);
  });

  it('A6 has ten guesses of its own, however often it logs in, and however many come at once', async () => {
    const jar = await knownBrowser();
    const former = new Map(jar);
    for (let count = 0; count < 3; count += 1) await logIn({ password: RIGHT, jar });
    expect(await compareAtOnce(20, former, jar)).toBe(10);
    for (const used of [former, jar])
      expect((await logIn({ jar: new Map(used), password: RIGHT })).status).toBe(429);
    expect((await logIn({ password: RIGHT, network: 11 })).status, 'and locks out nothing else').toBe(200);
  });

  it('A6 is unknown to other accounts, and after a year', async () => {
    const other = newEmail();
    const jar = await knownBrowser(other);
    expect([await isKnown(jar), await isKnown(jar, other)]).toEqual([false, true]);
    clockOffsetMs = days(366);
    expect(await isKnown(jar, other)).toBe(false);
  });

  it('A6 cannot make a cookie for an account, or read the account from one', async () => {
    const jar = await knownBrowser();
    const [day = '', passwords = '', name = '', mac = ''] = (jar.get('device') ?? '').split('.');
    expect(Buffer.from(`${name}${mac}`, 'base64url').toString()).not.toContain(email);
    for (const device of [
      `${day}.${passwords}.${'a'.repeat(22)}.${mac}`,
      `${Number(day) + 1}.${passwords}.${name}.${mac}`,
      `${day}.1.${name}.${mac}`,
      `${day}.${passwords}.${name}.${'a'.repeat(43)}`,
      `${day}.${passwords}.${name}.`,
      'x~y',
    ]) {
      const forged: Jar = new Map([...jar, ['device', device]]);
      await logIn({ jar: forged });
      expect(await bff.redis.exists(deviceKey(forged), deviceKey(jar)), device).toBe(0);
    }
  });

  it('A6 is unknown after a new password, also with a cookie of a log-in that was under way', async () => {
    const jar = await knownBrowser();
    expect(await isKnown(jar)).toBe(true);
    const [keys, publicUrl] = [['x'.repeat(64)], 'http://localhost:5000'];
    const cookie = createDeviceCookie({ redis: bff.redis, keys, publicUrl, clock: () => new Date() });
    const request = { headers: { cookie: `device=${jar.get('device')}` } } as IncomingMessage;
    const client = await cookie.read(request, email);
    await cookie.endAll(email);
    expect(await isKnown(jar)).toBe(false);
    const response = new ServerResponse(request);
    cookie.renew({ request, response }, email, client);
    store(jar, { headers: { 'set-cookie': response.getHeader('set-cookie') as string[] } });
    expect(await isKnown(jar)).toBe(false);
  });

  it('A6 keeps the entries of several accounts, with one name for each', async () => {
    const jar = await knownBrowser();
    const first = jar.get('device');
    await logIn({ password: RIGHT, jar, as: newEmail() });
    expect(jar.get('device')?.split('~').at(-1)).toBe(first);
    await logIn({ password: RIGHT, jar });
    expect(jar.get('device')?.split('~')).toHaveLength(2);
    expect(jar.get('device')?.split('~')[0]).toBe(first);
  });
});

const ORIGIN = { browser: 'Firefox', system: 'macOS', network: '198.51.100.0/24', place: '' };

describe('a log-in', () => {
  it('is recorded at identity with its session, device and network, and the address for the audit log', async () => {
    const jar: Jar = new Map();
    await logIn({ password: RIGHT, jar });
    await logIn({ password: RIGHT, jar });
    const [session] = await bff.sessions.list(userId);
    const records = bff.upstream.requestsTo(`/accounts/${userId}/sign-ins`);
    expect(records.map(({ json }) => json)).toEqual([
      expect.objectContaining({ ...ORIGIN, method: 'password', isKnownDevice: false }),
      { ...ORIGIN, method: 'password', sessionId: session?.id, isKnownDevice: true },
    ]);
    const caller = { role: 'service', userId: null, address: '198.51.100.7' };
    expect(await bff.callerOf('identity', records[0])).toEqual(caller);
  });

  it('of a user succeeds while the history is away, that of an admin leaves no session', async () => {
    isHistoryAway = true;
    expect((await logIn({ password: RIGHT, name: 'login' })).status).toBe(200);
    userId = uuidv7();
    expect((await logIn({ password: RIGHT })).status).toBe(ERRORS['service.failed'][0]);
    expect(await bff.sessions.list(userId)).toEqual([]);
  });

  it('A6 that fails is recorded without the password, and the one that locks the account is marked', async () => {
    await fail(LOCKING_FAILURE + 1);
    const failures = () =>
      bff.upstream.requestsTo('/failed-sign-ins').map(({ json }) => json as { isLocking: boolean });
    await until('the records', () => failures().length === LOCKING_FAILURE + 1);
    const network = `198.51.${100 + (LOCKING_FAILURE % 10)}.0/24`;
    expect(failures().filter(({ isLocking }) => isLocking)).toEqual([
      { ...ORIGIN, network, email, role: 'admin', method: 'password', isLocking: true },
    ]);
  });

  it('A6 that is refused unread is not recorded', async () => {
    await bff.redis.hset(failuresKey(email), 'until', Date.now() + minutes(1));
    expect((await logIn()).status).toBe(429);
    expect(bff.upstream.requests).toEqual([]);
  });

  it('is counted by outcome; the failure that begins a wait is the one that locks', async () => {
    const counts = async (): Promise<number[]> => {
      const text = await (await fetch(`http://127.0.0.1:${bff.operatorPort}/metrics`)).text();
      const countOf = (line: string) => Number(new RegExp(`${line}.*\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
      return [
        ...['succeeded', 'failed', 'locked'].map((outcome) =>
          countOf(`^log_ins_total\\{method="password",outcome="${outcome}"`),
        ),
        countOf('count\\{service="bff",method="POST",route="/super-admin-authentication",status="429"'),
      ];
    };
    const before = await counts();
    expect((await logIn({ password: RIGHT, as: newEmail() })).status).toBe(200);
    expect((await logIn()).status).toBe(401);
    await bff.redis.hset(failuresKey(email), { failures: LOCKING_FAILURE - 1 });
    expect((await logIn()).status).toBe(401);
    expect((await logIn()).status).toBe(429);
    const after = before.map((count) => count + 1);
    await until('one more of each', async () => String(await counts()) === String(after));
  });
});
