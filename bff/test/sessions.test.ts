import { hours, inSeconds, minutes } from '@shortlist/contracts/durations';
import { adminAccessChanged } from '@shortlist/contracts/events/identity';
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS, VIEWING_SECONDS } from '@shortlist/contracts/limits';
import { nextVersion } from '@shortlist/kit/data/version.rules';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { isLongRun } from '@shortlist/kit/testing/sample';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminAccess } from '@shortlist/contracts/api/team';
import { suppressionEndpoints } from '@shortlist/contracts/api/email';
import { sessionHandlers } from '../src/consumers.ts';
import { keysOfToken, keysOfUser, nameOfSession } from '../src/session/session.ts';
import { createSessions } from '../src/session/sessions.ts';
import { accountOf, OWNER, refuseWith, respondWith, useBff } from './support.ts';
import { send } from './requests.ts';

let clockOffsetMs = 0; // how far the clock of this bff is ahead
const bff = await useBff({}, { clock: () => new Date(Date.now() + clockOffsetMs) });
beforeEach(() => {
  clockOffsetMs = 0;
});

const keyOf = (token: string): string => keysOfToken(token).session(nameOfSession(token));
const check = (token: string) => bff.call('checkAdmin', { token });

describe('sessions', () => {
  it('a token authenticates with and without the Bearer prefix, at both paths, and Redis stores only its hash', async () => {
    const token = await bff.begin('admin');
    expect((await check(token)).status).toBe(200);
    const bare = await send(bff.port, '/api/check_authentication', { headers: { authorization: token } });
    const remainingTime = expect.closeTo(SESSION_IDLE_SECONDS, -1) as number;
    expect(bare.json).toEqual({ remainingTime, role: 'owner' });
    expect((await bff.redis.keys('*')).filter((key) => key.includes(token))).toEqual([]);
  });

  it('B3 an end of all sessions ends those of its generation, log-ins under way included, and none that began since', async () => {
    const userId = uuidv7();
    const account = accountOf(userId, 'admin');
    const tokens = await Promise.all([1, 2, 3].map(() => bff.begin('admin', userId)));
    await bff.sessions.endAllBefore(userId, 1);
    for (const token of tokens) expect((await check(token)).status).toBe(401);
    await expect(bff.sessions.begin(account)).rejects.toMatchObject({ code: 'session.log_in_superseded' });
    expect(await bff.sessions.list(userId)).toEqual([]);
    const { token } = await bff.sessions.begin({ ...account, generation: 1 });
    expect((await check(token)).status).toBe(200);
    // Repeated and delayed.
    for (const generation of [1, 0]) await bff.sessions.endAllBefore(userId, generation);
    expect((await check(token)).status).toBe(200);
  });

  it('a session of a newer release goes on with fields that are unknown here, and with an unknown restriction does no more', async () => {
    const token = await bff.begin('user');
    const read = () => bff.call('creditsHistory', { token });
    await bff.redis.hset(keyOf(token), { novel: '{"a":1}' });
    expect((await read()).status).toBe(200);
    await bff.redis.hset(keyOf(token), { restriction: 'novel' });
    expect(await read()).toMatchObject({ status: 403 });
    // One of an earlier release has no such field.
    await bff.redis.hdel(keyOf(token), 'restriction');
    expect((await read()).status).toBe(200);
  });

  it('X23 a session from a process with a wrong clock can be ended', async () => {
    const userId = uuidv7();
    const skewedSessions = createSessions(bff.redis, () => new Date(Date.now() + minutes(10)));
    const { token } = await skewedSessions.begin(accountOf(userId, 'admin'));
    expect((await check(token)).status).toBe(200);
    await bff.sessions.endAllBefore(userId, 1);
    expect((await check(token)).status).toBe(401);
  });

  it.each([
    ['one more', 1],
    ['the time in seconds', nextVersion(0, new Date())],
  ])(
    'the session that changes the password stays, also when its event arrives before the response, and twice, with a generation that is %s',
    async (_, begun) => {
      const userId = uuidv7();
      const current = await bff.sessions.begin(accountOf(userId, 'user'));
      const other = await bff.sessions.begin(accountOf(userId, 'user'));
      for (let round = 0; round < 3; round += 1) await bff.sessions.endAllBefore(userId, begun, current.id);
      expect(await bff.sessions.check(current.token)).not.toBeNull();
      expect(await bff.sessions.check(other.token)).toBeNull();
      await bff.sessions.endAllBefore(userId, begun + 1, '');
      expect(await bff.sessions.check(current.token)).toBeNull();
    },
  );

  it.each([0, 1])('an end of no session, of generation %i, stores no session', async (generation) => {
    const userId = uuidv7();
    await bff.sessions.endAllBefore(userId, generation);
    expect(await bff.redis.exists(keysOfUser(userId).session('none'))).toBe(0);
  });

  it.each<[string, (userId: string, session: { token: string; id: string }) => Promise<unknown>]>([
    [
      'a session that has ended does not come back by a change of the password that it had begun',
      async (userId, { id }) => {
        await bff.sessions.endAllBefore(userId, 1);
        await bff.sessions.endAllBefore(userId, 2, id);
      },
    ],
    [
      'a session that has ended stays ended when its user proves again who they are',
      async (_userId, { token }) => {
        await bff.sessions.end(token);
        await bff.sessions.reauthenticated(token);
        expect(await bff.redis.exists(keyOf(token))).toBe(0);
      },
    ],
    [
      'a session without a generation, of an earlier release, is refused',
      (_userId, { token }) => bff.redis.hdel(keyOf(token), 'generation'),
    ],
    ['D6 a session whose role is not known is refused', (userId) => bff.redis.del(keysOfUser(userId).access)],
  ])('%s', async (_what, change) => {
    const userId = uuidv7();
    const session = await bff.sessions.begin(accountOf(userId, 'admin'));
    expect((await check(session.token)).status).toBe(200);
    await change(userId, session);
    expect((await check(session.token)).status).toBe(401);
  });

  it('B3 a session has an id of its own, and a time of authentication that moves when the user proves again who they are', async () => {
    let now = Date.now();
    const beganAt = now;
    const sessions = createSessions(bff.redis, () => new Date(now));
    const { token, id } = await sessions.begin(accountOf(uuidv7(), 'user'));
    expect(token).not.toContain(id);
    expect(await sessions.check(token)).toMatchObject({ id, authenticatedAt: beganAt });
    now += minutes(15);
    expect(await sessions.check(token)).toMatchObject({ id, authenticatedAt: beganAt });
    await sessions.reauthenticated(token);
    expect(await sessions.check(token)).toMatchObject({ id, authenticatedAt: now });
  });

  it('unknown and malformed tokens are refused', async () => {
    const wellFormed = `${'a'.repeat(16)}.${'b'.repeat(43)}`;
    for (const token of ['', 'x', '../../etc', 'a'.repeat(43), wellFormed, 'é'.repeat(20)])
      expect((await check(encodeURI(token))).status).toBe(401);
  });
});

