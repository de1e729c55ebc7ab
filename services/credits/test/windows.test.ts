import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import * as events from '@shortlist/contracts/events/credits';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chargeOnce } from '../src/charges/spend-once.ts';
import { resetDue } from '../src/windows/reset-due.ts';
import { brokenWindows, type Credits, DAY, newUser, openCredits, period, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());
beforeEach(async () => {
  for (const table of ['windows', 'ledger', 'accounts', 'free_cycles', 'exhausted_windows'])
    await credits.db.query(`DELETE FROM ${table}`);
  credits.time.set(START);
});

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const asService = { caller: { role: 'service', userId: null } } as const;
const reset = (limit = 500) => credits.ask(creditsEndpoints.resetDue, { limit }, asService);

describe('windows', () => {
  it('a free window begins with the first spend and is followed by another thirty days later', async () => {
    const userId = newUser();
    expect(await credits.view(userId)).toMatchObject({ available: 20, windowStart: null, windowEnd: null });
    for (const _ of times(20)) await credits.spend(userId);
    expect(await credits.view(userId)).toMatchObject({ available: 0, exhausted: true, freeUsed: 20 });
    credits.time.advance(30 * DAY - 1);
    expect(await credits.tryCharge(userId)).toBe('credits.balance_too_low');
    credits.time.advance(1);
    expect(await credits.spend(userId)).toEqual({ used: 1, available: 19, limit: 20 });
    expect(await credits.windows(userId)).toMatchObject([{ used: 20 }, { used: 1 }]);
  });

  it('shows the end of the paid period, not of the grace, and lets credits be spent in the grace', async () => {
    const userId = newUser();
    const paid = { ...period('in_1', START), graceUntil: new Date(START.getTime() + 37 * DAY).toISOString() };
    await credits.publish(credits.paidEvent(userId, { version: 1, paid, granted: null }));
    expect((await credits.view(userId)).windowEnd).toBe(paid.end);
    const [opened] = await credits.emitted(events.creditsReset, userId);
    expect(opened?.data).toMatchObject({ windowEnd: paid.end, limit: 500 });
    credits.time.advance(33 * DAY);
    await credits.spend(userId);
    expect(await credits.view(userId)).toMatchObject({
      plan: 'premium',
      used: 1,
      windowEnd: paid.graceUntil,
    });
    credits.time.advance(4 * DAY);
    expect(await credits.view(userId)).toMatchObject({ plan: 'free', used: 0 });
  });

  it('G4: at the very moment of a reset, a thousand times, each spend counts in exactly one window', async () => {
    const users = times(50).map(newUser);
    const { db, clock } = credits;
    // Past the doors, so that a thousand take seconds.
    const spend = (userId: string) =>
      chargeOnce(credits, { userId, spend: { reason: 'email_found', operationId: uuidv7() } });
    const resetAll = () => resetDue(db, { clock, limit: 500 });
    await Promise.all(users.map(spend));
    for (const _ of times(20)) {
      credits.time.advance(30 * DAY);
      const spends = [...users, ...users].map(spend);
      const [, , ...answers] = await Promise.all([resetAll(), resetAll(), ...spends]);
      expect(answers.filter(({ used }) => used === 1 || used === 2)).toHaveLength(100);
    }
    const rows = await credits.db.query(
      `SELECT user_id, COUNT(*) AS windows, SUM(used) AS used, MAX(used) AS most FROM windows
       GROUP BY user_id HAVING windows <> 21 OR used <> 41 OR most <> 2`,
    );
    expect(rows).toEqual([]);
    expect(await brokenWindows(credits.db)).toEqual([]);
  });

  it('G4: a window that ends between the reading and the update passes the spend on to the next', async () => {
    const userId = newUser();
    await credits.spend(userId);
    credits.time.advance(30 * DAY - 4);
    // The clock runs on by a millisecond with every look at it, so that the end falls somewhere inside each spend.
    const { clock } = credits.time;
    const results = await Promise.all(
      times(20).map(() => {
        credits.time.set(new Date(clock().getTime() + 1));
        return credits.tryCharge(userId);
      }),
    );
    expect(results.filter((result) => typeof result === 'object')).toHaveLength(20);
    expect(await brokenWindows(credits.db)).toEqual([]);
  });

  it('G5: a plan that begins while the free credits run out is what decides', async () => {
    for (const round of times(30)) {
      const userId = newUser();
      for (const _ of times(19)) await credits.spend(userId);
      const state = { version: 1, paid: period(`in_${round}_${userId}`, credits.clock()), granted: null };
      const [, ...results] = await Promise.all([
        credits.publish(credits.paidEvent(userId, state)),
        ...times(4).map(() => credits.tryCharge(userId)),
      ]);
      const accepted = results.filter((result) => typeof result === 'object').length;
      const windows = await credits.windows(userId);
      const used = windows.reduce((sum, window) => sum + Number(window.used), 0);
      expect(used).toBe(19 + accepted);
      expect(await credits.spend(userId)).toMatchObject({ limit: 500 });
    }
    expect(await brokenWindows(credits.db)).toEqual([]);
  });

  it('G5: a plan that ends stops counting at once, and what it left is not touched', async () => {
    const userId = newUser();
    const paid = period('in_1', START);
    await credits.publish(credits.paidEvent(userId, { version: 1, paid, granted: null }));
    for (const _ of times(3)) await credits.spend(userId);
    credits.time.advance(DAY);
    const ended = { ...paid, end: credits.clock().toISOString() };
    await credits.publish(credits.paidEvent(userId, { version: 2, paid: ended, granted: null }));
    expect(await credits.spend(userId)).toEqual({ used: 1, available: 19, limit: 20 });
    expect(await credits.view(userId)).toMatchObject({ premiumUsed: 3, freeUsed: 1 });
    expect(await credits.windows(userId)).toMatchObject([{ plan: 'premium', used: 3 }, { plan: 'free' }]);
  });

  it('a renewal opens the next window once, full, whatever the last one had left', async () => {
    const userId = newUser();
    await credits.publish(
      credits.paidEvent(userId, { version: 1, paid: period('in_1', START), granted: null }),
    );
    for (const _ of times(5)) await credits.spend(userId);
    credits.time.advance(30 * DAY);
    const second = { version: 2, paid: period('in_2', credits.clock()), granted: null };
    await credits.publish(credits.paidEvent(userId, second));
    await credits.publish(credits.paidEvent(userId, second));
    expect(await credits.spend(userId)).toEqual({ used: 1, available: 499, limit: 500 });
    expect(await credits.windows(userId)).toMatchObject([{ used: 5 }, { used: 1 }]);
  });

  it.each([
    ['goes back five minutes', 0, -5],
    ['goes back ten minutes', 0, -10],
    ['was ten minutes ahead', 10, -10],
  ])('G6 X23: a clock that %s makes no second reset and refuses nobody', async (_, ahead, step) => {
    const userId = newUser();
    await credits.spend(userId);
    credits.time.advance(30 * DAY + ahead * 60_000);
    expect(await reset()).toMatchObject({ reset: 1 });
    credits.time.advance(step * 60_000);
    expect(await reset()).toMatchObject({ reset: 0 });
    await credits.spend(userId);
    credits.time.advance(-step * 60_000);
    expect(await reset()).toMatchObject({ reset: 0 });
    const windows = await credits.windows(userId);
    expect(windows.map(({ used }) => Number(used)).reduce((sum, used) => sum + used)).toBe(2);
    expect(windows).toHaveLength(2);
  });

  it('resets what is due in chunks, two workers at once, each window once', async () => {
    const users = times(120).map(newUser);
    await Promise.all(users.map((userId) => credits.spend(userId)));
    credits.time.advance(30 * DAY);
    const drain = async (): Promise<number> => {
      let total = 0;
      for (let more = true; more;) {
        const chunk = await resetDue(credits.db, { clock: credits.clock, limit: 25 });
        total += chunk.reset;
        ({ more } = chunk);
      }
      return total;
    };
    const [one, other] = await Promise.all([drain(), drain()]);
    expect(one + other + (await drain())).toBe(120);
    const [row]: { windows: number }[] = await credits.db.query('SELECT COUNT(*) AS windows FROM windows');
    expect(Number(row?.windows)).toBe(240);
    const [told]: { events: number }[] = await credits.db.query(
      "SELECT COUNT(*) AS facts FROM outbox WHERE message_key IN (?) AND payload LIKE '%CreditsReset%'",
      [users],
    );
    expect(Number(told?.events)).toBe(240);
  });

  it('a week of downtime, and months of it, are caught up by one window on the old beat', async () => {
    const userId = newUser();
    await credits.spend(userId);
    credits.time.advance(37 * DAY);
    expect(await reset()).toEqual({ reset: 1, more: false });
    expect((await credits.view(userId)).windowStart).toBe(new Date(START.getTime() + 30 * DAY).toISOString());
    credits.time.advance(100 * DAY);
    expect(await reset()).toEqual({ reset: 1, more: false });
    expect((await credits.view(userId)).windowStart).toBe(
      new Date(START.getTime() + 120 * DAY).toISOString(),
    );
    expect(await reset()).toEqual({ reset: 0, more: false });
    expect(await credits.windows(userId)).toHaveLength(3);
  });
});
