import { hours, inSeconds } from '@shortlist/contracts/durations';
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS } from '@shortlist/contracts/limits';
import { isLongRun } from '@shortlist/kit/testing/sample';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { keysOfToken, nameOfSession } from '../src/session/session.ts';
import { type RawResponse, respondWith, send, useBff } from './support.ts';

let clockOffsetMs = 0; // how far the clock of this bff is ahead
const bff = await useBff({}, { clock: () => new Date(Date.now() + clockOffsetMs) });
beforeEach(() => {
  clockOffsetMs = 0;
});

const keyOf = (token: string): string => keysOfToken(token).session(nameOfSession(token));
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const check = (token: string): Promise<RawResponse> =>
  send(bff.port, '/check_authentication', { headers: as(token) });
const remaining = async (token: string): Promise<number> =>
  (JSON.parse((await check(token)).body) as { remainingTime: number }).remainingTime;
const secondsToLive = async (token: string): Promise<number> => (await bff.redis.pttl(keyOf(token))) / 1000;
const begin = async (): Promise<string> => (await bff.sessions.begin(uuidv7(), 'admin')).token;
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
      const { token } = await bff.sessions.begin(uuidv7(), 'user');
      tokens.push(token);
      await age(token, hours(1)); // old enough that each request extends it
      const slowRequest = send(bff.port, '/api/credits/history', { headers: as(token) });
      await until('the slow request', () => pending.length === 1);
      await age(token, hours(1));
      const concurrentRequest = send(bff.port, '/api/credits/history', { headers: as(token) });
      const logout = await send(bff.port, '/api/logout', { method: 'POST', headers: as(token) });
      expect(logout.status).toBe(200);
      // The concurrent request may be handled before or after the log-out.
      await Promise.race([concurrentRequest, until('the concurrent request', () => pending.length === 2)]);
      for (const release of pending.splice(0)) release();
      expect((await slowRequest).status).toBe(200);
      expect([200, 401]).toContain((await concurrentRequest).status);
      const after = await send(bff.port, '/api/credits/history', { headers: as(token) });
      expect(after.status).toBe(401);
    }
    expect(await bff.redis.exists(tokens.map(keyOf))).toBe(0);
  });
});

describe('an idle session', () => {
  it('B4 starts with its full idle time, reported to the second', async () => {
    const token = await begin();
    expect(Math.abs((await remaining(token)) - SESSION_IDLE_SECONDS)).toBeLessThanOrEqual(1);
    expect(Math.abs((await remaining(token)) - (await secondsToLive(token)))).toBeLessThanOrEqual(1);
  });

  it('B4 is refused once its idle time is over, and leaves no key', async () => {
    const token = await begin();
    await age(token, 300);
    // Polls Redis, because a request to bff would extend the session.
    await until('the end of the session', async () => (await bff.redis.exists(keyOf(token))) === 0);
    expect((await check(token)).status).toBe(401);
  });

  it('B4 gets its full idle time back when it is used, and reports what Redis stores', async () => {
    const token = await begin();
    for (const leftSeconds of [inSeconds(hours(3)), 1800, 90, 5]) {
      await age(token, leftSeconds * 1000);
      expect(Math.abs((await remaining(token)) - SESSION_IDLE_SECONDS)).toBeLessThanOrEqual(1);
      expect(Math.abs((await remaining(token)) - (await secondsToLive(token)))).toBeLessThanOrEqual(1);
    }
  });

  it('B4 that was just used is not extended, and reports its remaining time', async () => {
    const token = await begin();
    await age(token, (SESSION_IDLE_SECONDS - 30) * 1000);
    expect(Math.abs((await remaining(token)) - (SESSION_IDLE_SECONDS - 30))).toBeLessThanOrEqual(1);
  });
});

describe('a session in constant use', () => {
  it('B4 ends at its absolute limit and reports the remaining time', async () => {
    const token = await begin();
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
