import type { AdminAccess } from '@shortlist/contracts/api/team';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { adminAccessChanged } from '@shortlist/contracts/events/identity';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { sessionHandlers } from '../src/consumers.ts';
import { OWNER } from './factors-reply.ts';
import { respondWith, send, useBff } from './support.ts';

const bff = await useBff();

const headersOf = async (userId: string) => {
  const { token } = await bff.sessions.begin({ userId, role: 'admin', generation: 0, access: OWNER });
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
};
const changed = (access: AdminAccess) =>
  respondWith(() => ({ data: { access, generation: access.role === null ? 1 : 0 } }));
const check = async (headers: Record<string, string>) => {
  const { status, body } = await send(bff.port, publicEndpoints.checkAdmin.path, { headers });
  return { status, role: (JSON.parse(body) as { role?: string }).role };
};

describe('a change of the team', () => {
  it.each([
    { method: 'PUT', path: 'role', body: '{"role":"finance"}', access: { role: 'finance', version: 1 } },
    { method: 'POST', path: 'suspend', body: '{"reason":"On leave"}', access: { role: null, version: 1 } },
    { method: 'DELETE', path: '', body: '', access: { role: null, version: 1 } },
  ] as const)('D6 counts at once in the sessions of the admin: $method $path', async (change) => {
    const { method, path, body, access } = change;
    const id = uuidv7();
    const [owner, other] = [await headersOf(uuidv7()), await headersOf(id)];
    bff.upstream.respond = changed(access);
    const target = `/api/admin/team/${id}${path === '' ? '' : `/${path}`}`;
    expect(
      (await send(bff.port, target, { method, headers: owner, ...(body === '' ? {} : { body }) })).status,
    ).toBe(200);
    expect(await check(other)).toMatchObject(
      access.role === null ? { status: 401 } : { status: 200, role: access.role },
    );
    expect((await check(owner)).status).toBe(200);
  });

  it('D6 does not bring the sessions of a suspended admin back when the admin is restored', async () => {
    const id = uuidv7();
    const [owner, other] = [await headersOf(uuidv7()), await headersOf(id)];
    const body = '{"reason":"On leave"}';
    bff.upstream.respond = changed({ role: null, version: 1 });
    await send(bff.port, `/api/admin/team/${id}/suspend`, { method: 'POST', headers: owner, body });
    bff.upstream.respond = changed({ role: 'support', version: 2 });
    await send(bff.port, `/api/admin/team/${id}/restore`, { method: 'POST', headers: owner, body: '{}' });
    expect((await check(other)).status).toBe(401);
  });

  it('D6 counts from the event too, when the process that made it has stopped', async () => {
    const id = uuidv7();
    const headers = await headersOf(id);
    const handler = sessionHandlers(bff.sessions, bff.keyStore).find(
      ({ event }) => event.type === adminAccessChanged.type,
    );
    const publish = (access: AdminAccess) =>
      handler?.handle(
        eventOf(adminAccessChanged, id, {
          ...access,
          by: uuidv7(),
          generation: access.role === null ? 1 : 0,
        }) as never,
      );
    await publish({ role: 'support', version: 1 });
    expect(await check(headers)).toEqual({ status: 200, role: 'support' });
    await publish({ role: null, version: 2 });
    expect((await check(headers)).status).toBe(401);
  });
});

it('D6 an invitation is accepted without a session, with the address of the client for the audit log', async () => {
  bff.upstream.requests.length = 0;
  bff.upstream.respond = respondWith(() => ({ data: { email: 'martijn@shortlist.test' } }), 201);
  const { status } = await send(bff.port, publicEndpoints.acceptInvitation.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: 't'.repeat(43), password: 'open sesame' }),
  });
  expect(status).toBe(201);
  expect(await bff.callerOf('identity', bff.upstream.requests[0])).toMatchObject({
    role: 'anonymous',
    address: '127.0.0.1',
  });
});