const remaining = async (token: string): Promise<number> =>
  ((await check(token)).json as { remainingTime: number }).remainingTime;
/** The session and its key in Redis have this time left, to the second. */
const expectLeft = async (token: string, seconds: number): Promise<void> => {
  expect(Math.abs((await remaining(token)) - seconds)).toBeLessThanOrEqual(1);
  expect(Math.abs((await secondsToLive(token)) - seconds)).toBeLessThanOrEqual(1);
};
const secondsToLive = async (token: string): Promise<number> => (await bff.redis.pttl(keyOf(token))) / 1000;
/** Leaves `leftMs` of the session's idle time, as if it had not been used for a while. */
const age = (token: string, leftMs: number) => bff.redis.pexpire(keyOf(token), leftMs);

describe('a session after log-out', () => {
  // The slow request is in progress in the service during the log-out and ends after it.
  const rounds = isLongRun ? 500 : 50;
  it(`B2 is refused and leaves no key, ${rounds} times, even when a slow request is in progress during the log-out`, async () => {
    const pending: (() => void)[] = [];
    const respond = respondWith(() => ({ data: [] }));
    bff.upstream.respond = (...args) => {
      // Of the log-out.
      if (args[0].url?.endsWith('/end')) respond(...args);
      else pending.push(() => respond(...args));
    };
    const tokens: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const token = await bff.begin('user');
      tokens.push(token);
      await age(token, hours(1)); // old enough that each request extends it
      const slowRequest = bff.call('creditsHistory', { token });
      await until('the slow request', () => pending.length === 1);
      await age(token, hours(1));
      const concurrentRequest = bff.call('creditsHistory', { token });
      const logout = await bff.call('logout', { token });
      expect(logout.status).toBe(200);
      // The concurrent request may be handled before or after the log-out.
      await Promise.race([concurrentRequest, until('the concurrent request', () => pending.length === 2)]);
      for (const release of pending.splice(0)) release();
      expect((await slowRequest).status).toBe(200);
      expect([200, 401]).toContain((await concurrentRequest).status);
      expect((await bff.call('creditsHistory', { token })).status).toBe(401);
    }
    expect(await bff.redis.exists(tokens.map(keyOf))).toBe(0);
  });
});

