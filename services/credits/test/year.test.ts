import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { days, monthsAfter } from '@shortlist/contracts/durations';
import * as events from '@shortlist/contracts/events/credits';
import { userDeleted } from '@shortlist/contracts/events/identity';
import type { Coverage } from '@shortlist/contracts/plan';
import { inTransaction } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import { untilLockWait } from '@shortlist/kit/testing/databases';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { applyPlanState } from '../src/balance/apply-plan.ts';
import { openNextBucket } from '../src/buckets/open-bucket.ts';
import { openCredits, START } from './support.ts';

const credits = await openCredits();
afterAll(() => credits.close());
beforeEach(() => credits.time.set(START));

const reset = () => credits.ask(creditsEndpoints.resetDue, {}, asService());
const year = (key = 'in_year', start = START): Coverage => {
  const end = monthsAfter(start, 12);
  const graceUntil = new Date(end.getTime() + days(7)).toISOString();
  return { key, start: start.toISOString(), end: end.toISOString(), graceUntil, months: 12 };
};
const pay = (userId: string, paid: Coverage | null, version = 1) =>
  credits.publish(credits.paidEvent(userId, { version, paid, granted: null }));
const newUser = (): string => uuidv7();

/** Day, end and source of the plan's buckets. */
const bucketsOf = async (userId: string): Promise<string[]> => {
  const rows = await credits.db.query<{ source_key: string; starts_at: Date; ends_at: Date }[]>(
    "SELECT source_key, starts_at, ends_at FROM credit_buckets WHERE user_id = ? AND plan = 'premium' ORDER BY starts_at",
    [userId],
  );
  return rows.map((row) =>
    [row.source_key, ...[row.starts_at, row.ends_at].map((at) => at.toISOString().slice(0, 10))].join(' '),
  );
};
const resetsOf = async (userId: string): Promise<number> =>
  (await credits.emitted(events.creditsReset, userId)).length;

