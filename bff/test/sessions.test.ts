import { hours, inSeconds, minutes } from '@shortlist/contracts/durations';
import { passwordChanged, userDeleted } from '@shortlist/contracts/events/identity';
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS } from '@shortlist/contracts/limits';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { isLongRun } from '@shortlist/kit/testing/sample';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { sessionHandlers } from '../src/consumers.ts';
import { keysOfToken, keysOfUser, nameOfSession } from '../src/session/session.ts';
import { createSessions } from '../src/session/sessions.ts';
import { OWNER } from './factors-reply.ts';
import { ana } from './multipart.ts';
import { respondWith, send, useBff } from './support.ts';
import { createTestSessions } from './test-sessions.ts';

let clockOffsetMs = 0; // how far the clock of this bff is ahead
const bff = await useBff({}, { clock: () => new Date(Date.now() + clockOffsetMs) });
const second = await useBff();
beforeEach(() => {
  clockOffsetMs = 0;
});

const keyOf = (token: string): string => keysOfToken(token).session(nameOfSession(token));
const check = (token: string) => bff.call('checkAdmin', { token });

describe('sessions', () => {
  it('a token authenticates with and without the Bearer prefix, at both paths', async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'admin');
    expect((await check(token)).status).toBe(200);
    const bare = await send(bff.port, '/api/check_authentication', { headers: { authorization: token } });
    expect(bare.json).toEqual({
      remainingTime: expect.closeTo(SESSION_IDLE_SECONDS, -1) as number,
      role: 'owner',
    });
  });

  it('Redis stores only the hash of a token', async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'admin');
    const keys = await bff.redis.keys('*');
    expect(keys.some((key) => key.includes(token))).toBe(false);
  });

  /** Of an account at its second generation. */
  const renewed = (userId: string) => ({ userId, role: 'admin', generation: 1, access: OWNER }) as const;

  it('B3 after all sessions of a user are ended each is refused, and a new one is accepted', async () => {
    const userId = uuidv7();
    const tokens = await Promise.all([1, 2, 3].map(() => bff.sessions.begin(userId, 'admin')));
    await bff.sessions.endAllBefore(userId, 1);
    const statuses = await Promise.all(tokens.map(async ({ token }) => (await check(token)).status));
    expect(statuses).toEqual([401, 401, 401]);
    const { token } = await bff.sessions.begin(renewed(userId));
    expect((await check(token)).status).toBe(200);
  });

  it('B3 a log-in whose credentials were read before the end begins no session', async () => {
    const userId = uuidv7();
    await bff.sessions.endAllBefore(userId, 1);
    await expect(bff.sessions.begin(userId, 'admin')).rejects.toMatchObject({
      code: 'session.log_in_superseded',
    });
    expect(await bff.sessions.list(userId)).toEqual([]);
  });

  it('B3 a repeated, delayed end does not end sessions that began since', async () => {
    const userId = uuidv7();
    await bff.sessions.endAllBefore(userId, 1);
    const { token } = await bff.sessions.begin(renewed(userId));
    await bff.sessions.endAllBefore(userId, 1);
    await bff.sessions.endAllBefore(userId, 0);
    expect((await check(token)).status).toBe(200);
  });

  it('X23 a session from a process with a wrong clock can be ended', async () => {
    const userId = uuidv7();
    const skewedSessions = createTestSessions(
      createSessions(bff.redis, () => new Date(Date.now() + minutes(10))),
    );
    const { token } = await skewedSessions.begin(userId, 'admin');
    expect((await check(token)).status).toBe(200);
    await bff.sessions.endAllBefore(userId, 1);
    expect((await check(token)).status).toBe(401);
  });

  it('the session that changes the password stays, also when its event arrives before the response, and twice', async () => {
    const userId = uuidv7();
    const current = await bff.sessions.begin(userId, 'user');
    const other = await bff.sessions.begin(userId, 'user');
    for (let round = 0; round < 3; round += 1) await bff.sessions.endAllBefore(userId, 1, current.id);
    expect(await bff.sessions.check(current.token)).not.toBeNull();
    expect(await bff.sessions.check(other.token)).toBeNull();
    await bff.sessions.endAllBefore(userId, 2, '');
    expect(await bff.sessions.check(current.token)).toBeNull();
  });

  it.each([0, 1])('an end of no session, of generation %i, stores no session', async (generation) => {
    const userId = uuidv7();
    await bff.sessions.endAllBefore(userId, generation);
    expect(await bff.redis.exists(keysOfUser(userId).session('none'))).toBe(0);
  });

  it('a session that has ended does not come back by a change of the password that it had begun', async () => {
    const userId = uuidv7();
    const { token, id } = await bff.sessions.begin(userId, 'admin');
    await bff.sessions.endAllBefore(userId, 1);
    await bff.sessions.endAllBefore(userId, 2, id);
    expect((await check(token)).status).toBe(401);
  });

  it('a session without a generation, of an earlier release, is refused', async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'admin');
    await bff.redis.hdel(keysOfToken(token).session(nameOfSession(token)), 'generation');
    expect((await check(token)).status).toBe(401);
  });

  it('B3 a session has an id of its own, and a time of authentication that moves when the user proves again who they are', async () => {
    let now = Date.now();
    const sessions = createTestSessions(createSessions(bff.redis, () => new Date(now)));
    const { token, id } = await sessions.begin(uuidv7(), 'user');
    expect(token).not.toContain(id);
    expect(await sessions.check(token)).toMatchObject({ id, authenticatedAt: now });
    const beganAt = now;
    now += minutes(15);
    expect(await sessions.check(token)).toMatchObject({ id, authenticatedAt: beganAt });
    await sessions.reauthenticated(token);
    expect(await sessions.check(token)).toMatchObject({ id, authenticatedAt: now });
  });

  it('an ended session stays ended when its user proves again who they are', async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'admin');
    await bff.sessions.end(token);
    await bff.sessions.reauthenticated(token);
    expect((await check(token)).status).toBe(401);
    expect(await bff.redis.exists(keysOfToken(token).session(nameOfSession(token)))).toBe(0);
  });

  it('unknown and malformed tokens are refused', async () => {
    const wellFormed = `${'a'.repeat(16)}.${'b'.repeat(43)}`;
    for (const token of ['', 'x', '../../etc', 'a'.repeat(43), wellFormed, 'é'.repeat(20)]) {
      expect((await check(encodeURI(token))).status).toBe(401);
    }
  });
});