describe('an idle session', () => {
  it('B4 has its full idle time from the start and again when it is used, unless it was just used; it reports what Redis stores', async () => {
    const token = await bff.begin('admin');
    await expectLeft(token, SESSION_IDLE_SECONDS);
    for (const leftSeconds of [inSeconds(hours(3)), 1800, 90, 5]) {
      await age(token, leftSeconds * 1000);
      await expectLeft(token, SESSION_IDLE_SECONDS);
    }
    await age(token, (SESSION_IDLE_SECONDS - 30) * 1000);
    await expectLeft(token, SESSION_IDLE_SECONDS - 30);
  });

  it('B4 is refused once its idle time is over, and leaves no key', async () => {
    const token = await bff.begin('admin');
    await age(token, 300);
    // Polls Redis, because a request to bff would extend the session.
    await until('the end of the session', async () => (await bff.redis.exists(keyOf(token))) === 0);
    expect((await check(token)).status).toBe(401);
  });
});

describe('a session in constant use', () => {
  it('B4 ends at its absolute limit, also one that a change of the password leaves, and reports the remaining time', async () => {
    const userId = uuidv7();
    const { token, id } = await bff.sessions.begin(accountOf(userId, 'admin'));
    for (const secondsToGo of [SESSION_ABSOLUTE_SECONDS / 2, inSeconds(hours(3)), 600, 20]) {
      clockOffsetMs = (SESSION_ABSOLUTE_SECONDS - secondsToGo) * 1000;
      await expectLeft(token, Math.min(SESSION_IDLE_SECONDS, secondsToGo));
    }
    await bff.sessions.endAllBefore(userId, 1, id);
    expect(await remaining(token)).toBeLessThanOrEqual(20);
    clockOffsetMs = SESSION_ABSOLUTE_SECONDS * 1000;
    expect((await check(token)).status).toBe(401);
    expect(await bff.redis.exists(keyOf(token))).toBe(0);
  });
});

it('the check of a user’s session has the subscription too while its payment is in trouble, by the same reads', async () => {
  const userId = uuidv7();
  const subscription = { plan: 'premium', problem: { kind: 'past_due' } as object | null };
  bff.upstream.respond = respondWith(({ url }) => {
    if (url?.startsWith('/subscriptions/')) return { data: subscription, planState: { version: 1 } };
    return url?.startsWith('/credits/') ? { used: 3 } : { data: { id: userId } };
  });
  const composedCheck = async () => (await bff.call('checkUser', { as: 'user', userId })).json;
  expect(await composedCheck()).toMatchObject({ user: { id: userId, composed: 3 }, subscription });
  expect(bff.upstream.requests).toHaveLength(3);
  subscription.problem = null;
  expect(await composedCheck()).not.toHaveProperty('subscription');
});

