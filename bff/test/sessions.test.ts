import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { minutes } from '@shortlist/contracts/durations';
import { SESSION_IDLE_SECONDS } from '@shortlist/contracts/limits';
import { keysOfToken, keysOfUser, nameOfSession } from '../src/session/session.ts';
import { createSessions } from '../src/session/sessions.ts';
import { OWNER } from './factors-reply.ts';
import { send, useBff } from './support.ts';
import { createTestSessions } from './test-sessions.ts';

const bff = await useBff();

describe('sessions', () => {
  const check = (token: string) =>
    send(bff.port, '/check_authentication', { headers: { authorization: `Bearer ${token}` } });

  it('a token authenticates with and without the Bearer prefix, at both paths', async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'admin');
    expect((await check(token)).status).toBe(200);
    const bare = await send(bff.port, '/api/check_authentication', { headers: { authorization: token } });
    expect(JSON.parse(bare.body)).toEqual({
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

  it('the session that changes the password of its user stays valid', async () => {
    const userId = uuidv7();
    const currentSession = await bff.sessions.begin(userId, 'admin');
    const otherSession = await bff.sessions.begin(userId, 'admin');
    await bff.sessions.endAllBefore(userId, 1, currentSession.id);
    expect((await check(currentSession.token)).status).toBe(200);
    expect((await check(otherSession.token)).status).toBe(401);
  });

  it('the session that changes the password stays also when its event arrives before the response, and twice', async () => {
    const userId = uuidv7();
    const [current, other] = [
      await bff.sessions.begin(userId, 'user'),
      await bff.sessions.begin(userId, 'user'),
    ];
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

  it('a user session is refused at admin endpoints', async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'user');
    expect((await check(token)).status).toBe(403);
    const users = await send(bff.port, '/users', { headers: { authorization: `Bearer ${token}` } });
    expect(users.status).toBe(403);
  });

  it('unknown and malformed tokens are refused', async () => {
    const wellFormed = `${'a'.repeat(16)}.${'b'.repeat(43)}`;
    for (const token of ['', 'x', '../../etc', 'a'.repeat(43), wellFormed, 'é'.repeat(20)]) {
      const { status } = await send(bff.port, '/check_authentication', {
        headers: { authorization: encodeURI(`Bearer ${token}`) },
      });
      expect(status).toBe(401);
    }
  });
});