const remaining = async (token: string): Promise<number> =>
  ((await check(token)).json as { remainingTime: number }).remainingTime;
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
  it('B4 starts with its full idle time, reported to the second', async () => {
    const token = await bff.begin('admin');
    expect(Math.abs((await remaining(token)) - SESSION_IDLE_SECONDS)).toBeLessThanOrEqual(1);
    expect(Math.abs((await remaining(token)) - (await secondsToLive(token)))).toBeLessThanOrEqual(1);
  });

  it('B4 is refused once its idle time is over, and leaves no key', async () => {
    const token = await bff.begin('admin');
    await age(token, 300);
    // Polls Redis, because a request to bff would extend the session.
    await until('the end of the session', async () => (await bff.redis.exists(keyOf(token))) === 0);
    expect((await check(token)).status).toBe(401);
  });

  it('B4 gets its full idle time back when it is used, and reports what Redis stores', async () => {
    const token = await bff.begin('admin');
    for (const leftSeconds of [inSeconds(hours(3)), 1800, 90, 5]) {
      await age(token, leftSeconds * 1000);
      expect(Math.abs((await remaining(token)) - SESSION_IDLE_SECONDS)).toBeLessThanOrEqual(1);
      expect(Math.abs((await remaining(token)) - (await secondsToLive(token)))).toBeLessThanOrEqual(1);
    }
  });

  it('B4 that was just used is not extended, and reports its remaining time', async () => {
    const token = await bff.begin('admin');
    await age(token, (SESSION_IDLE_SECONDS - 30) * 1000);
    expect(Math.abs((await remaining(token)) - (SESSION_IDLE_SECONDS - 30))).toBeLessThanOrEqual(1);
  });
});