describe('the credits of a year that was paid at once', () => {
  it('are those of a month, each month anew, to the end of the paid year and its grace', async () => {
    const userId = newUser();
    const paid = year('in_a');
    await pay(userId, paid);
    await credits.charge(userId);
    expect(await credits.view(userId)).toMatchObject({
      used: 1,
      limit: 500,
      windowEnd: monthsAfter(START, 1).toISOString(),
    });
    for (let month = 1; month < 12; month += 1) {
      credits.time.set(monthsAfter(START, month));
      expect(await credits.view(userId)).toMatchObject({ plan: 'premium', used: 0, available: 500 });
      expect(await reset()).toMatchObject({ reset: 1 });
      expect(await reset()).toMatchObject({ reset: 0 });
      await credits.charge(userId);
    }
    expect(await bucketsOf(userId)).toEqual([
      'in_a 2026-03-01 2026-04-01',
      'in_a:1 2026-04-01 2026-05-01',
      'in_a:2 2026-05-01 2026-06-01',
      'in_a:3 2026-06-01 2026-07-01',
      'in_a:4 2026-07-01 2026-08-01',
      'in_a:5 2026-08-01 2026-09-01',
      'in_a:6 2026-09-01 2026-10-01',
      'in_a:7 2026-10-01 2026-11-01',
      'in_a:8 2026-11-01 2026-12-01',
      'in_a:9 2026-12-01 2027-01-01',
      'in_a:10 2027-01-01 2027-02-01',
      'in_a:11 2027-02-01 2027-03-08',
    ]);
    expect(await resetsOf(userId)).toBe(12);
    credits.time.set(new Date(paid.end));
    await reset();
    expect(await credits.view(userId)).toMatchObject({ plan: 'premium', windowEnd: paid.graceUntil });
    credits.time.advance(days(7));
    await reset();
    expect(await credits.view(userId)).toMatchObject({ plan: 'free', limit: 20 });
    expect(await bucketsOf(userId)).toHaveLength(12);
  });

  it('begin on the last day of a month that is too short', async () => {
    const userId = newUser();
    const start = new Date('2027-01-31T10:00:00.000Z');
    credits.time.set(start);
    await pay(userId, year('in_clip', start));
    for (const day of ['2027-02-28', '2027-03-31', '2027-04-30']) {
      credits.time.set(new Date(`${day}T09:59:59.999Z`));
      expect(await reset()).toMatchObject({ reset: 0 });
      credits.time.advance(1);
      expect(await reset()).toMatchObject({ reset: 1 });
    }
    expect(await bucketsOf(userId)).toEqual([
      'in_clip 2027-01-31 2027-02-28',
      'in_clip:1 2027-02-28 2027-03-31',
      'in_clip:2 2027-03-31 2027-04-30',
      'in_clip:3 2027-04-30 2027-05-31',
    ]);
  });

  it('are there in the month in force however long nothing ran, once for concurrent runs and charges', async () => {
    const userId = newUser();
    await pay(userId, year('in_down'));
    credits.time.set(new Date(monthsAfter(START, 5).getTime() + days(3)));
    const [, , ...charges] = await Promise.all([
      reset(),
      reset(),
      ...Array.from({ length: 8 }, () => credits.charge(userId)),
    ]);
    expect(Math.max(...charges.map(({ used }) => used))).toBe(8);
    await reset();
    expect(await bucketsOf(userId)).toEqual([
      'in_down 2026-03-01 2026-04-01',
      'in_down:5 2026-08-01 2026-09-01',
    ]);
    expect(await resetsOf(userId)).toBe(2);
  });

  it('beside a free period that is still open, each come in their time', async () => {
    const userId = newUser();
    await credits.charge(userId); // opens a free period of thirty days
    credits.time.advance(days(1));
    await pay(userId, year('in_beside', credits.clock()));
    credits.time.advance(days(29));
    expect(await reset()).toMatchObject({ reset: 1 }); // the free one
    credits.time.set(monthsAfter(new Date(START.getTime() + days(1)), 1));
    expect(await reset()).toMatchObject({ reset: 1 });
    expect(await bucketsOf(userId)).toHaveLength(2);
    expect(await credits.view(userId)).toMatchObject({ plan: 'premium', limit: 500 });
  });

  it('do not come after the plan has ended, before or after the month was due', async () => {
    const [before, after] = [newUser(), newUser()];
    for (const userId of [before, after]) await pay(userId, year(`in_${userId.slice(-8)}`));
    const ended = (userId: string): Coverage => ({
      ...year(`in_${userId.slice(-8)}`),
      end: credits.clock().toISOString(),
      graceUntil: null,
    });
    credits.time.advance(days(10));
    await pay(before, ended(before), 2);
    credits.time.set(new Date(monthsAfter(START, 1).getTime() + days(1)));
    await pay(after, ended(after), 2);
    await reset();
    for (const userId of [before, after]) expect(await credits.view(userId)).toMatchObject({ plan: 'free' });
    expect(await bucketsOf(before)).toHaveLength(1);
    // The month had begun when the plan ended, so it was used or not, but it is over.
    expect((await credits.view(after)).premiumUsed).toBe(0);
    credits.time.set(monthsAfter(START, 2));
    await reset();
    expect(await bucketsOf(before)).toHaveLength(1);
  });

  it('do not come of a plan that ends while the month is being opened', async () => {
    const userId = newUser();
    const paid = year('in_race');
    await pay(userId, paid);
    credits.time.set(monthsAfter(START, 1));
    const { db, clock } = credits;
    const ended = {
      version: 2,
      paid: { ...paid, end: clock().toISOString(), graceUntil: null },
      granted: null,
    };
    const { opening } = await inTransaction(db, async (tx) => {
      await applyPlanState(tx, userId, ended, clock);
      const waiting = inTransaction(db, (other) => openNextBucket(other, userId, clock));
      await untilLockWait(db, /INTO .accounts/);
      return { opening: waiting };
    });
    await opening;
    expect(await bucketsOf(userId)).toEqual(['in_race 2026-03-01 2026-04-01']);
  });

  it('come back in the month in force when what ended the plan is taken back', async () => {
    const userId = newUser();
    const paid = year('in_back');
    await pay(userId, paid);
    credits.time.set(new Date(monthsAfter(START, 1).getTime() + days(2)));
    await credits.charge(userId);
    await pay(userId, { ...paid, end: credits.clock().toISOString(), graceUntil: null }, 2);
    credits.time.advance(days(3));
    await pay(userId, paid, 3);
    expect(await credits.view(userId)).toMatchObject({ plan: 'premium', used: 1 });
    credits.time.set(monthsAfter(START, 2));
    await reset();
    expect(await bucketsOf(userId)).toHaveLength(3);
  });

  it('give way to those of the month that was paid before, with what was used of it, when the year is refunded', async () => {
    const userId = newUser();
    const [key, end] = ['in_month', monthsAfter(START, 1).toISOString()];
    const month = { key, start: START.toISOString(), end, graceUntil: null };
    await pay(userId, month);
    await credits.charge(userId);
    credits.time.advance(days(3));
    await pay(userId, year('in_changed', credits.clock()), 2);
    expect(await credits.view(userId)).toMatchObject({ used: 0, available: 500 });
    await credits.charge(userId);
    credits.time.advance(days(1));
    await pay(userId, month, 3);
    expect(await credits.view(userId)).toMatchObject({ used: 1, available: 499, windowEnd: end });
    expect(await bucketsOf(userId)).toEqual([
      'in_month 2026-03-01 2026-04-01',
      'in_changed 2026-03-04 2026-03-05',
    ]);
    credits.time.set(new Date(end));
    expect(await credits.view(userId)).toMatchObject({ plan: 'free' });
  });

  it('end with what is paid, in the middle of a month too', async () => {
    const userId = newUser();
    const end = new Date(monthsAfter(START, 2).getTime() + days(2));
    const paid = { ...year('in_end'), end: end.toISOString(), graceUntil: null };
    await pay(userId, paid);
    credits.time.set(monthsAfter(START, 2));
    await reset();
    expect(await credits.view(userId)).toMatchObject({ plan: 'premium', windowEnd: paid.end });
    expect((await bucketsOf(userId)).at(-1)).toBe('in_end:2 2026-05-01 2026-05-03');
  });
});

