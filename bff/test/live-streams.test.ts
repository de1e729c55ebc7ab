import { PassThrough } from 'node:stream';
import { publicPaths } from '@shortlist/contracts/api/public';
import {
  adminAccessChanged,
  deletionRequested,
  passwordChanged,
  userDeleted,
} from '@shortlist/contracts/events/identity';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it, vi } from 'vitest';
import { sessionHandlers } from '../src/consumers.ts';
import { createLiveUpdates, type LiveUpdates } from '../src/handlers/live-updates.ts';
import { keysOfToken, nameOfSession } from '../src/session/session.ts';
import { accountOf, type Bff, respondWith, useBff } from './support.ts';
import { ana, bearer } from './requests.ts';

/** Without a message of the end, a stream ends at its next heartbeat, after 20 seconds. */
const AT_ONCE_MS = 10_000;

const here = await useBff();
const other = await useBff();
/** That of the accounts: it grows when identity ends what began before. */
let generation = 0;
for (const { upstream } of [here, other])
  upstream.respond = respondWith(({ url }) => ({
    generation: url?.endsWith('/end-sessions') ? (generation += 1) : generation,
    data: { plan: 'free', email: 'ana@talent.test' },
    planState: { version: 0 },
    used: 0,
  }));

const begin = async (role: 'user' | 'admin' = 'user', userId = uuidv7()) => ({
  userId,
  ...(await here.sessions.begin({ ...accountOf(userId, role), generation })),
});

type Stream = { response: Response; close: () => void };
const open = async (bff: Bff, token: string): Promise<Stream> => {
  const controller = new AbortController();
  const { signal } = controller;
  const response = await fetch(`${bff.url}${publicPaths.live}`, { headers: bearer(token), signal });
  return { response, close: () => controller.abort() };
};
/** Follows an open stream to its end. */
const follow = async (bff: Bff, token: string) => {
  const { response, close } = await open(bff, token);
  expect(response.status).toBe(200);
  let hasEnded = false;
  const ended = response.text().then(
    () => void (hasEnded = true),
    () => undefined,
  );
  return { hasEnded: () => hasEnded, ended, close };
};

/** Runs `end` and expects both processes to refuse this token and end its streams, and no other stream. */
const expectEnd = async (token: string, end: () => Promise<unknown>): Promise<void> => {
  const bystander = await follow(other, (await begin()).token);
  const streams = [await follow(here, token), await follow(other, token)];
  const began = performance.now();
  await end();
  for (const bff of [here, other]) expect((await bff.call('listDevices', { token })).status).toBe(401);
  await Promise.all(streams.map(({ ended }) => ended));
  expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
  expect(bystander.hasEnded()).toBe(false);
  bystander.close();
};

const endOthers = (token: string) => here.call('endOtherSessions', { token });

/** Consumes an event as the process that owns the partition does. */
const consume = async ({ type }: { type: string }, subject: string, data: object): Promise<void> => {
  const handler = sessionHandlers(here.sessions, here.keyStore).find(({ event }) => event.type === type);
  await handler?.handle({ subject, time: new Date(Date.now() + 1).toISOString(), data } as never);
};

describe('B3 an ended session is refused at once, and its streams end, at every process', () => {
  it.each(['logout', 'endAllSessions'] as const)('after %s', async (name) => {
    const { token } = await begin();
    await expectEnd(token, () => here.call(name, { token }));
  });

  it('after the user has ended this device, or every other one, from another', async () => {
    const { userId, token, id } = await begin();
    const { token: current } = await begin('user', userId);
    await expectEnd(token, () => here.call('endSession', { token: current, id }));
    const { token: third } = await begin('user', userId);
    await expectEnd(third, () => endOthers(current));
    const stays = await follow(other, current);
    await expectEnd((await begin('user', userId)).token, () => endOthers(current));
    expect(stays.hasEnded()).toBe(false);
    stays.close();
  });

  it.each([
    ['a change of the password', 'user', passwordChanged, {}],
    ['a request to delete the account', 'user', deletionRequested, {}],
    ['the deletion of the account', 'user', userDeleted, {}],
    ['the suspension of an admin', 'admin', adminAccessChanged, { role: null, version: 1 }],
  ] as const)('after %s', async (_, role, event, data) => {
    const { userId, token } = await begin(role);
    await expectEnd(token, () => consume(event, userId, { ...data, generation: generation + 1 }));
  });

  it.each([
    ['the deletion of the user by an admin', here, 'deleteUser', {}],
    ['a new password that an admin sets', other, 'updateUser', { ...ana, password: 'set by an admin' }],
  ] as const)('after %s at one of them', async (...[, bff, name, body]) => {
    const { userId: id, token } = await begin();
    const admin = await bff.begin('admin');
    generation += 1;
    await expectEnd(token, async () =>
      expect((await bff.call(name, { token: admin, id, body })).status).toBe(200),
    );
  });

  it('after the hundredth log-in that follows it', async () => {
    const { userId, token } = await begin();
    await expectEnd(token, () => Promise.all(Array.from({ length: 100 }, () => begin('user', userId))));
  });

  it('of a viewing, after the session of its admin, and after its own time', async () => {
    const { userId: adminId, token: admin } = await begin('admin');
    const view = () => here.sessions.beginViewing(uuidv7(), { id: adminId, token: admin, binding: '' });
    const { token: expiring } = await view();
    await here.redis.hset(keysOfToken(expiring).session(nameOfSession(expiring)), 'ends', Date.now() + 1_500);
    await expectEnd(expiring, () =>
      until('its end', async () => (await here.sessions.check(expiring)) === null),
    );
    const { token } = await view();
    await expectEnd(token, () => here.call('logout', { token: admin }));
  });
});