describe('a session in constant use', () => {
  it('B4 ends at its absolute limit and reports the remaining time', async () => {
    const token = await bff.begin('admin');
    for (const secondsToGo of [SESSION_ABSOLUTE_SECONDS / 2, inSeconds(hours(3)), 600, 20]) {
      clockOffsetMs = (SESSION_ABSOLUTE_SECONDS - secondsToGo) * 1000;
      const expected = Math.min(SESSION_IDLE_SECONDS, secondsToGo);
      expect(Math.abs((await remaining(token)) - expected)).toBeLessThanOrEqual(1);
      expect(Math.abs((await secondsToLive(token)) - expected)).toBeLessThanOrEqual(1);
    }
    clockOffsetMs = SESSION_ABSOLUTE_SECONDS * 1000;
    expect((await check(token)).status).toBe(401);
    expect(await bff.redis.exists(keyOf(token))).toBe(0);
  });

  it('B4 does not get a new absolute limit when it survives a password change', async () => {
    const userId = uuidv7();
    const { token, id } = await bff.sessions.begin(userId, 'admin');
    clockOffsetMs = (SESSION_ABSOLUTE_SECONDS - 60) * 1000;
    await bff.sessions.endAllBefore(userId, 1, id);
    expect(await remaining(token)).toBeLessThanOrEqual(60);
    clockOffsetMs = SESSION_ABSOLUTE_SECONDS * 1000;
    expect((await check(token)).status).toBe(401);
  });
});

describe('the check of a user’s session', () => {
  const ID = uuidv7();
  const IN_TROUBLE = { plan: 'premium', problem: { kind: 'past_due' } as object | null };
  const composedCheck = async (subscription: typeof IN_TROUBLE) => {
    bff.upstream.respond = respondWith(({ url }) => {
      if (url?.startsWith('/subscriptions/')) return { data: subscription, planState: { version: 1 } };
      return url?.startsWith('/credits/') ? { used: 3 } : { data: { id: ID } };
    });
    return (await bff.call('checkUser', { as: 'user', userId: ID })).json;
  };

  it('has the subscription too while its payment is in trouble, by the same reads', async () => {
    expect(await composedCheck(IN_TROUBLE)).toMatchObject({
      user: { id: ID, composed: 3 },
      subscription: IN_TROUBLE,
    });
    expect(bff.upstream.requests).toHaveLength(3);
  });

  it('has none without such a payment', async () => {
    expect(await composedCheck({ ...IN_TROUBLE, problem: null })).not.toHaveProperty('subscription');
  });
});

describe('two bff processes over one session store', () => {
  const replicas = [bff, second];

  /** Begins three sessions of one user and checks that both processes accept them. */
  const begin = async (userId: string): Promise<string[]> => {
    const tokens = await Promise.all([bff, second, bff].map(({ begin: of }) => of('user', userId)));
    expect(await statuses(tokens)).toEqual(Array.from({ length: 6 }, () => 200));
    return tokens;
  };
  const statuses = (tokens: string[]): Promise<number[]> =>
    Promise.all(
      replicas.flatMap(({ call }) =>
        tokens.map(async (token) => (await call('creditsHistory', { token })).status),
      ),
    );
  const expectRefused = async (tokens: string[], startedAt: number): Promise<void> => {
    expect(await statuses(tokens)).toEqual(Array.from({ length: 6 }, () => 401));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  };
  /** The services respond with the generation that the change begins. */
  const stubChanges = (): void => {
    for (const { upstream } of replicas)
      upstream.respond = respondWith(() => ({
        generation: 1,
        data: { plan: 'free', email: 'ana@talent.test' },
        planState: { version: 0 },
        used: 0,
      }));
  };

  it('B3 Delete/disable user, password change, role change → all that user’s sessions refused in ≤1 s on every BFF replica: deleted at the first replica', async () => {
    const userId = uuidv7();
    const tokens = await begin(userId);
    stubChanges();
    const token = await bff.begin('admin');
    const startedAt = performance.now();
    const deleted = await bff.call('deleteUser', { token, id: userId });
    expect(deleted.status).toBe(200);
    await expectRefused(tokens, startedAt);
  });

  it('B3 sessions are refused at both replicas after an admin sets the password at the second', async () => {
    const userId = uuidv7();
    const tokens = await begin(userId);
    stubChanges();
    const token = await second.begin('admin');
    const startedAt = performance.now();
    const body = { ...ana, password: 'set by an admin' };
    const changed = await second.call('updateUser', { token, id: userId, body });
    expect(changed.status).toBe(200);
    await expectRefused(tokens, startedAt);
  });

  it.each([passwordChanged, userDeleted])(
    'B3 sessions are refused at both replicas after one consumes $type',
    async (event) => {
      const userId = uuidv7();
      const tokens = await begin(userId);
      const handler = sessionHandlers(bff.sessions, bff.keyStore).find(
        ({ event: { type } }) => type === event.type,
      );
      const startedAt = performance.now();
      await handler?.handle(eventOf(event as never, userId, { by: 'admin', generation: 1 } as never));
      await expectRefused(tokens, startedAt);
    },
  );
});
