// Requests of which the headers and one byte arrive, then the right of their sender ends, and then the rest arrives.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SCOPES } from '@shortlist/contracts/api/connected-apps';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { v1Endpoints } from '@shortlist/contracts/api/v1';
import { uuidv7 } from 'uuidv7';
import { describe, expect, inject, it } from 'vitest';
import { createOwners } from './api-key-owners.ts';
import { endpointNames, type Operation, requestOf } from './requests.ts';
import { startBff, useBff } from './support.ts';

const bff = await useBff();

/** In which bff has read the head of a request, and has checked what it checks before the body. */
const HEAD_MS = 50;

/** Sends all but the rest of a body. Returns what sends the rest and returns the status of the response. */
const hold = async (
  operation: Operation,
  { token, userId, port = bff.port }: { token: string; userId: string; port?: number },
): Promise<() => Promise<number>> => {
  const {
    target,
    method,
    headers,
    body = '',
  } = requestOf(operation, { id: userId, token, body: { unknown: 1 } });
  const content = String(body);
  const own = { host: 'localhost', connection: 'close', 'idempotency-key': uuidv7() };
  const lines = Object.entries({ ...own, ...headers, 'content-length': content.length });
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map((pair) => pair.join(': '))];
  const socket = connect(port, '127.0.0.1').setNoDelay();
  socket.write(`${head.join('\r\n')}\r\n\r\n${content.slice(0, 1)}`);
  await sleep(HEAD_MS);
  return async () => {
    const reply = text(socket);
    socket.write(content.slice(1));
    return Number((await reply).slice(9, 12));
  };
};

type Role = 'user' | 'admin';
const ROLES: Record<string, readonly Role[]> = {
  users: ['user'],
  admins: ['admin'],
  sessions: ['user', 'admin'],
};

/** Every endpoint with a body that a session opens, once for each role. */
const CELLS = endpointNames.flatMap((name) => {
  const { method, to } = publicEndpoints[name];
  return method === 'GET' ? [] : (ROLES[to] ?? []).map((role) => ({ name, role }));
});

type Begun = { userId: string; role: Role; token: string };

/** What ends the right of a session. */
const ENDS: Record<string, (begun: Begun) => Promise<unknown>> = {
  'a log-out': ({ token }) => bff.sessions.end(token),
  'the end of all sessions, as by a reset': ({ userId }) => bff.sessions.endAllBefore(userId, 1),
  'a suspension': ({ userId, role, token }) =>
    role === 'admin' ? bff.sessions.setAccess(userId, { role: null, version: 1 }) : bff.sessions.end(token),
};

/** How many requests of this size bff reads at once in the test. */
const AT_ONCE = 25;

describe.each(Object.entries(ENDS))('held over %s', (_name, end) => {
  it(`none of ${CELLS.length} endpoint and role pairs goes through`, async () => {
    const through: string[] = [];
    for (let done = 0; done < CELLS.length; done += AT_ONCE)
      await Promise.all(
        CELLS.slice(done, done + AT_ONCE).map(async ({ name, role }) => {
          const userId = uuidv7();
          const token = await bff.begin(role, userId);
          const sendRest = await hold(name, { token, userId });
          await end({ userId, role, token });
          const status = await sendRest();
          if (status !== 401) through.push(`${name} as ${role}: ${status}`);
        }),
      );
    expect(through).toEqual([]);
  });
});

it('an admin whose role gets less meanwhile is refused what it has no more', async () => {
  const needed = endpointNames.filter((name) => {
    const { method, to, permission } = publicEndpoints[name];
    return method !== 'GET' && to === 'admins' && permission !== 'own_account';
  });
  expect(needed.length).toBeGreaterThan(15);
  for (const name of needed) {
    const userId = uuidv7();
    const token = await bff.begin('admin', userId);
    const sendRest = await hold(name, { token, userId });
    await bff.sessions.setAccess(userId, { role: 'read_only', version: 1 });
    expect([name, await sendRest()]).toEqual([name, 403]);
  }
});

it('a tool whose key was deleted meanwhile is refused at every endpoint with a body', async () => {
  const identity = createOwners(bff);
  const names = Object.entries(v1Endpoints).filter(([, { method }]) => method !== 'GET');
  expect(names.length).toBeGreaterThan(2);
  for (const [name, endpoint] of names) {
    const key = identity.addKey({ scopes: [...SCOPES] });
    const sendRest = await hold(endpoint, { token: key.token, userId: key.userId });
    identity.owners.delete(key.hash);
    await bff.keyStore.forget(key.userId);
    expect([name, await sendRest()]).toEqual([name, 401]);
  }
});

it('a body that does not arrive in its time is given up with 408', async () => {
  const impatient = await startBff(inject('sessionsRedisUrl'), {}, { bodyMs: 10 });
  try {
    const userId = uuidv7();
    const token = await impatient.begin('user', userId);
    const sendRest = await hold('createApiKey', { token, userId, port: impatient.port });
    expect(await sendRest()).toBe(408);
  } finally {
    await impatient.close();
  }
});
