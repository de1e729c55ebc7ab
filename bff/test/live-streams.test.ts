import { publicPaths } from '@shortlist/contracts/api/public';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { createLiveUpdates } from '../src/handlers/live-updates.ts';
import { type Bff, startBff } from './support.ts';

let bff: Bff;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'));
});
afterAll(() => bff.close());

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
