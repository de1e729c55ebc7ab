import type { AdminAccess } from '@shortlist/contracts/api/team';
import { adminAccessChanged } from '@shortlist/contracts/events/identity';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { sessionHandlers } from '../src/consumers.ts';
import { keysOfUser } from '../src/session/session.ts';
import { OWNER } from './factors-reply.ts';
import { respondWith, useBff } from './support.ts';

const bff = await useBff();
const begin = async (userId: string, access: AdminAccess): Promise<string> =>
  (await bff.sessions.begin({ userId, role: 'admin', generation: 0, access })).token;
const check = (token: string) => bff.call('checkAdmin', { token });
const changed = (access: AdminAccess) =>
  respondWith(() => ({ data: { access, generation: access.role === null ? 1 : 0 } }));

describe('the role of an admin', () => {
  it('D6 is in the session check, and its lack is an error of its own', async () => {
    const token = await begin(uuidv7(), { role: 'support', version: 0 });
    expect(await check(token)).toMatchObject({ status: 200, json: { role: 'support' } });
    expect(await bff.call('exportUsers', { token })).toMatchObject({
      status: 403,
      code: 'session.permission_missing',
    });
  });

  it('D6 counts at once in every living session when it changes', async () => {
    const id = uuidv7();
    const tokens = [
      await begin(id, { role: 'owner', version: 0 }),
      await begin(id, { role: 'owner', version: 0 }),
    ];
    await bff.sessions.setAccess(id, { role: 'read_only', version: 1 });
    for (const token of tokens) {
      expect(await check(token)).toMatchObject({ status: 200, json: { role: 'read_only' } });
      expect((await bff.call('exportUsers', { token })).status).toBe(403);
    }
  });

  it('D6 of an earlier change does not replace that of a later one, nor does a log-in that began before', async () => {
    const id = uuidv7();
    const token = await begin(id, { role: 'owner', version: 3 });
    await bff.sessions.setAccess(id, { role: 'finance', version: 5 });
    await bff.sessions.setAccess(id, { role: 'support', version: 4 });
    const later = await begin(id, { role: 'owner', version: 3 });
    for (const each of [token, later]) expect(await check(each)).toMatchObject({ json: { role: 'finance' } });
  });

  it('D6 sessions of a suspended admin are refused, also one whose log-in began before', async () => {
    const id = uuidv7();
    const token = await begin(id, { role: 'owner', version: 0 });
    await bff.sessions.setAccess(id, { role: null, version: 1 });
    const later = await begin(id, { role: 'owner', version: 0 });
    for (const each of [token, later]) expect((await check(each)).status).toBe(401);
  });

  it('D6 a session whose role is not known is refused', async () => {
    const id = uuidv7();
    const token = await begin(id, { role: 'owner', version: 0 });
    await bff.redis.del(keysOfUser(id).access);
    expect((await check(token)).status).toBe(401);
  });
});

describe('a change of the team', () => {
  it.each([
    ['changeAdminRole', { role: 'finance' }, { role: 'finance', version: 1 }],
    ['suspendAdmin', { reason: 'On leave' }, { role: null, version: 1 }],
    ['removeAdmin', {}, { role: null, version: 1 }],
  ] as const)('D6 counts at once in the sessions of the admin: %s', async (name, body, access) => {
    const id = uuidv7();
    const [owner, other] = [await begin(uuidv7(), OWNER), await begin(id, OWNER)];
    bff.upstream.respond = changed(access);
    expect((await bff.call(name, { token: owner, id, body })).status).toBe(200);
    expect(await check(other)).toMatchObject(
      access.role === null ? { status: 401 } : { status: 200, json: { role: access.role } },
    );
    expect((await check(owner)).status).toBe(200);
  });

  it('D6 does not bring the sessions of a suspended admin back when the admin is restored', async () => {
    const id = uuidv7();
    const [owner, other] = [await begin(uuidv7(), OWNER), await begin(id, OWNER)];
    bff.upstream.respond = changed({ role: null, version: 1 });
    await bff.call('suspendAdmin', { token: owner, id, body: { reason: 'On leave' } });
    bff.upstream.respond = changed({ role: 'support', version: 2 });
    await bff.call('restoreAdmin', { token: owner, id });
    expect((await check(other)).status).toBe(401);
  });

  it('D6 counts from the event too, when the process that made it has stopped', async () => {
    const id = uuidv7();
    const token = await begin(id, OWNER);
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
    expect(await check(token)).toMatchObject({ status: 200, json: { role: 'support' } });
    await publish({ role: null, version: 2 });
    expect((await check(token)).status).toBe(401);
  });
});

it('D6 an invitation is accepted without a session, with the address of the client for the audit log', async () => {
  bff.upstream.respond = respondWith(() => ({ data: { email: 'martijn@shortlist.test' } }), 201);
  const body = { token: 't'.repeat(43), password: 'open sesame' };
  const { status } = await bff.call('acceptInvitation', { body });
  expect(status).toBe(201);
  expect(await bff.callerOf('identity', bff.upstream.requests[0])).toMatchObject({
    role: 'anonymous',
    address: '127.0.0.1',
  });
});