describe('the credits of a grant of several months', () => {
  const grantOf = (
    months: number,
    end = monthsAfter(START, months),
    key = `grant:${uuidv7()}`,
  ): Coverage => ({
    key,
    start: START.toISOString(),
    end: end.toISOString(),
    graceUntil: null,
    months,
  });
  const monthOf = (at: Date, key = `in_${uuidv7()}`): Coverage => ({
    key,
    start: at.toISOString(),
    end: monthsAfter(at, 1).toISOString(),
    graceUntil: new Date(monthsAfter(at, 1).getTime() + days(7)).toISOString(),
  });
  const apply = (userId: string, version: number, plans: { paid?: Coverage; granted: Coverage }) =>
    credits.publish(credits.paidEvent(userId, { version, paid: null, ...plans }));
  const after = (months: number, more = 0): Date => new Date(monthsAfter(START, months).getTime() + more);
  /** The months that were opened of this coverage, counted from 0. */
  const openedOf = async (userId: string, { key }: Coverage): Promise<number[]> =>
    (await bucketsOf(userId))
      .map((line) => line.split(' ')[0] ?? '')
      .filter((source) => source.startsWith(key))
      .map((source) => Number(source.slice(key.length + 1)));

  it('are those of each month as it begins, the last cut to the end of the grant', async () => {
    const userId = newUser();
    const granted = grantOf(12, after(11, days(3)));
    await apply(userId, 1, { granted });
    for (let month = 0; month < 12; month += 1) {
      credits.time.set(after(month));
      await Promise.all([reset(), reset(), credits.charge(userId)]);
      expect(await credits.view(userId)).toMatchObject({ plan: 'premium', used: 1, available: 499 });
    }
    expect(await credits.view(userId)).toMatchObject({ windowEnd: granted.end });
    const buckets = await bucketsOf(userId);
    expect(buckets).toHaveLength(12);
    expect(buckets.at(-1)).toBe(`${granted.key}:11 2027-02-01 2027-02-04`);
    expect(await resetsOf(userId)).toBe(12);
    credits.time.set(after(11, days(3)));
    await reset();
    expect(await credits.view(userId)).toMatchObject({ plan: 'free', limit: 20 });
    expect(await openedOf(userId, granted)).toHaveLength(12);
  });

  it('end with a grant that is ended in its third month, whether that has been opened or not', async () => {
    for (const isOpened of [true, false]) {
      const userId = newUser();
      credits.time.set(START);
      const granted = grantOf(6);
      await apply(userId, 1, { granted });
      credits.time.set(after(2, days(4)));
      if (isOpened) await credits.charge(userId);
      const resets = await resetsOf(userId);
      await apply(userId, 2, { granted: { ...granted, end: credits.clock().toISOString() } });
      expect(await credits.view(userId)).toMatchObject({ plan: 'free', limit: 20 });
      // An event that arrives again, or late, opens nothing.
      await apply(userId, 2, { granted });
      await apply(userId, 1, { granted });
      for (const month of [3, 4, 7]) {
        credits.time.set(after(month));
        await reset();
        await credits.charge(userId);
      }
      expect(await openedOf(userId, granted)).toEqual(isOpened ? [0, 2] : [0]);
      expect((await bucketsOf(userId)).at(-1)).toMatch(
        isOpened ? /:2 2026-05-01 2026-05-05$/ : / 2026-04-01$/,
      );
      expect((await resetsOf(userId)) - resets, 'those of the free plan').toBe(3);
    }
  });

  it('wait while a payment is in force, and are there in the month that it leaves', async () => {
    const userId = newUser();
    const granted = grantOf(6);
    await apply(userId, 1, { granted });
    await credits.charge(userId);
    credits.time.set(after(0, days(20)));
    const first = monthOf(credits.clock());
    await apply(userId, 2, { paid: first, granted });
    for (const _ of [1, 2]) await credits.charge(userId);
    expect(await credits.view(userId)).toMatchObject({ used: 2, windowEnd: first.end });
    credits.time.set(after(1));
    await reset();
    credits.time.set(new Date(first.end));
    const second = monthOf(credits.clock());
    await apply(userId, 3, { paid: second, granted });
    await reset();
    expect(await credits.view(userId)).toMatchObject({ used: 0, windowEnd: second.end });
    expect(await openedOf(userId, granted), 'months in which the payments were in force').toEqual([0]);
    // Not renewed: the grant is in force after the grace, in its third month.
    credits.time.set(new Date(Date.parse(second.graceUntil ?? '') - 1));
    await reset();
    expect(await openedOf(userId, granted)).toEqual([0]);
    credits.time.advance(1);
    const resets = await resetsOf(userId);
    expect(await reset()).toMatchObject({ reset: 1 });
    expect(await reset()).toMatchObject({ reset: 0 });
    expect(await resetsOf(userId)).toBe(resets + 1);
    expect(await credits.view(userId)).toMatchObject({ used: 0, windowEnd: after(3).toISOString() });
    credits.time.set(after(3));
    expect(await reset()).toMatchObject({ reset: 1 });
    expect(await openedOf(userId, granted)).toEqual([0, 2, 3]);
  });

  it('are those of the month that was used before, when a payment is taken back within it', async () => {
    const userId = newUser();
    const granted = grantOf(3);
    await apply(userId, 1, { granted });
    for (const _ of [1, 2, 3]) await credits.charge(userId);
    const paid = monthOf(credits.clock());
    await apply(userId, 2, { paid, granted });
    await credits.charge(userId);
    credits.time.advance(days(2));
    await apply(userId, 3, {
      paid: { ...paid, end: credits.clock().toISOString(), graceUntil: null },
      granted,
    });
    expect(await credits.view(userId)).toMatchObject({ plan: 'premium', used: 3, available: 497 });
    credits.time.set(after(1));
    await reset();
    expect(await openedOf(userId, granted)).toEqual([0, 1]);
  });

  it('do not come of a grant that ended while a payment was in force', async () => {
    const userId = newUser();
    const granted = grantOf(6);
    await apply(userId, 1, { granted });
    credits.time.set(after(0, days(20)));
    const paid = monthOf(credits.clock());
    await apply(userId, 2, { paid, granted });
    credits.time.set(after(1, days(2)));
    const ended = { ...granted, end: credits.clock().toISOString() };
    await apply(userId, 3, { paid, granted: ended });
    credits.time.set(new Date(paid.graceUntil ?? ''));
    await reset();
    expect(await credits.view(userId)).toMatchObject({ plan: 'free' });
    credits.time.set(after(4));
    await reset();
    expect(await openedOf(userId, granted)).toEqual([0]);
  });

  it('come before those of a late payment, which is for the time after the grant', async () => {
    const userId = newUser();
    const granted = grantOf(3);
    await apply(userId, 1, { granted });
    credits.time.set(after(0, days(5)));
    const late = { ...monthOf(after(3)), graceUntil: null };
    await apply(userId, 2, { paid: late, granted });
    await credits.charge(userId);
    expect(await credits.view(userId)).toMatchObject({ used: 1, windowEnd: after(1).toISOString() });
    for (const month of [1, 2, 3]) {
      credits.time.set(after(month));
      expect(await reset()).toMatchObject({ reset: 1 });
      expect(await credits.view(userId)).toMatchObject({
        used: 0,
        windowEnd: after(month + 1).toISOString(),
      });
    }
    expect(await openedOf(userId, granted)).toEqual([0, 1, 2]);
    expect((await bucketsOf(userId)).at(-1)).toBe(`${late.key} 2026-06-01 2026-07-01`);
    credits.time.set(after(4));
    await reset();
    expect(await credits.view(userId)).toMatchObject({ plan: 'free' });
  });

  it('do not come of a deleted user', async () => {
    const userId = newUser();
    await apply(userId, 1, { granted: grantOf(3) });
    await credits.publish(eventOf(userDeleted, userId, { by: 'user', generation: 1 }), 'identity.events');
    credits.time.set(after(1));
    await reset();
    expect(await bucketsOf(userId)).toEqual([]);
  });
});
