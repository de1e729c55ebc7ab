import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { days, minutes } from '@shortlist/contracts/durations';
import * as events from '@shortlist/contracts/events/credits';
import { asService } from '@shortlist/kit/http/http-client';
import { isLongRun } from '@shortlist/kit/testing/sample';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resetDue } from '../src/buckets/open-bucket.ts';
import { brokenBuckets, type Credits, newUser, openCredits, period, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());
beforeEach(async () => {
  for (const table of ['credit_buckets', 'ledger', 'accounts', 'free_cycles', 'exhausted_windows'])
    await credits.db.query(`DELETE FROM ${table}`);
  credits.time.set(START);
});

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
/** Without HTTP, which takes more time than the charge. */
const charge = (userId: string) =>
  credits.charges.charge({ userId, reason: 'email_found', operationId: uuidv7(), clientId: null });
const reset = (limit = 500) => credits.ask(creditsEndpoints.resetDue, { limit }, asService());

describe('windows', () => {
  it('a free window starts with the first charge and is followed by another thirty days later', async () => {
    const userId = newUser();
    expect(await credits.view(userId)).toMatchObject({ available: 20, windowStart: null, windowEnd: null });
    for (const _ of times(20)) await credits.charge(userId);
    expect(await credits.view(userId)).toMatchObject({ available: 0, exhausted: true, freeUsed: 20 });
    credits.time.advance(days(30) - 1);
    expect(await credits.tryCharge(userId)).toBe('credits.balance_too_low');
    credits.time.advance(1);
    expect(await credits.charge(userId)).toEqual({ used: 1, available: 19, limit: 20, charged: 1 });
    expect(await credits.windows(userId)).toMatchObject([{ used: 20 }, { used: 1 }]);
  });

  it('that is used up says what its credits were used for, without those that were returned', async () => {
    const userId = newUser();
    for (const _ of times(12)) await credits.charge(userId, uuidv7(), { reason: 'message_composed' });
    for (const _ of times(7)) await credits.charge(userId);
    expect((await credits.view(userId)).usedFor).toBeNull();
    const { id } = await credits.reserve(userId);
    expect((await credits.view(userId)).usedFor).toEqual({ messages: 12, emails: 8 });
    await credits.release(userId, id);
    const composing = await credits.reserve(userId, uuidv7(), { reason: 'message_composed' });
    expect(await credits.view(userId)).toMatchObject({
      exhausted: true,
      usedFor: { messages: 13, emails: 7 },
    });
    await credits.release(userId, composing.id);
  });

  it('that is used up by charges of several credits says what they were used for, without the unused parts', async () => {
    const userId = newUser();
    const contact = { reason: 'email_found', reference: 'ada@engines.test' } as const;
    await credits.charge(userId, uuidv7(), { ...contact, amount: 4 });
    await credits.charge(userId, uuidv7(), { ...contact, amount: 3 });
    const composing = await credits.reserve(userId, uuidv7(), { reason: 'message_composed', amount: 16 });
    expect((await credits.view(userId)).usedFor).toEqual({ messages: 16, emails: 4 });
    await credits.commit(userId, composing.id, { amount: 11 });
    const finding = await credits.reserve(userId, uuidv7(), { amount: 5 });
    expect((await credits.view(userId)).usedFor).toEqual({ messages: 11, emails: 9 });
    await credits.release(userId, finding.id);
    await credits.charge(userId, uuidv7(), { reason: 'message_composed', amount: 5 });
    expect((await credits.view(userId)).usedFor).toEqual({ messages: 16, emails: 4 });
  });

  it('a premium window shows the end of the paid period and accepts charges in the grace after it', async () => {
    const userId = newUser();
    const paid = { ...period('in_1', START), graceUntil: new Date(START.getTime() + days(37)).toISOString() };
    await credits.publish(credits.paidEvent(userId, { version: 1, paid, granted: null }));
    expect((await credits.view(userId)).windowEnd).toBe(paid.end);
    const [opened] = await credits.emitted(events.creditsReset, userId);
    expect(opened?.data).toMatchObject({ windowEnd: paid.end, limit: 500 });
    credits.time.advance(days(33));
    await credits.charge(userId);
    expect(await credits.view(userId)).toMatchObject({
      plan: 'premium',
      used: 1,
      windowEnd: paid.graceUntil,
    });
    credits.time.advance(days(4));
    expect(await credits.view(userId)).toMatchObject({ plan: 'free', used: 0 });
  });

  it('G4: hundreds of charges at the moments of resets count in exactly one window each', async () => {
    const users = times(50).map(newUser);
    const resets = isLongRun ? 20 : 5;
    const { db, clock } = credits;
    const resetAll = () => resetDue(db, clock, 500);
    await Promise.all(users.map(charge));
    for (const _ of times(resets)) {
      credits.time.advance(days(30));
      const charges = [...users, ...users].map(charge);
      const [, , ...results] = await Promise.all([resetAll(), resetAll(), ...charges]);
      expect(results.filter(({ used }) => used === 1 || used === 2)).toHaveLength(100);
    }
    const rows = await credits.db.query(
      `SELECT user_id, COUNT(*) AS windows, SUM(used) AS used, MAX(used) AS maximum FROM credit_buckets
       GROUP BY user_id HAVING windows <> ? OR used <> ? OR maximum <> 2`,
      [resets + 1, 2 * resets + 1],
    );
    expect(rows).toEqual([]);
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('G4: a charge whose window ends between its read and its update counts in the next window', async () => {
    const userId = newUser();
    await credits.charge(userId);
    credits.time.advance(days(30) - 4);
    // The clock advances by a millisecond with each charge, so that the window ends during some of them.
    const { clock } = credits.time;
    const results = await Promise.all(
      times(20).map(() => {
        credits.time.set(new Date(clock().getTime() + 1));
        return credits.tryCharge(userId);
      }),
    );
    expect(results.filter((result) => typeof result === 'object')).toHaveLength(20);
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('G5: charges count in the premium window of a plan that starts while the free credits are used up', async () => {
    for (const round of times(isLongRun ? 30 : 8)) {
      const userId = newUser();
      for (const _ of times(19)) await charge(userId);
      const state = { version: 1, paid: period(`in_${round}_${userId}`, credits.clock()), granted: null };
      const [, ...results] = await Promise.all([
        credits.publish(credits.paidEvent(userId, state)),
        ...times(4).map(() => credits.tryCharge(userId)),
      ]);
      const accepted = results.filter((result) => typeof result === 'object').length;
      const windows = await credits.windows(userId);
      const used = windows.reduce((sum, window) => sum + Number(window.used), 0);
      expect(used).toBe(19 + accepted);
      expect(await credits.charge(userId)).toMatchObject({ limit: 500 });
    }
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('G5: a plan that ends takes no more charges, and its window keeps its use', async () => {
    const userId = newUser();
    const paid = period('in_1', START);
    await credits.publish(credits.paidEvent(userId, { version: 1, paid, granted: null }));
    for (const _ of times(3)) await credits.charge(userId);
    credits.time.advance(days(1));
    const ended = { ...paid, end: credits.clock().toISOString() };
    await credits.publish(credits.paidEvent(userId, { version: 2, paid: ended, granted: null }));
    expect(await credits.charge(userId)).toEqual({ used: 1, available: 19, limit: 20, charged: 1 });
    expect(await credits.view(userId)).toMatchObject({ premiumUsed: 3, freeUsed: 1 });
    expect(await credits.windows(userId)).toMatchObject([{ plan: 'premium', used: 3 }, { plan: 'free' }]);
  });

  it('a renewal opens one full window, whatever the use of the previous one', async () => {
    const userId = newUser();
    await credits.publish(
      credits.paidEvent(userId, { version: 1, paid: period('in_1', START), granted: null }),
    );
    for (const _ of times(5)) await credits.charge(userId);
    credits.time.advance(days(30));
    const second = { version: 2, paid: period('in_2', credits.clock()), granted: null };
    await credits.publish(credits.paidEvent(userId, second));
    await credits.publish(credits.paidEvent(userId, second));
    expect(await credits.charge(userId)).toEqual({ used: 1, available: 499, limit: 500, charged: 1 });
    expect(await credits.windows(userId)).toMatchObject([{ used: 5 }, { used: 1 }]);
  });

  it.each([
    ['goes back five minutes', 0, -5],
    ['goes back ten minutes', 0, -10],
    ['was ten minutes ahead', 10, -10],
  ])('G6 X23: a clock that %s causes no second reset and no refused charge', async (_, ahead, step) => {
    const userId = newUser();
    await credits.charge(userId);
    credits.time.advance(days(30) + minutes(ahead));
    expect(await reset()).toMatchObject({ reset: 1 });
    credits.time.advance(minutes(step));
    expect(await reset()).toMatchObject({ reset: 0 });
    await credits.charge(userId);
    credits.time.advance(minutes(-step));
    expect(await reset()).toMatchObject({ reset: 0 });
    const windows = await credits.windows(userId);
    expect(windows.map(({ used }) => Number(used)).reduce((sum, used) => sum + used)).toBe(2);
    expect(windows).toHaveLength(2);
  });

  it('two concurrent workers reset each due window once, in chunks', async () => {
    const users = times(120).map(newUser);
    await Promise.all(users.map(charge));
    credits.time.advance(days(30));
    const drain = async (): Promise<number> => {
      let total = 0;
      for (let more = true; more;) {
        const chunk = await resetDue(credits.db, credits.clock, 25);
        total += chunk.reset;
        ({ more } = chunk);
      }
      return total;
    };
    const [one, other] = await Promise.all([drain(), drain()]);
    expect(one + other + (await drain())).toBe(120);
    const [row]: { windows: number }[] = await credits.db.query(
      'SELECT COUNT(*) AS windows FROM credit_buckets',
    );
    expect(Number(row?.windows)).toBe(240);
    const [outbox]: { events: number }[] = await credits.db.query(
      "SELECT COUNT(*) AS events FROM outbox WHERE message_key IN (?) AND payload LIKE '%CreditsReset%'",
      [users],
    );
    expect(Number(outbox?.events)).toBe(240);
  });

  it('after a week or months of downtime one window is opened, at the interval of the previous ones', async () => {
    const userId = newUser();
    await credits.charge(userId);
    credits.time.advance(days(37));
    expect(await reset()).toEqual({ reset: 1, more: false });
    expect((await credits.view(userId)).windowStart).toBe(new Date(START.getTime() + days(30)).toISOString());
    credits.time.advance(days(100));
    expect(await reset()).toEqual({ reset: 1, more: false });
    expect((await credits.view(userId)).windowStart).toBe(
      new Date(START.getTime() + days(120)).toISOString(),
    );
    expect(await reset()).toEqual({ reset: 0, more: false });
    expect(await credits.windows(userId)).toHaveLength(3);
  });
});