const beginAdmin = async (userId: string, access: AdminAccess): Promise<string> =>
  (await bff.sessions.begin({ userId, role: 'admin', generation: 0, access })).token;
const changed = (access: AdminAccess) =>
  respondWith(() => ({ data: { access, generation: access.role === null ? 1 : 0 } }));

it('D6 the role and the suspension of an admin are not replaced by an earlier change, nor by a log-in that began before', async () => {
  const id = uuidv7();
  const token = await beginAdmin(id, { role: 'owner', version: 3 });
  await bff.sessions.setAccess(id, { role: 'finance', version: 5 });
  await bff.sessions.setAccess(id, { role: 'support', version: 4 });
  const later = await beginAdmin(id, { role: 'owner', version: 3 });
  for (const each of [token, later]) expect(await check(each)).toMatchObject({ json: { role: 'finance' } });
  await bff.sessions.setAccess(id, { role: null, version: 6 });
  const last = await beginAdmin(id, { role: 'owner', version: 3 });
  for (const each of [token, later, last]) expect((await check(each)).status).toBe(401);
});

describe('a change of the team', () => {
  it.each([
    ['changeAdminRole', { role: 'read_only' }, { role: 'read_only', version: 1 }],
    ['suspendAdmin', { reason: 'On leave' }, { role: null, version: 1 }],
    ['removeAdmin', {}, { role: null, version: 1 }],
  ] as const)('D6 counts at once in every living session of the admin: %s', async (name, body, access) => {
    const id = uuidv7();
    const owner = await beginAdmin(uuidv7(), OWNER);
    const others = [await beginAdmin(id, OWNER), await beginAdmin(id, OWNER)];
    bff.upstream.respond = changed(access);
    expect((await bff.call(name, { token: owner, id, body })).status).toBe(200);
    for (const token of others) {
      expect(await check(token)).toMatchObject(
        access.role === null ? { status: 401 } : { status: 200, json: { role: access.role } },
      );
      expect((await bff.call('exportUsers', { token })).status).toBe(access.role === null ? 401 : 403);
    }
    expect((await check(owner)).status).toBe(200);
    if (access.role !== null) return;
    bff.upstream.respond = changed({ role: 'support', version: 2 });
    await bff.call('restoreAdmin', { token: owner, id });
    for (const token of others) expect((await check(token)).status, 'nor does it come back').toBe(401);
  });

  it('D6 counts from the event too, when the process that made it has stopped', async () => {
    const id = uuidv7();
    const token = await beginAdmin(id, OWNER);
    const handlers = sessionHandlers(bff.sessions, bff.keyStore);
    const handler = handlers.find(({ event }) => event.type === adminAccessChanged.type);
    const publish = (access: AdminAccess) => {
      const generation = access.role === null ? 1 : 0;
      const data = { ...access, by: uuidv7(), generation, isRemoved: false };
      return handler?.handle(eventOf(adminAccessChanged, id, data) as never);
    };
    await publish({ role: 'support', version: 1 });
    expect(await check(token)).toMatchObject({ status: 200, json: { role: 'support' } });
    const { status, code } = await bff.call('exportUsers', { token });
    expect([status, code]).toEqual([403, 'session.permission_missing']);
    await publish({ role: null, version: 2 });
    expect((await check(token)).status).toBe(401);
  });
});

it('D6 an invitation is accepted without a session, with the address of the client for the audit log', async () => {
  bff.upstream.respond = respondWith(() => ({ data: { email: 'martijn@shortlist.test' } }), 201);
  const body = { token: 't'.repeat(43), password: 'open sesame' };
  const { status } = await bff.call('acceptInvitation', { body });
  expect(status).toBe(201);
  const caller = await bff.callerOf('identity', bff.upstream.requests[0]);
  expect(caller).toMatchObject({ role: 'anonymous', address: '127.0.0.1' });
});

