import { createHash } from 'node:crypto';
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS } from '@shortlist/contracts/limits';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { answering, type Bff, type RawReply, send, startBff } from './support.ts';

const HOUR_MS = 60 * 60 * 1000;

let bff: Bff;
let ahead = 0; // by how much this bff's clock runs ahead of the real one, in milliseconds
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'), {}, () => new Date(Date.now() + ahead));
});
afterAll(() => bff.close());
beforeEach(() => {
  ahead = 0;
});

const keyOf = (token: string): string => `session:${createHash('sha256').update(token).digest('base64url')}`;
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const check = (token: string): Promise<RawReply> =>
  send(bff.port, '/check_authentication', { headers: as(token) });
const remaining = async (token: string): Promise<number> =>
  (JSON.parse((await check(token)).body) as { remainingTime: number }).remainingTime;
const secondsKept = async (token: string): Promise<number> => (await bff.redis.pttl(keyOf(token))) / 1000;
const begin = async (): Promise<string> => (await bff.sessions.begin(uuidv7(), 'admin')).token;
/** As if the session had not been used for a while: `leftMs` are left of its idle time. */
const age = (token: string, leftMs: number) => bff.redis.pexpire(keyOf(token), leftMs);

describe('a session that is logged out', () => {
  // The slow request is under way in the service when the log out comes, and ends after it.
  it('B2 500 times while a slow request of it is under way: refused afterwards, and no key is left', async () => {
    const pending: (() => void)[] = [];
    const answer = answering(() => ({ data: [] }));
    bff.upstream.reply = (...args) => {
      pending.push(() => answer(...args));
    };
    const tokens: string[] = [];
    for (let round = 0; round < 500; round += 1) {
      const { token } = await bff.sessions.begin(uuidv7(), 'user');
      tokens.push(token);
      await age(token, HOUR_MS); // so far gone that each request writes it back
      const slow = send(bff.port, '/api/credits/history', { headers: as(token) });
      await until('the slow request', () => pending.length === 1);
      await age(token, HOUR_MS);
      const other = send(bff.port, '/api/credits/history', { headers: as(token) });
      const out = await send(bff.port, '/api/logout', { method: 'POST', headers: as(token) });
      expect(out.status).toBe(200);
      // The other came in at the same moment as the log out: it was let through, or it was not.
      await Promise.race([other, until('the other request', () => pending.length === 2)]);
      for (const release of pending.splice(0)) release();
      expect((await slow).status).toBe(200);
      expect([200, 401]).toContain((await other).status);
      const after = await send(bff.port, '/api/credits/history', { headers: as(token) });
      expect(after.status).toBe(401);
    }
    expect(await bff.redis.exists(tokens.map(keyOf))).toBe(0);
  });
});

describe('a session that is left alone', () => {
  it('B4 has its whole idle time at the start, and says so to the second', async () => {
    const token = await begin();
    expect(Math.abs((await remaining(token)) - SESSION_IDLE_SECONDS)).toBeLessThanOrEqual(1);
    expect(Math.abs((await remaining(token)) - (await secondsKept(token)))).toBeLessThanOrEqual(1);
  });

  it('B4 is refused by the server as soon as its idle time is over, and has left nothing', async () => {
    const token = await begin();
    await age(token, 300);
    // Looking at Redis alone: asking bff would be using it.
    await until('the end of the session', async () => (await bff.redis.exists(keyOf(token))) === 0);
    expect((await check(token)).status).toBe(401);
  });

  it('B4 that is used again has its whole idle time again; what it says is what the server keeps', async () => {
    const token = await begin();
    for (const leftSeconds of [3 * 3600, 1800, 90, 5]) {
      await age(token, leftSeconds * 1000);
      expect(Math.abs((await remaining(token)) - SESSION_IDLE_SECONDS)).toBeLessThanOrEqual(1);
      expect(Math.abs((await remaining(token)) - (await secondsKept(token)))).toBeLessThanOrEqual(1);
    }
  });

  it('B4 just used is not written back, and still says what is left', async () => {
    const token = await begin();
    await age(token, (SESSION_IDLE_SECONDS - 30) * 1000);
    expect(Math.abs((await remaining(token)) - (SESSION_IDLE_SECONDS - 30))).toBeLessThanOrEqual(1);
  });
});

describe('a session that is never left alone', () => {
  it('B4 ends at its absolute limit, however much it is used, and says how little is left', async () => {
    const token = await begin();
    for (const secondsToGo of [SESSION_ABSOLUTE_SECONDS / 2, 3 * 3600, 600, 20]) {
      ahead = (SESSION_ABSOLUTE_SECONDS - secondsToGo) * 1000;
      const expected = Math.min(SESSION_IDLE_SECONDS, secondsToGo);
      expect(Math.abs((await remaining(token)) - expected)).toBeLessThanOrEqual(1);
      expect(Math.abs((await secondsKept(token)) - expected)).toBeLessThanOrEqual(1);
    }
    ahead = SESSION_ABSOLUTE_SECONDS * 1000;
    expect((await check(token)).status).toBe(401);
    expect(await bff.redis.exists(keyOf(token))).toBe(0);
  });

  it('B4 is not kept longer by carrying it over a change of password', async () => {
    const userId = uuidv7();
    const { token } = await bff.sessions.begin(userId, 'admin');
    ahead = (SESSION_ABSOLUTE_SECONDS - 60) * 1000;
    await bff.sessions.endAllBefore(userId, new Date(Date.now() + ahead), token);
    expect(await remaining(token)).toBeLessThanOrEqual(60);
    ahead = SESSION_ABSOLUTE_SECONDS * 1000;
    expect((await check(token)).status).toBe(401);
  });
});
