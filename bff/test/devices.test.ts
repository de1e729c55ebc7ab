import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceView } from '@shortlist/contracts/api/sessions';
import { minutes } from '@shortlist/contracts/durations';
import { tagOfUser } from '@shortlist/kit/http/access-token';
import { uuidv7 } from 'uuidv7';
import { afterAll, describe, expect, it } from 'vitest';
import { endOwnSessions } from '../src/handlers/devices.ts';
import { deviceOf, openPlaces } from '../src/http/sign-in-origin.ts';
import { createPlaceDatabase } from './place-database.ts';
import { refuseWith, respondAsAccount, respondWith, useBff } from './support.ts';

const FIREFOX = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:130.0) Gecko/20100101 Firefox/130.0';

const directory = await mkdtemp(join(tmpdir(), 'devices-'));
afterAll(() => rm(directory, { recursive: true }));
const path = join(directory, 'places.mmdb');
await writeFile(path, createPlaceDatabase({ '198.51.100.0/24': { city: 'Gothenburg', country: 'Sweden' } }));
let now = Date.now();
const change = { GEOIP_DATABASE: path, TRUSTED_PROXIES: '127.0.0.1' };
const bff = await useBff(change, { clock: () => new Date(now) });

const devicesOf = async (token: string): Promise<DeviceView[]> =>
  ((await bff.call('listDevices', { token })).json as { data: DeviceView[] }).data;
const begin = (userId: string) => bff.begin('user', userId);
const works = async (token: string) => (await bff.sessions.check(token)) !== null;