const startViewing = async (access: AdminAccess = OWNER) => {
  const [adminId, userId] = [uuidv7(), uuidv7()];
  const admin = await beginAdmin(adminId, access);
  const body = { reason: 'The price looks wrong' };
  const { status, json } = await bff.call('startViewing', { token: admin, id: userId, body });
  const { data } = json as { data?: { token: string; remainingTime: number } };
  return { adminId, userId, admin, status, token: data?.token ?? '', data };
};
const statusOfRead = async (token: string) => (await bff.call('email', { token })).status;

describe('an admin who views the product as a user', () => {
  beforeEach(() => {
    bff.upstream.respond = respondWith((request) => ({
      data: request.url === suppressionEndpoints.findSuppressions.path ? [] : {},
      planState: { version: 1 },
    }));
  });

  it('D7 calls services as the user, with the id of the admin beside it', async () => {
    const { token, adminId, userId } = await startViewing();
    const [recorded] = bff.upstream.requests;
    expect(recorded?.url).toBe(`/accounts/${userId}/viewings`);
    expect(recorded?.json).toMatchObject({ reason: 'The price looks wrong' });
    bff.upstream.requests.length = 0;
    await bff.call('resendVerification', { token });
    const caller = await bff.callerOf('identity', bff.upstream.requests[0]);
    expect(caller).toMatchObject({ role: 'user', userId, actorId: adminId });
  });

  it('D7 does so for a quarter of an hour, however busy, as no device of the user', async () => {
    const { token, data, userId } = await startViewing();
    expect(data?.remainingTime).toBe(VIEWING_SECONDS);
    const own = await bff.begin('user', userId);
    expect(await bff.sessions.list(userId)).toHaveLength(1);
    clockOffsetMs = (VIEWING_SECONDS - 60) * 1000;
    expect(await statusOfRead(token)).toBe(200);
    clockOffsetMs = VIEWING_SECONDS * 1000;
    expect(await statusOfRead(token)).toBe(401);
    clockOffsetMs = (VIEWING_SECONDS + 60) * 1000;
    expect(await statusOfRead(own)).toBe(200);
    expect(await bff.sessions.list(userId)).toHaveLength(1);
  });

  it('D7 stops when the admin logs out, loses the role, or stops', async () => {
    const ended = await startViewing();
    await bff.call('logout', { token: ended.admin });
    expect(await statusOfRead(ended.token)).toBe(401);
    const demoted = await startViewing({ role: 'support', version: 0 });
    expect(await statusOfRead(demoted.token)).toBe(200);
    await bff.sessions.setAccess(demoted.adminId, { role: 'finance', version: 1 });
    expect(await statusOfRead(demoted.token)).toBe(401);
    const stopped = await startViewing();
    await bff.call('logout', { token: stopped.token });
    expect(await statusOfRead(stopped.token)).toBe(401);
    expect((await bff.call('checkAdmin', { token: stopped.admin })).status).toBe(200);
  });

  it('D7 begins no session when it cannot be recorded', async () => {
    bff.upstream.respond = refuseWith('identity.user_not_found');
    const { status, userId, data } = await startViewing();
    expect({ status, data }).toEqual({ status: 404, data: undefined });
    expect(await bff.redis.keys(keysOfUser(userId).session('*').replaceAll(/[{}]/g, '?'))).toEqual([]);
  });

  it('S2 is bound to the browser of the admin, not to that of the user', async () => {
    const [adminId, userId, binding] = [uuidv7(), uuidv7(), 'b'.repeat(43)];
    const { token } = await bff.sessions.begin(accountOf(adminId, 'admin'), { binding });
    const viewing = await bff.sessions.beginViewing(userId, { id: adminId, token, binding });
    const check = (bindings: { user: string; admin: string }) => bff.sessions.check(viewing.token, bindings);
    expect(await check({ user: '', admin: binding })).toMatchObject({ userId, viewerId: adminId });
    expect(await check({ user: binding, admin: '' })).toBeNull();
  });
});
