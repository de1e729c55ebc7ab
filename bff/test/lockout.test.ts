import { type IncomingMessage, ServerResponse } from 'node:http';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { days } from '@shortlist/contracts/durations';
import { createDeviceCookie, failuresKey, MOST_FAILURES, waitAfter } from '../src/limits/login-limits.ts';
import { fromPage, type Jar, store } from './cookie-jar.ts';
import { NO_FACTORS, OWNER } from './factors-reply.ts';
import { type RawResponse, respondWith, send, useBff } from './support.ts';

const YEAR_MS = days(365);
const RIGHT = 'the right password';

let clockOffsetMs = 0;
let email: string;
const clock = () => new Date(Date.now() + clockOffsetMs);
const bff = await useBff({ TRUSTED_PROXIES: '127.0.0.1' }, { clock });
bff.upstream.respond = (request, response, body) => {
  const { password } = JSON.parse(body.toString() || '{}') as { password?: string };
  const isWrong = request.url === '/credentials/verify' && password !== RIGHT;
  const error = { error: { code: 'identity.credentials_wrong', message: 'no' } };
  respondWith(
    () => (isWrong ? error : { data: { id: uuidv7(), admin: OWNER }, factors: NO_FACTORS }),
    isWrong ? 401 : 200,
  )(...([request, response, body] as const));
};
beforeEach(() => {
  email = `${uuidv7()}@people.test`;
  clockOffsetMs = 0;
});