it('a user has at most twenty streams of live updates, in all sessions together', async () => {
  const userId = uuidv7();
  const tokens = [await here.begin('user', userId), await here.begin('user', userId)];
  const tokenOf = (index: number): string => tokens[index % 2] ?? '';
  const streams = await Promise.all(Array.from({ length: 20 }, (_, index) => open(here, tokenOf(index))));
  expect(new Set(streams.map(({ response }) => response.status))).toEqual(new Set([200]));

  const refused = await open(here, tokenOf(0));
  expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '30']);
  expect(await refused.response.json()).toMatchObject({ error: { code: 'request.rate_limited' } });

  const ofAnother = await here.begin('user');
  const ofOther = await open(here, ofAnother);
  expect(ofOther.response.status).toBe(200);

  streams[0]?.close();
  let reopened = await open(here, tokenOf(0));
  await until('a closed stream to make room', async () => {
    if (reopened.response.status !== 200) reopened = await open(here, tokenOf(0));
    return reopened.response.status === 200;
  });
  for (const stream of [...streams, ofOther, reopened]) stream.close();
});

it('a HEAD request for the stream gets a response, and opens none', async () => {
  const response = await fetch(`${here.url}${publicPaths.live}`, {
    method: 'HEAD',
    headers: bearer(await here.begin('user')),
    signal: AbortSignal.timeout(10_000),
  });
  expect(response.status).toBe(200);
});

/** Opens a stream in this process. Returns what has been written to it. */
const openHere = async (liveUpdates: LiveUpdates, token: string, userBinding = '') => {
  const bindings = { user: userBinding, admin: '' };
  const session = await here.sessions.check(token, bindings);
  const response = Object.assign(new PassThrough(), { writeHead: () => undefined });
  let written = '';
  response.on('data', (chunk: Buffer) => (written += chunk.toString()));
  liveUpdates.open({ response, session, token, bindings } as never); // the parts of a response that it uses
  return { response, read: () => written };
};

it('S2 the stream of a bound session stays open until the session ends', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const liveUpdates = createLiveUpdates(here.sessions);
  const [userId, binding] = [uuidv7(), 'b'.repeat(43)];
  const { token } = await here.sessions.begin(accountOf(userId, 'user'), { binding });
  const { response, read } = await openHere(liveUpdates, token, binding);

  vi.advanceTimersByTime(20_000);
  await until('a heartbeat', () => Promise.resolve(read().includes('heartbeat')));
  expect(response.writableEnded).toBe(false);
  await here.sessions.end(token);
  vi.advanceTimersByTime(20_000);
  await until('the end of the stream', () => Promise.resolve(response.writableEnded));
  liveUpdates.close();
  vi.useRealTimers();
});

describe('the pages of admins', () => {
  const openPage = async (role: 'user' | 'admin', liveUpdates: LiveUpdates) => {
    const id = uuidv7();
    const { read } = await openHere(liveUpdates, await here.begin(role, id));
    const dataIn = (written: string): string[] =>
      [...written.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data);
    return { id, read: () => dataIn(read()).join('|') };
  };

  it('get all changes of five seconds together, and a user of their own at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    const liveUpdates = createLiveUpdates(here.sessions);
    const admin = await openPage('admin', liveUpdates);
    const user = await openPage('user', liveUpdates);
    liveUpdates.notify(user.id, ['subscription', 'credits']);
    liveUpdates.notify(user.id, ['credits']);
    liveUpdates.notify('another', ['profile']);
    await until('the update of the user', () => user.read().includes('"stale":["credits"]'));
    expect(user.read()).toBe('{"stale":["subscription","credits"]}|{"stale":["credits"]}');
    vi.advanceTimersByTime(200);
    const first = `{"changed":{"subscription":["${user.id}"],"credits":["${user.id}"],"profile":["another"]}}`;
    await until('the first update', () => admin.read() === first);
    for (let count = 0; count < 1_000; count += 1) liveUpdates.notify(`user ${count}`, ['credits']);
    vi.advanceTimersByTime(4_900);
    expect(admin.read()).toBe(first);
    vi.advanceTimersByTime(200);
    await until('the second update', () => admin.read() === `${first}|{"changed":{"credits":null}}`);
    vi.useRealTimers();
    liveUpdates.close();
  });

  it('get no change that concerns all users, whose pages are notified one after the other', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    const liveUpdates = createLiveUpdates(here.sessions);
    const admin = await openPage('admin', liveUpdates);
    const [first, second] = [await openPage('user', liveUpdates), await openPage('user', liveUpdates)];
    liveUpdates.notifyUsers(['notices']);
    vi.advanceTimersByTime(1);
    await until('the update of the first', () => first.read() === '{"stale":["notices"]}');
    expect(second.read()).toBe('');
    vi.advanceTimersByTime(50);
    await until('the update of the second', () => second.read() === '{"stale":["notices"]}');
    expect(admin.read()).toBe('');
    vi.useRealTimers();
    liveUpdates.close();
  });
});
