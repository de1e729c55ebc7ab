// A refund of a part of the plan may take back its share of what is left of a month's credits.
import { days, monthsAfter } from '@shortlist/contracts/durations';
import type { Coverage } from '@shortlist/contracts/plan';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openCredits, period, START } from './support.ts';

const credits = await openCredits();
afterAll(() => credits.close());
beforeEach(() => credits.time.set(START));

const paidWith = (withdrawn?: Coverage['withdrawn'], key = 'in_1'): Coverage => ({
  ...period(key, START),
  ...(withdrawn && { withdrawn }),
});
const HALF = { month: 0, credits: 250 };
const pay = (userId: string, paid: Coverage | null, version = 1) =>
  credits.publish(credits.paidEvent(userId, { version, paid, granted: null }));
const subscribe = async (used = 0): Promise<string> => {
  const userId = uuidv7();
  await pay(userId, paidWith());
  for (let left = used; left > 0; left -= 100)
    await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 100 });
  return userId;
};
/** What the ledger says that refunds took, and gave back. */
const changesOf = async (userId: string): Promise<[string, number][]> => {
  const rows = await credits.db.query<{ reason: string; added: number }[]>(
    "SELECT reason, added FROM ledger WHERE user_id = ? AND reason LIKE 'plan%' ORDER BY id",
    [userId],
  );
  return rows.map(({ reason, added }) => [reason, added]);
};

describe('a refund of a part of the plan that takes back credits', () => {
  it('takes its share once, however often and in whatever order the plan arrives', async () => {
    const userId = await subscribe(100);
    for (const version of [2, 3]) await pay(userId, paidWith(HALF), version);
    await pay(userId, paidWith(), 1);
    expect(await credits.view(userId)).toMatchObject({ used: 100, limit: 250, available: 150 });
    expect(await changesOf(userId)).toEqual([['plan_withdrawn', -250]]);
    await pay(userId, paidWith({ month: 0, credits: 300 }), 4);
    expect(await credits.view(userId)).toMatchObject({ used: 100, limit: 200, available: 100 });
    expect(await changesOf(userId)).toEqual([
      ['plan_withdrawn', -250],
      ['plan_withdrawn', -50],
    ]);
  });

  it('takes no more than is left, and nothing of a pack', async () => {
    const userId = await subscribe(400);
    await credits.pack(userId);
    await pay(userId, paidWith(HALF), 2);
    expect(await credits.view(userId)).toMatchObject({ used: 400, limit: 400, available: 250 });
    expect(await changesOf(userId)).toEqual([['plan_withdrawn', -100]]);
    expect(await credits.left(userId)).toEqual([
      ['plan', 0],
      ['pack', 250],
    ]);
    await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 50 });
    expect(await credits.left(userId)).toEqual([
      ['plan', 0],
      ['pack', 200],
    ]);
  });

  it('gives back exactly what it took when it fails', async () => {
    const userId = await subscribe(400);
    await pay(userId, paidWith(HALF), 2);
    expect(await credits.tryCharge(userId)).toBe('credits.balance_too_low');
    await pay(userId, paidWith(), 3);
    expect(await credits.view(userId)).toMatchObject({ used: 400, limit: 500, available: 100 });
    expect(await changesOf(userId)).toEqual([
      ['plan_withdrawn', -100],
      ['plan_restored', 100],
    ]);
  });

  it('is known when it comes before the payment', async () => {
    const userId = uuidv7();
    await pay(userId, paidWith(HALF), 2);
    await pay(userId, paidWith(), 1);
    expect(await credits.view(userId)).toMatchObject({ used: 0, limit: 250, available: 250 });
  });

  it('leaves of credits that return later what it has not taken', async () => {
    const userId = await subscribe(200);
    const reserve = () => credits.reserve(userId, uuidv7(), { amount: 100 });
    const [one, other] = [await reserve(), await reserve()];
    await pay(userId, paidWith(HALF), 2);
    expect(await credits.view(userId)).toMatchObject({ used: 400, limit: 400, available: 0 });
    for (let times = 0; times < 2; times += 1)
      expect(await credits.release(userId, one.id)).toMatchObject({ used: 300, limit: 300, available: 0 });
    for (let times = 0; times < 2; times += 1)
      expect(await credits.release(userId, other.id)).toMatchObject({ used: 200, limit: 250, available: 50 });
  });

  it('while the user charges, leaves no credit that was not paid for', async () => {
    const userId = await subscribe();
    const charging = Array.from({ length: 12 }, () =>
      credits.tryCharge(userId, uuidv7(), { reason: 'email_found', amount: 40 }),
    );
    await Promise.all([...charging, pay(userId, paidWith(HALF), 2)]);
    const { used, available } = await credits.view(userId);
    expect(available).toBe(Math.max(0, 250 - used));
    expect(used % 40).toBe(0);
    const [[, added] = ['', 0]] = await changesOf(userId);
    expect(added).toBeLessThanOrEqual(0);
    // What was taken and what was used are what the plan had, unless charges after it were refused.
    expect(used - added + available).toBeLessThanOrEqual(500);
    expect(await credits.tryCharge(userId, uuidv7(), { reason: 'email_found', amount: available + 1 })).toBe(
      'credits.balance_too_low',
    );
  });

  it('answers a repeated charge as before, with no more than is left now', async () => {
    const userId = await subscribe(200);
    const key = uuidv7();
    await credits.charge(userId, key, { reason: 'email_found', amount: 100 });
    await pay(userId, paidWith(HALF), 2);
    const repeated = await credits.charge(userId, key, { reason: 'email_found', amount: 100 });
    expect(repeated).toMatchObject({ charged: 100, used: 300, available: 0 });
  });

  it('of a year takes from the month in which it was made, and leaves the others', async () => {
    const userId = uuidv7();
    const end = monthsAfter(START, 12);
    const year = { key: 'in_year', start: START.toISOString(), end: end.toISOString(), graceUntil: null };
    await pay(userId, { ...year, months: 12 });
    credits.time.set(new Date(monthsAfter(START, 2).getTime() + days(1)));
    await pay(userId, { ...year, months: 12, withdrawn: { month: 2, credits: 50 } }, 2);
    expect(await credits.view(userId)).toMatchObject({ limit: 450, available: 450 });
    credits.time.set(monthsAfter(START, 3));
    await pay(userId, { ...year, months: 12, withdrawn: { month: 2, credits: 50 } }, 3);
    expect(await credits.view(userId)).toMatchObject({ limit: 500, available: 500 });
  });
});
