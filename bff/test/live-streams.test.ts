import { publicPaths } from '@shortlist/contracts/api/public';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
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
