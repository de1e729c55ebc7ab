import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceView } from '@shortlist/contracts/api/sessions';
import { tagOfUser } from '@shortlist/kit/http/access-token';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { minutes } from '@shortlist/contracts/durations';
import { endOwnSessions } from '../src/handlers/devices.ts';
import { createPlaceDatabase } from './place-database.ts';
import { NO_FACTORS } from './factors-reply.ts';
import { respondWith, type Bff, send, startBff } from './support.ts';

const FIREFOX = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:130.0) Gecko/20100101 Firefox/130.0';

let directory: string;
let bff: Bff;
let now = Date.now();
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'devices-'));
  const path = join(directory, 'places.mmdb');
  await writeFile(
    path,
    createPlaceDatabase({ '198.51.100.0/24': { city: 'Gothenburg', country: 'Sweden' } }),
  );
  const change = { GEOIP_DATABASE: path, TRUSTED_PROXIES: '127.0.0.1' };
  bff = await startBff(inject('sessionsRedisUrl'), change, { clock: () => new Date(now) });
});
afterAll(async () => {
  await bff.close();
  await rm(directory, { recursive: true });
});

const as = (token: string) => ({ authorization: `Bearer ${token}` });
const call = (method: string, path: string, token: string) =>
  send(bff.port, path, { method, headers: as(token) });
const devicesOf = async (token: string): Promise<DeviceView[]> =>
  (JSON.parse((await call('GET', '/api/sessions', token)).body) as { data: DeviceView[] }).data;
const begin = async (userId: string) => (await bff.sessions.begin(userId, 'user')).token;
const works = async (token: string) => (await bff.sessions.check(token)) !== null;

describe('the devices of a user', () => {
  it('have the browser, the system, the place and the times of use, this device marked', async () => {
    const userId = uuidv7();
    bff.upstream.respond = respondWith(() => ({
      data: { id: userId },
      planState: { version: 1 },
      factors: NO_FACTORS,
    }));
    const beganAt = now;
    const login = await send(bff.port, '/login', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': FIREFOX,
        'x-forwarded-for': '198.51.100.7',
      },
      body: '{"email":"ana@talent.test","password":"open sesame"}',
    });
    const { token } = (JSON.parse(login.body) as { data: { token: string } }).data;
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
    expect((await call('DELETE', `/api/sessions/${id}`, foreign)).status).toBe(404);
    expect(await works(lost)).toBe(true);
    expect((await call('DELETE', `/api/sessions/${id}`, mine)).status).toBe(200);
    expect(await works(lost)).toBe(false);
    expect((await call('DELETE', `/api/sessions/${id}`, mine)).status).toBe(404);
    expect(await works(mine)).toBe(true);
  });

  it('B3 all others, and all, are ended at once, with what identity knows of', async () => {
    const userId = uuidv7();
    const [mine, ...others] = [await begin(userId), await begin(userId), await begin(userId)];
    let generation = 0;
    bff.upstream.respond = respondWith(() => ({ generation: (generation += 1) }));
    const ended = await call('POST', '/api/sessions/end-others', mine ?? '');
    expect(JSON.parse(ended.body)).toEqual({ ended: 2 });
    expect(await Promise.all(others.map(works))).toEqual([false, false]);
    expect(await works(mine ?? '')).toBe(true);
    await bff.sessions.begin({ userId, role: 'user', generation });
    expect(JSON.parse((await call('POST', '/api/sessions/end-all', mine ?? '')).body)).toEqual({ ended: 2 });
    expect(await works(mine ?? '')).toBe(false);
  });
});

describe('an admin', () => {
  it('sees how many sessions a user has, and ends all of them through identity, which records it', async () => {
    const userId = uuidv7();
    const tokens = [await begin(userId), await begin(userId)];
    const { token: admin } = await bff.sessions.begin(uuidv7(), 'admin');
    const counted = await call('GET', `/api/users/${userId}/sessions`, admin);
    expect(JSON.parse(counted.body)).toEqual({ count: 2 });
    bff.upstream.requests.length = 0;
    bff.upstream.respond = respondWith(() => ({ generation: 1 }));
    const ended = await call('DELETE', `/api/users/${userId}/sessions`, admin);
    expect(JSON.parse(ended.body)).toEqual({ message: 'ended' });
    expect(bff.upstream.requests.map(({ url }) => url)).toEqual([`/accounts/${userId}/end-sessions`]);
    expect(await Promise.all(tokens.map(works))).toEqual([false, false]);
  });

  it('ends no session when identity refuses', async () => {
    const userId = uuidv7();
    const token = await begin(userId);
    const { token: admin } = await bff.sessions.begin(uuidv7(), 'admin');
    const error = { code: 'identity.user_not_found', message: 'There is no such user.' };
    bff.upstream.respond = respondWith(() => ({ error }), 404);
    expect((await call('DELETE', `/api/users/${userId}/sessions`, admin)).status).toBe(404);
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
    'with the other sessions': ['user', 'POST', '/api/sessions/end-others', { withAccess: true }],
    'with all sessions': ['user', 'POST', '/api/sessions/end-all', { withAccess: true }],
    'with the sessions of a user': ['admin', 'DELETE', '/api/users/:userId/sessions', { withAccess: true }],
    'as one key of a user': [
      'admin',
      'POST',
      `/api/users/:userId/api-keys/${uuidv7()}/end`,
      { reason: 'Leaked' },
    ],
    'as one tool of a user': [
      'admin',
      'POST',
      `/api/users/:userId/connections/${uuidv7()}/end`,
      { reason: 'Leaked' },
    ],
  } as const;

  it.each(Object.entries(ENDS))('B3 %s are read again before they count', async (_name, end) => {
    const [role, method, path, body] = end;
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
    bff.upstream.requests.length = 0;
    bff.upstream.respond = respondWith(() => ({ generation: 1, message: 'ended' }));
    const token = role === 'user' ? await begin(userId) : (await bff.sessions.begin(uuidv7(), 'admin')).token;
    const headers = { ...as(token), 'content-type': 'application/json' };
    const target = path.replace(':userId', userId);
    const reply = await send(bff.port, target, { method, headers, body: JSON.stringify(body) });
    expect(reply.status).toBe(200);
    expect(JSON.parse(String(bff.upstream.requests.at(-1)?.body))).toMatchObject(body);
    expect(await bff.keyStore.count(name, request)).not.toHaveProperty('key');
  });
});
