import { publicPaths } from '@shortlist/contracts/api/public';
import {
  adminAccessChanged,
  deletionRequested,
  passwordChanged,
  userDeleted,
} from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sessionHandlers } from '../src/consumers.ts';
import { keysOfToken, nameOfSession } from '../src/session/session.ts';
import { OWNER } from './factors-reply.ts';
import { type Bff, respondWith, send, startBff } from './support.ts';

/** Without a message of the end, a stream ends at its next heartbeat, after 20 seconds. */
const AT_ONCE_MS = 10_000;

let here: Bff;
let other: Bff;
/** That of the accounts: it grows when identity ends what began before. */
let generation = 0;
beforeAll(async () => {
  [here, other] = [await startBff(inject('sessionsRedisUrl')), await startBff(inject('sessionsRedisUrl'))];
  here.upstream.respond = respondWith(({ url }) => ({
    ...(url?.endsWith('/end-sessions') ? { generation: (generation += 1) } : {}),
  }));
});
afterAll(() => Promise.all([here, other].map((bff) => bff.close())));

type Begun = { userId: string; token: string; id: string };
const begin = async (role: 'user' | 'admin' = 'user', userId = uuidv7()): Promise<Begun> => ({
  userId,
  ...(await here.sessions.begin(
    role === 'user' ? { userId, role, generation } : { userId, role, generation, access: OWNER },
  )),
});

type Stream = { hasEnded: () => boolean; ended: Promise<void>; close: () => void };
const open = async (bff: Bff, token: string): Promise<Stream> => {
  const controller = new AbortController();
  const { signal } = controller;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${bff.url}${publicPaths.live}`, { headers, signal });
  expect(response.status).toBe(200);
  let hasEnded = false;
  const ended = response.text().then(
    () => void (hasEnded = true),
    () => undefined,
  );
  return { hasEnded: () => hasEnded, ended, close: () => controller.abort() };
};

/** Runs `end` and expects the streams of this token at both processes to end, and no other stream. */
const expectEnd = async (token: string, end: () => Promise<unknown>): Promise<void> => {
  const bystander = await open(other, (await begin()).token);
  const streams = [await open(here, token), await open(other, token)];
  const began = performance.now();
  await end();
  await Promise.all(streams.map(({ ended }) => ended));
  expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
  expect(bystander.hasEnded()).toBe(false);
  bystander.close();
};

const request = (method: string, path: string, token: string) =>
  send(here.port, path, { method, headers: { authorization: `Bearer ${token}` } });

/** Consumes an event as the process that owns the partition does. */
const consume = async ({ type }: { type: string }, subject: string, data: object): Promise<void> => {
  const handler = sessionHandlers(here.sessions, here.keyStore).find(({ event }) => event.type === type);
  await handler?.handle({ subject, time: new Date(Date.now() + 1).toISOString(), data } as never);
};

describe('B3 the streams of an ended session end at once, at every process', () => {
  it('after a log-out', async () => {
    const { token } = await begin();
    await expectEnd(token, () => request('POST', '/api/logout', token));
  });

  it('after the user has ended this device, or every other one, from another', async () => {
    const { userId, token, id } = await begin();
    const { token: current } = await begin('user', userId);
    await expectEnd(token, () => request('DELETE', `/api/sessions/${id}`, current));
    const { token: third } = await begin('user', userId);
    await expectEnd(third, () => request('POST', '/api/sessions/end-others', current));
    const stays = await open(other, current);
    await expectEnd((await begin('user', userId)).token, () =>
      request('POST', '/api/sessions/end-others', current),
    );
    expect(stays.hasEnded()).toBe(false);
    stays.close();
  });

  it('after a log-out everywhere', async () => {
    const { token } = await begin();
    await expectEnd(token, () => request('POST', '/api/sessions/end-all', token));
  });

  it.each([
    ['a change of the password', passwordChanged],
    ['a request to delete the account', deletionRequested],
    ['the deletion of the account', userDeleted],
  ] as const)('after %s', async (_, event) => {
    const { userId, token } = await begin();
    await expectEnd(token, () => consume(event, userId, { generation: generation + 1 }));
  });

  it('after the suspension of an admin', async () => {
    const { userId, token } = await begin('admin');
    await expectEnd(token, () =>
      consume(adminAccessChanged, userId, { role: null, version: 1, generation: generation + 1 }),
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
    await expectEnd(expiring, () => Promise.resolve());
    const { token } = await view();
    await expectEnd(token, () => request('POST', '/api/logout', admin));
  });
});
