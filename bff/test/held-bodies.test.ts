// Requests of which the headers and one byte arrive, then the right of their sender ends, and then the rest arrives.
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { may } from '@shortlist/contracts/admin-permissions';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { v1Endpoints } from '@shortlist/contracts/api/v1';
import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { SCOPES } from '@shortlist/contracts/api/connected-apps';
import type { SessionRole } from '../src/session/session.ts';
import { createOwners } from './api-key-owners.ts';
import { type EndpointName, openRequest, type Operation, requestOf } from './requests.ts';
import { useBff } from './support.ts';
import { behindSession, MATRIX } from './authorisation-matrix.ts';

const bff = await useBff();
const impatient = await useBff({}, { bodyMs: 10 });

/** In which bff has read the head of a request, and has checked what it checks before the body. */
const HEAD_MS = 50;

/** Sends all but the rest of a body. Returns what sends the rest and returns the status of the response. */
const hold = async (
  operation: Operation,
  { token, userId }: { token: string; userId: string },
): Promise<() => Promise<number>> => {
  const request = requestOf(operation, { id: userId, token, body: { unknown: 1 } });
  const content = String(request.body ?? '');
  const own = { connection: 'close', 'idempotency-key': uuidv7(), 'content-length': content.length };
  const line = `${request.method} ${request.target}` as const;
  const socket = openRequest(bff.port, line, { ...own, ...request.headers }, content.slice(0, 1));
  await sleep(HEAD_MS);
  return async () => {
    const reply = text(socket);
    socket.write(content.slice(1));
    return Number((await reply).slice(9, 12));
  };
};

/** Every endpoint with a body that a session opens, once for each role. */
const CELLS = behindSession
  .filter((name) => publicEndpoints[name].method !== 'GET')
  .flatMap((name) =>
    (['user', 'admin'] as const)
      .filter((role) => MATRIX[name][role] === 'allowed')
      .map((role) => ({ name, role })),
  );

type Begun = { userId: string; role: SessionRole; token: string };

/** What ends the right of a session. */
const ENDS: Record<string, (begun: Begun) => Promise<unknown>> = {
  'a log-out': ({ token }) => bff.sessions.end(token),
  'the end of all sessions, as by a reset': ({ userId }) => bff.sessions.endAllBefore(userId, 1),
  'a suspension': ({ userId, role, token }) =>
    role === 'admin' ? bff.sessions.setAccess(userId, { role: null, version: 1 }) : bff.sessions.end(token),
};

/** How many requests of this size bff reads at once in the test. */
const AT_ONCE = 25;

/** Holds a request of each of these, ends the right, and returns those that do not get this status. */
const heldWithout = async (
  status: number,
  cells: readonly { name: EndpointName; role: SessionRole }[],
  end: (begun: Begun) => Promise<unknown>,
): Promise<string[]> => {
  const others: string[] = [];
  for (let done = 0; done < cells.length; done += AT_ONCE)
    await Promise.all(
      cells.slice(done, done + AT_ONCE).map(async ({ name, role }) => {
        const userId = uuidv7();
        const token = await bff.begin(role, userId);
        const sendRest = await hold(name, { token, userId });
        await end({ userId, role, token });
        const actual = await sendRest();
        if (actual !== status) others.push(`${name} as ${role}: ${actual}`);
      }),
    );
  return others;
};

it.each(Object.entries(ENDS))('held over %s, no request with a body goes through', async (_name, end) => {
  expect(CELLS.length).toBeGreaterThan(50);
  expect(await heldWithout(401, CELLS, end)).toEqual([]);
});

const LOWER_ROLE = 'read_only';

it('an admin whose role gets less meanwhile is refused what it has no more', async () => {
  const cells = CELLS.filter(({ name }) => {
    const { to, permission } = publicEndpoints[name];
    return to === 'admins' && permission !== 'own_account' && !(permission && may(LOWER_ROLE, permission));
  });
  expect(cells.length).toBeGreaterThan(15);
  const lower = ({ userId }: Begun) => bff.sessions.setAccess(userId, { role: LOWER_ROLE, version: 1 });
  expect(await heldWithout(403, cells, lower)).toEqual([]);
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
  const headers = { 'content-length': '100' };
  expect((await impatient.call('createApiKey', { as: 'user', headers, body: '{' })).status).toBe(408);
});
