import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceView, UserDeviceView } from '@shortlist/contracts/api/sessions';
import { minutes } from '@shortlist/contracts/durations';
import { tagOfUser } from '@shortlist/kit/http/access-token';
import { uuidv7 } from 'uuidv7';
import { afterAll, describe, expect, it } from 'vitest';
import { endOwnSessions } from '../src/handlers/devices.ts';
import { deviceOf, openPlaces } from '../src/http/sign-in-origin.ts';
import { tokenIn } from './browser.ts';
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
    const token = tokenIn(login);
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
    const end = async (token: string) => (await bff.call('endSession', { token, id })).status;
    expect([await end(foreign), await works(lost)]).toEqual([404, true]);
    expect([await end(mine), await works(lost)]).toEqual([200, false]);
    expect([await end(mine), await works(mine)]).toEqual([404, true]);
  });

  it('B3 all others, and all, are ended at once, with what identity knows of', async () => {
    const userId = uuidv7();
    const mine = await begin(userId);
    const others = [await begin(userId), await begin(userId)];
    let generation = 0;
    bff.upstream.respond = respondWith(() => ({ generation: (generation += 1) }));
    expect((await bff.call('endOtherSessions', { token: mine })).json).toEqual({ ended: 2 });
    expect(await Promise.all([...others, mine].map(works))).toEqual([false, false, true]);
    await bff.sessions.begin({ userId, role: 'user', generation });
    expect((await bff.call('endAllSessions', { token: mine })).json).toEqual({ ended: 2 });
    expect(await works(mine)).toBe(false);
  });

  it('are counted without a kept session that another request has ended meanwhile', async () => {
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

describe('an admin', () => {
  const listed = async (id: string) =>
    ((await bff.call('listUserDevices', { as: 'admin', id })).json as { data: UserDeviceView[] }).data;
  const end = (id: string, sessionId: string | undefined) =>
    bff.call(`DELETE /api/users/${id}/devices/${sessionId}`, { as: 'admin' });

  it('sees the devices of a user, the most recently used first, and ends one of them', async () => {
    const userId = uuidv7();
    const older = await begin(userId);
    now += minutes(2);
    const newer = await begin(userId);
    const devices = await listed(userId);
    expect(devices.map(({ lastSeenAt }) => lastSeenAt)).toEqual(
      [now, now - minutes(2)].map((at) => new Date(at).toISOString()),
    );
    expect(devices[0]).not.toHaveProperty('isCurrent');
    expect((await end(userId, devices[1]?.id)).json).toEqual({ message: 'ended' });
    const [request] = bff.upstream.requests;
    expect([request?.method, request?.url]).toEqual([
      'DELETE',
      `/accounts/${userId}/sessions/${devices[1]?.id}`,
    ]);
    expect((await bff.callerOf('identity', request)).role).toBe('admin');
    expect(await Promise.all([older, newer].map(works))).toEqual([false, true]);
    expect(await listed(userId)).toEqual([devices[0]]);
  });

  it('ends no session that identity does not record, of another user, or that has ended', async () => {
    const [userId, other] = [uuidv7(), uuidv7()];
    const [token, foreign] = [await begin(userId), await begin(other)];
    const [device] = await listed(userId);
    bff.upstream.respond = refuseWith('service.unavailable');
    expect([(await end(userId, device?.id)).status, await works(token)]).toEqual([503, true]);
    bff.upstream.requests.length = 0;
    expect((await end(userId, (await listed(other))[0]?.id)).status).toBe(404);
    await bff.sessions.end(token);
    expect((await end(userId, device?.id)).status).toBe(404);
    expect([bff.upstream.requests, await works(foreign)]).toEqual([[], true]);
  });

  it('neither sees nor ends the sessions of another admin', async () => {
    const adminId = uuidv7();
    const token = await bff.begin('admin', adminId);
    const [session] = await bff.sessions.list(adminId);
    expect(await listed(adminId)).toEqual([]);
    expect((await end(adminId, session?.id)).status).toBe(404);
    expect([bff.upstream.requests, await works(token)]).toEqual([[], true]);
  });

  it('sees no viewing of a user by support', async () => {
    const [userId, viewer] = [uuidv7(), { id: uuidv7(), binding: '' }];
    await bff.sessions.beginViewing(userId, { ...viewer, token: await bff.begin('admin', viewer.id) });
    expect(await listed(userId)).toEqual([]);
  });
});

it('an admin ends all sessions of a user unless identity refuses to record it', async () => {
  const userId = uuidv7();
  const tokens = [await begin(userId), await begin(userId)];
  const input = { as: 'admin', id: userId } as const;
  bff.upstream.respond = refuseWith('identity.user_not_found');
  expect((await bff.call('endUserSessions', input)).status).toBe(404);
  expect(await Promise.all(tokens.map(works))).toEqual([true, true]);
  bff.upstream.requests.length = 0;
  bff.upstream.respond = respondWith(() => ({ generation: 1 }));
  expect((await bff.call('endUserSessions', input)).json).toEqual({ message: 'ended' });
  expect(bff.upstream.requests.map(({ url }) => url)).toEqual([`/accounts/${userId}/end-sessions`]);
  expect(await Promise.all(tokens.map(works))).toEqual([false, false]);
});

describe('keys and tools that end', () => {
  it.each([
    ['with the other sessions', 'user', 'endOtherSessions', { withAccess: true }],
    ['with all sessions', 'user', 'endAllSessions', { withAccess: true }],
    ['with the sessions of a user', 'admin', 'endUserSessions', { withAccess: true }],
    ['as one key of a user', 'admin', 'endUserKey', { reason: 'Leaked' }],
    ['as one tool of a user', 'admin', 'endUserConnection', { reason: 'Leaked' }],
  ] as const)('B3 %s are read again before they count', async (_name, role, endpoint, body) => {
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
    expect((await bff.call(endpoint, { as: role, ...session, id: userId, body })).status).toBe(200);
    expect(bff.upstream.requests.at(-1)?.json).toMatchObject(body);
    expect(await bff.keyStore.count(name, request)).not.toHaveProperty('key');
  });
});

const writeDatabase = async (name: string, content: string | Buffer): Promise<string> => {
  await writeFile(join(directory, name), content);
  return join(directory, name);
};

it('finds the city and country of an address in the configured database, and none without a database', async () => {
  const places = {
    '198.51.100.0/24': { city: 'Gothenburg', country: 'Sweden' },
    '203.0.113.0/25': { country: 'Norway' },
  };
  const findPlace = await openPlaces(await writeDatabase('two-places.mmdb', createPlaceDatabase(places)));
  expect(findPlace('198.51.100.7')).toBe('Gothenburg, Sweden');
  expect(findPlace('203.0.113.9')).toBe('Norway');
  for (const address of ['203.0.113.200', '127.0.0.1', '2001:db8::1', 'unknown', ''])
    expect(findPlace(address), address).toBe('');
  expect((await openPlaces(''))('198.51.100.7')).toBe('');
});

it('a file that is no such database prevents the start', async () => {
  for (const file of [await writeDatabase('text.mmdb', 'not a database'), join(directory, 'missing.mmdb')])
    await expect(openPlaces(file)).rejects.toThrow(/cannot start: GEOIP_DATABASE/);
});

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)';

it.each<[string | undefined, string, string]>([
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
  [undefined, '', ''],
  [`${'a'.repeat(1_000)} Firefox/130.0`, '', ''],
])('%s is %s on %s', (userAgent, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system });
});