describe('the devices of a user', () => {
  it('have the browser, the system, the place and the times of use, this device marked', async () => {
    const userId = uuidv7();
    bff.upstream.respond = respondAsAccount(userId);
    const beganAt = now;
    const login = await bff.call('login', {
      headers: { 'user-agent': FIREFOX, 'x-forwarded-for': '198.51.100.7' },
      body: { email: 'ana@talent.test', password: 'open sesame' },
    });
    const { token } = (login.json as { data: { token: string } }).data;
    now += minutes(20);
    const other = await begin(userId);
    now += minutes(20);
    const [current, second] = await devicesOf(token);
    expect(current).toMatchObject({
      browser: 'Firefox',
      system: 'macOS',
      place: 'Gothenburg, Sweden',
      isCurrent: true,
      firstSeenAt: new Date(beganAt).toISOString(),
      lastSeenAt: new Date(now).toISOString(),
    });
    expect(second).toMatchObject({ browser: '', place: '', isCurrent: false });
    expect((await devicesOf(other)).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    const stored = await Promise.all((await bff.redis.keys('session:*')).map((key) => bff.redis.hvals(key)));
    expect(stored.flat()).not.toContain('198.51.100.7');
  });

  it('are those of the user alone, without ended and expired sessions', async () => {
    const userId = uuidv7();
    const [mine, ended, expired] = [await begin(userId), await begin(userId), await begin(userId)];
    await begin(uuidv7());
    await bff.sessions.end(ended);
    const isExpired = (await devicesOf(expired)).find(({ isCurrent }) => isCurrent);
    const keys = await bff.redis.keys('session:*');
    for (const key of keys) if ((await bff.redis.hget(key, 'id')) === isExpired?.id) await bff.redis.del(key);
    expect(await devicesOf(mine)).toHaveLength(1);
    await bff.sessions.endAllBefore(userId, 1);
    expect(await bff.sessions.list(userId)).toEqual([]);
  });

  it('B3 one is ended by its id at once, and only by its own user', async () => {
    const userId = uuidv7();
    const [mine, lost, foreign] = [await begin(userId), await begin(userId), await begin(uuidv7())];
    const id = (await devicesOf(mine)).find(({ isCurrent }) => !isCurrent)?.id ?? '';
    expect((await bff.call('endSession', { token: foreign, id })).status).toBe(404);
    expect(await works(lost)).toBe(true);
    expect((await bff.call('endSession', { token: mine, id })).status).toBe(200);
    expect(await works(lost)).toBe(false);
    expect((await bff.call('endSession', { token: mine, id })).status).toBe(404);
    expect(await works(mine)).toBe(true);
  });

  it('B3 all others, and all, are ended at once, with what identity knows of', async () => {
    const userId = uuidv7();
    const mine = await begin(userId);
    const others = [await begin(userId), await begin(userId)];
    let generation = 0;
    bff.upstream.respond = respondWith(() => ({ generation: (generation += 1) }));
    const ended = await bff.call('endOtherSessions', { token: mine });
    expect(ended.json).toEqual({ ended: 2 });
    expect(await Promise.all(others.map(works))).toEqual([false, false]);
    expect(await works(mine)).toBe(true);
    await bff.sessions.begin({ userId, role: 'user', generation });
    expect((await bff.call('endAllSessions', { token: mine })).json).toEqual({ ended: 2 });
    expect(await works(mine)).toBe(false);
  });
});

describe('an admin', () => {
  it('sees how many sessions a user has, and ends all of them through identity, which records it', async () => {
    const userId = uuidv7();
    const tokens = [await begin(userId), await begin(userId)];
    const counted = await bff.call('countUserSessions', { as: 'admin', id: userId });
    expect(counted.json).toEqual({ count: 2 });
    bff.upstream.respond = respondWith(() => ({ generation: 1 }));
    const ended = await bff.call('endUserSessions', { as: 'admin', id: userId });
    expect(ended.json).toEqual({ message: 'ended' });
    expect(bff.upstream.requests.map(({ url }) => url)).toEqual([`/accounts/${userId}/end-sessions`]);
    expect(await Promise.all(tokens.map(works))).toEqual([false, false]);
  });

  it('ends no session when identity refuses', async () => {
    const userId = uuidv7();
    const token = await begin(userId);
    bff.upstream.respond = refuseWith('identity.user_not_found');
    expect((await bff.call('endUserSessions', { as: 'admin', id: userId })).status).toBe(404);
    expect(await works(token)).toBe(true);
  });

  it('counts no session of which another request has ended the kept one meanwhile', async () => {
    const sessions = { list: () => Promise.resolve([]), endAllBefore: () => Promise.resolve() };
    const services = { identity: () => Promise.resolve({ generation: 1 }) };
    const keyStore = { forget: () => Promise.resolve() };
    const parts = { sessions, services, keyStore } as unknown as Parameters<typeof endOwnSessions>[0];
    const userId = uuidv7();
    const own = { caller: { role: 'user', userId }, session: { userId }, keptId: 'kept' } as const;
    const ended = await endOwnSessions(parts, own as unknown as Parameters<typeof endOwnSessions>[1]);
    expect(ended).toBe(0);
  });
});

describe('keys and tools that end', () => {
  const ENDS = {
    'with the other sessions': ['user', 'endOtherSessions', { withAccess: true }],
    'with all sessions': ['user', 'endAllSessions', { withAccess: true }],
    'with the sessions of a user': ['admin', 'endUserSessions', { withAccess: true }],
    'as one key of a user': ['admin', 'endUserKey', { reason: 'Leaked' }],
    'as one tool of a user': ['admin', 'endUserConnection', { reason: 'Leaked' }],
  } as const;

  it.each(Object.entries(ENDS))('B3 %s are read again before they count', async (_name, end) => {
    const [role, endpoint, body] = end;
    const userId = uuidv7();
    const name = { kind: 'key', tag: tagOfUser(userId), hash: 'h'.repeat(43) } as const;
    const request = {
      use: { day: '2026-03-01', network: '192.0.2.0/24' },
      scope: 'credits:read',
      limits: { ofKey: 10, ofUser: 10, ofShare: 10 },
    } as const;
    const counted = await bff.keyStore.count(name, request);
    const key = { id: uuidv7(), userId, scopes: [], expiresAt: null, restriction: null };
    const stored = { ...key, toolId: null, toolGeneration: 0 };
    await bff.keyStore.store(name, 'edition' in counted ? counted.edition : '', stored);
    expect(await bff.keyStore.count(name, request)).toHaveProperty('key');
    bff.upstream.respond = respondWith(() => ({ generation: 1, message: 'ended' }));
    const session = role === 'user' ? { userId } : {};
    const reply = await bff.call(endpoint, { as: role, ...session, id: userId, body });
    expect(reply.status).toBe(200);
    expect(bff.upstream.requests.at(-1)?.json).toMatchObject(body);
    expect(await bff.keyStore.count(name, request)).not.toHaveProperty('key');
  });
});

it('finds the city and country of an address in the configured database', async () => {
  const path = join(directory, 'two-places.mmdb');
  const places = {
    '198.51.100.0/24': { city: 'Gothenburg', country: 'Sweden' },
    '203.0.113.0/25': { country: 'Norway' },
  };
  await writeFile(path, createPlaceDatabase(places));
  const findPlace = await openPlaces(path);
  expect(findPlace('198.51.100.7')).toBe('Gothenburg, Sweden');
  expect(findPlace('203.0.113.9')).toBe('Norway');
  for (const address of ['203.0.113.200', '127.0.0.1', '2001:db8::1', 'unknown', ''])
    expect(findPlace(address), address).toBe('');
});

it('without a database every place is unknown', async () => {
  expect((await openPlaces(''))('198.51.100.7')).toBe('');
});

it('a file that is no such database prevents the start', async () => {
  const path = join(directory, 'text.mmdb');
  await writeFile(path, 'not a database');
  await expect(openPlaces(path)).rejects.toThrow(/cannot start: GEOIP_DATABASE/);
  await expect(openPlaces(join(directory, 'missing.mmdb'))).rejects.toThrow(/cannot start: GEOIP_DATABASE/);
});

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  [FIREFOX, 'Firefox', 'macOS'],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`, 'Safari', 'macOS'],
  [`${IPHONE} Version/18.0 Mobile/15E148 Safari/604.1`, 'Safari', 'iPhone'],
  [`${IPHONE} CriOS/130.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iPhone'],
  [`${WINDOWS} Chrome/130.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
  [`${WINDOWS} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`, 'Edge', 'Windows'],
  [`${WINDOWS} Chrome/130.0.0.0 Safari/537.36 OPR/115.0.0.0`, 'Opera', 'Windows'],
  [`${ANDROID} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`, 'Samsung Internet', 'Android'],
  ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/130.0.0.0 Safari/537.36', 'Chrome', 'Linux'],
  ['curl/8.5.0', 'curl', ''],
  ['<script>alert(1)</script>', '', ''],
  ['', '', ''],
])('%s is %s on %s', (userAgent, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system });
});

it('a client without the header, or with a very long one, has no known device', () => {
  expect(deviceOf(undefined)).toEqual({ browser: '', system: '' });
  expect(deviceOf(`${'a'.repeat(1_000)} Firefox/130.0`)).toEqual({ browser: '', system: '' });
});