type LogIn = { password?: string; network?: number; jar?: Jar; as?: string };
/** Logs in from a page; without a jar, from a browser that has no cookies. */
const logIn = async ({ password = 'wrong one', network = 0, jar = new Map(), as = email }: LogIn = {}) => {
  const response = await send(bff.port, '/super-admin-authentication', {
    method: 'POST',
    headers: fromPage(jar, { 'x-forwarded-for': `198.51.${100 + network}.7` }),
    body: JSON.stringify({ email: as, password }),
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
const comparisons = (): number =>
  bff.upstream.requests.filter(({ url }) => url === '/credentials/verify').length;
const statuses = (responses: RawResponse[]): number[] => responses.map(({ status }) => status);

describe('failed log-ins of one account from unknown clients', () => {
  it('A6 cost nothing up to the tenth; then each doubles the wait, whatever the network', async () => {
    for (let failure = 1; failure <= 22; failure += 1) {
      const before = await redisTime();
      expect((await logIn({ network: failure % 10 })).status).toBe(401);
      const [end, after] = [await waitsUntil(), await redisTime()];
      expect(end).toBeGreaterThanOrEqual(before + 1000 * waitAfter(failure));
      expect(end).toBeLessThanOrEqual(after + 1000 * waitAfter(failure));
      await skipWait();
    }
  });

  it('A6 are refused during a wait with its length, the right password too, and compare nothing', async () => {
    for (let failure = 0; failure < 12; failure += 1) {
      await skipWait();
      await logIn({ network: failure % 10 });
    }
    const compared = comparisons();
    const refused = await logIn({ password: RIGHT, network: 5 });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(4);
    expect(comparisons()).toBe(compared);
  });

  it('A6 end for a day after a hundred in a row', async () => {
    for (let failure = 0; failure < MOST_FAILURES; failure += 1) {
      await skipWait();
      expect((await logIn({ network: failure % 10 })).status).toBe(401);
    }
    const refused = await logIn({ network: 3 });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
  });

  it('A6 are forgotten after a success', async () => {
    for (let failure = 0; failure < 9; failure += 1) await logIn({ network: failure });
    expect((await logIn({ password: RIGHT })).status).toBe(200);
    for (let failure = 0; failure < 9; failure += 1)
      expect((await logIn({ network: failure })).status).toBe(401);
  });

  it('A6 leave no address in the store', async () => {
    await logIn();
    const keys = await bff.redis.keys('*');
    expect(keys.filter((key) => key.includes(email))).toEqual([]);
  });
});

describe('a browser that has logged in to the account before', () => {
  it('A6 gets in after 100 wrong passwords from 10 networks, which an unknown one does not', async () => {
    const jar = await knownBrowser();
    const attack = Array.from({ length: 100 }, (_, index) => logIn({ network: index % 10 }));
    expect(new Set(statuses(await Promise.all(attack)))).toEqual(new Set([401, 429]));
    expect((await logIn({ password: RIGHT, network: 11 })).status).toBe(429);
    expect((await logIn({ password: RIGHT, jar })).status).toBe(200);
    expect((await logIn({ password: RIGHT, network: 11 })).status, 'and leaves the attack locked out').toBe(
      429,
    );
  });

  it('A6 gets in although others of its network have failed on too many accounts', async () => {
    const jar = await knownBrowser();
    const network = 150;
    await bff.redis.set(`limit:login-network:198.51.${100 + network}.7`, 1_000_000, 'EX', 60);
    expect((await logIn({ password: RIGHT, network })).status).toBe(429);
    expect((await logIn({ password: RIGHT, network, jar })).status).toBe(200);
  });

  it('A6 has a limit of its own, however many attempts come at once', async () => {
    const jar = await knownBrowser();
    const attempts = Array.from({ length: 40 }, () => logIn({ jar: new Map(jar) }));
    const count = statuses(await Promise.all(attempts)).filter((status) => status === 401).length;
    expect(count).toBe(10);
    expect((await logIn({ jar: new Map(jar), password: RIGHT })).status).toBe(429);
    expect((await logIn({ password: RIGHT, network: 11 })).status, 'and locks out nothing else').toBe(200);
  });

  it('A6 is unknown to other accounts, and after a year', async () => {
    const other = `${uuidv7()}@people.test`;
    const jar = await knownBrowser(other);
    const isKnown = async (as: string): Promise<boolean> => {
      await logIn({ jar: new Map(jar), as });
      return (await bff.redis.del(deviceKey(jar))) === 1;
    };
    expect(await isKnown(email)).toBe(false);
    expect(await isKnown(other)).toBe(true);
    clockOffsetMs = YEAR_MS + days(1);
    expect(await isKnown(other)).toBe(false);
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

  it('A6 has ten guesses, however often it logs in', async () => {
    const jar = await knownBrowser();
    const former = new Map(jar);
    for (let count = 0; count < 3; count += 1) await logIn({ password: RIGHT, jar });
    const guesses = [former, jar].flatMap((used) =>
      Array.from({ length: 10 }, () => logIn({ jar: new Map(used) })),
    );
    expect(statuses(await Promise.all(guesses)).filter((status) => status === 401)).toHaveLength(10);
  });

  it('A6 is unknown after a new password, also with a cookie of a log-in that was under way', async () => {
    const jar = await knownBrowser();
    const isKnown = async (): Promise<boolean> => {
      await logIn({ jar: new Map(jar) });
      return (await bff.redis.del(deviceKey(jar))) === 1;
    };
    expect(await isKnown()).toBe(true);
    const [key, publicUrl] = ['x'.repeat(64), 'http://localhost:5000'];
    const cookie = createDeviceCookie({ redis: bff.redis, key, publicUrl, clock: () => new Date() });
    const request = { headers: { cookie: `device=${jar.get('device')}` } } as IncomingMessage;
    const client = await cookie.read(request, email);
    await cookie.endAll(email);
    expect(await isKnown()).toBe(false);
    const response = new ServerResponse(request);
    cookie.renew({ request, response }, email, client);
    const headers = { 'set-cookie': response.getHeader('set-cookie') as string[] };
    store(jar, { headers });
    expect(await isKnown()).toBe(false);
  });

  it('A6 keeps the entries of several accounts, with one name for each', async () => {
    const jar = await knownBrowser();
    const first = jar.get('device');
    await logIn({ password: RIGHT, jar, as: `${uuidv7()}@people.test` });
    expect(jar.get('device')?.split('~').at(-1)).toBe(first);
    await logIn({ password: RIGHT, jar });
    expect(jar.get('device')?.split('~')).toHaveLength(2);
    expect(jar.get('device')?.split('~')[0]).toBe(first);
  });
});
