import { publicPaths } from '@shortlist/contracts/api/public';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { createLiveUpdates, type LiveUpdates } from '../src/handlers/live-updates.ts';
import { useBff } from './support.ts';

const bff = await useBff();

type Stream = { response: Response; close: () => void };

const open = async (token: string): Promise<Stream> => {
  const controller = new AbortController();
  const { signal } = controller;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${bff.url}${publicPaths.live}`, { headers, signal });
  return { response, close: () => controller.abort() };
};

it('a user has at most twenty streams of live updates, in all sessions together', async () => {
  const userId = uuidv7();
  const tokens = await Promise.all(
    Array.from({ length: 2 }, async () => (await bff.sessions.begin(userId, 'user')).token),
  );
  const tokenOf = (index: number): string => tokens[index % 2] ?? '';
  const streams = await Promise.all(Array.from({ length: 20 }, (_, index) => open(tokenOf(index))));
  expect(new Set(streams.map(({ response }) => response.status))).toEqual(new Set([200]));

  const refused = await open(tokenOf(0));
  expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '30']);
  expect(await refused.response.json()).toMatchObject({ error: { code: 'request.rate_limited' } });

  const { token: other } = await bff.sessions.begin(uuidv7(), 'user');
  const ofOther = await open(other);
  expect(ofOther.response.status).toBe(200);

  streams[0]?.close();
  let reopened = await open(tokenOf(0));
  await until('a closed stream to make room', async () => {
    if (reopened.response.status !== 200) reopened = await open(tokenOf(0));
    return reopened.response.status === 200;
  });
  for (const stream of [...streams, ofOther, reopened]) stream.close();
});

it('a HEAD request for the stream gets a response, and opens none', async () => {
  const { token } = await bff.sessions.begin(uuidv7(), 'user');
  const response = await fetch(`${bff.url}${publicPaths.live}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(10_000),
  });
  expect(response.status).toBe(200);
});

it('S2 the stream of a bound session stays open until the session ends', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const liveUpdates = createLiveUpdates(bff.sessions);
  const [userId, binding] = [uuidv7(), 'b'.repeat(43)];
  const { token } = await bff.sessions.begin(userId, 'user', { binding });
  const bindings = { user: binding, admin: '' };
  const session = await bff.sessions.check(token, bindings);
  const response = Object.assign(new PassThrough(), { writeHead: () => undefined });
  let text = '';
  response.on('data', (chunk: Buffer) => (text += chunk.toString()));
  liveUpdates.open({ response, session, token, bindings } as never); // the parts of a response that it uses

  vi.advanceTimersByTime(20_000);
  await until('a heartbeat', () => Promise.resolve(text.includes('heartbeat')));
  expect(response.writableEnded).toBe(false);
  await bff.sessions.end(token);
  vi.advanceTimersByTime(20_000);
  await until('the end of the stream', () => Promise.resolve(response.writableEnded));
  liveUpdates.close();
  vi.useRealTimers();
});

describe('the pages of admins', () => {
  const openPage = async (
    role: 'user' | 'admin',
    liveUpdates: LiveUpdates,
  ): Promise<{ id: string; read: () => string }> => {
    const id = uuidv7();
    const { token } = await bff.sessions.begin(id, role);
    const bindings = { user: '', admin: '' };
    const session = await bff.sessions.check(token, bindings);
    const response = Object.assign(new PassThrough(), { writeHead: () => undefined });
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    liveUpdates.open({ response, session, token, bindings } as never); // the parts of a response that it uses
    return {
      id,
      read: () =>
        text
          .split('\n')
          .filter((line) => line.startsWith('data: '))
          .map((line) => line.slice(6))
          .join('|'),
    };
  };

  it('get all changes of five seconds together, and a user of their own at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    const liveUpdates = createLiveUpdates(bff.sessions);
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
});
