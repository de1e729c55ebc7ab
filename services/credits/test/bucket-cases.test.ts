// What went wrong with credits in other products; docs/requirements.md has the list.
import { days } from '@shortlist/contracts/durations';
import * as billing from '@shortlist/contracts/events/billing';
import { type Coverage, type PlanState } from '@shortlist/contracts/plan';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyPlanState } from '../src/balance/apply-plan.ts';
import { resetDue } from '../src/buckets/open-bucket.ts';
import { newUser, openCheckedCredits, period, START } from './support.ts';

const credits = await openCheckedCredits();
beforeEach(() => credits.time.set(START));

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const charge = (userId: string, amount: number) =>
  credits.charge(userId, uuidv7(), { reason: 'email_found', amount });
/** Without HTTP, by a process of its own with its own cache. */
const tryCharge = (userId: string, amount: number): Promise<unknown> =>
  credits.charges
    .charge({
      userId,
      operationId: uuidv7(),
      clientId: null,
      reason: 'email_found',
      amount,
    })
    .catch(() => null);
const applied = (userId: string, state: PlanState): Promise<void> =>
  credits.db.transaction((tx) => applyPlanState(tx, userId, state, credits.clock));
const paid = (version: number, coverage: Coverage | null): PlanState => ({
  version,
  paid: coverage,
  granted: null,
});
const ended = (coverage: Coverage): Coverage => ({ ...coverage, end: credits.clock().toISOString() });
const reset = () => resetDue(credits.db, credits.clock, 500);

const ordersOf = <T>(list: T[]): T[][] =>
  list.length < 2
    ? [list]
    : list.flatMap((first, index) => ordersOf(list.toSpliced(index, 1)).map((rest) => [first, ...rest]));

describe('I18: upgrades, refunds and packs in any order', () => {
  it('end in one balance, which is never below zero', async () => {
    const packId = uuidv7();
    const month = period('in_i18', START);
    const changes = [
      (userId: string) => applied(userId, paid(1, month)),
      (userId: string) => applied(userId, paid(2, { ...month, end: START.toISOString() })),
      (userId: string) => credits.pack(userId, { packId, version: 1 }),
      (userId: string) => credits.pack(userId, { packId, version: 2, paidCredits: 100 }),
    ];
    for (const order of ordersOf(changes)) {
      const userId = newUser();
      for (const change of order) {
        await change(userId);
        await tryCharge(userId, 90);
        const { available, buckets } = await credits.view(userId);
        expect(available).toBeGreaterThanOrEqual(0);
        expect(buckets.every((bucket) => bucket.available >= 0)).toBe(true);
      }
      const { plan, available, used } = await credits.view(userId);
      const [pack] = await credits.db.query<{ used: number }[]>(
        "SELECT used FROM credit_buckets WHERE user_id = ? AND kind = 'pack'",
        [userId],
      );
      expect({ plan, available }).toEqual({
        plan: 'free',
        available: 20 - used + Math.max(0, 100 - (pack?.used ?? 0)),
      });
    }
  });
});

describe('I19: a reset', () => {
  it('concurrent with grants, packs and charges loses none of them', async () => {
    for (const _ of times(5)) {
      const userId = newUser();
      await charge(userId, 20);
      credits.time.advance(days(30));
      const results = await Promise.all([
        reset(),
        reset(),
        ...times(2).map(() => credits.grant(userId, { credits: 10, days: 5 })),
        ...times(2).map(() => credits.pack(userId, { credits: 30, paidCredits: 30 })),
        ...times(3).map(() => charge(userId, 5)),
      ]);
      expect(results).toHaveLength(9);
      expect(await credits.view(userId)).toMatchObject({ available: 20 + 20 + 60 - 15 });
    }
  });
});

describe('I20: credits that were bought', () => {
  it('stay when a subscription starts, renews, changes and ends', async () => {
    const userId = newUser();
    await charge(userId, 20);
    await credits.pack(userId);
    await charge(userId, 50);
    const bought = async () => (await credits.left(userId)).filter(([kind]) => kind === 'pack');
    const first = period('in_a', START);
    await applied(userId, paid(1, first));
    expect(await bought()).toEqual([['pack', 200]]);
    await charge(userId, 100);
    credits.time.advance(days(30));
    await applied(userId, paid(2, period('in_b', credits.clock())));
    await charge(userId, 100);
    expect(await bought()).toEqual([['pack', 200]]);
    await applied(userId, paid(3, ended(period('in_b', credits.clock()))));
    expect(await credits.view(userId)).toMatchObject({ plan: 'free', available: 220 });
    expect(await bought()).toEqual([['pack', 200]]);
  });
});

describe('I21: a change of what plans include', () => {
  it('changes no window and no bucket that a user has', async () => {
    const userId = newUser();
    await applied(userId, paid(1, period('in_i21', START)));
    await credits.pack(userId);
    await charge(userId, 100);
    // As a release with other limits would find them: the numbers are the rows’, not the code’s.
    await credits.db.query(
      "UPDATE credit_buckets SET credit_limit = 480, usable = 480 WHERE user_id = ? AND kind = 'plan'",
      [userId],
    );
    await applied(userId, paid(2, { ...period('in_i21', START), graceUntil: null }));
    await reset();
    expect(await credits.view(userId)).toMatchObject({ limit: 480, used: 100, available: 630 });
    expect(await charge(userId, 100)).toMatchObject({ available: 530, limit: 480 });
  });
});

describe('I22: after resets, repeated events and concurrent grants', () => {
  it('the balance is what the ledger says, at once', async () => {
    const userId = newUser();
    await charge(userId, 7);
    const event = credits.paidEvent(userId, paid(1, period('in_i22', START)));
    const pack = eventOf(billing.creditPackChanged, userId, {
      packId: uuidv7(),
      version: 1,
      credits: 250,
      paidCredits: 250,
      paidAt: START.toISOString(),
    });
    const grantId = uuidv7();
    await Promise.all([
      ...times(3).map(() => credits.publish(event)),
      ...times(3).map(() => credits.publish(pack)),
      ...times(3).map(() => credits.grant(userId, { credits: 40, days: 9, grantId })),
      reset(),
    ]);
    expect(await credits.view(userId)).toMatchObject({ used: 0, available: 500 + 250 + 40 });
    const { available } = await charge(userId, 60);
    expect(available).toBe(730);
    expect(await credits.left(userId)).toEqual([
      ['plan', 480],
      ['pack', 250],
    ]);
    for (const _ of times(3)) await reset();
    expect(await credits.view(userId)).toMatchObject({ available: 730 });
  });

  it('late resets open one window, however many are missed', async () => {
    const userId = newUser();
    await charge(userId, 20);
    await credits.pack(userId, { credits: 5, paidCredits: 5 });
    credits.time.advance(days(95));
    await Promise.all([reset(), reset(), charge(userId, 3)]);
    expect(await credits.view(userId)).toMatchObject({ used: 3, available: 22 });
  });
});

describe('I23: a plan that ends', () => {
  it('takes its credits at its end, after the grace, and no others', async () => {
    const userId = newUser();
    const graceUntil = new Date(START.getTime() + days(37)).toISOString();
    await applied(userId, paid(1, { ...period('in_i23', START), graceUntil }));
    await credits.pack(userId);
    await credits.grant(userId, { credits: 10, days: 60 });
    credits.time.advance(days(33));
    expect(await charge(userId, 100)).toMatchObject({ available: 400 + 260 });
    credits.time.advance(days(4));
    expect(await credits.view(userId)).toMatchObject({ plan: 'free', available: 20 + 260 });
    expect(await charge(userId, 25)).toMatchObject({ used: 15, available: 255 });
  });
});

describe('I24: a new window', () => {
  it('never lowers a balance above its size', async () => {
    const userId = newUser();
    await charge(userId, 2);
    await credits.pack(userId, { credits: 1_000, paidCredits: 1_000 });
    credits.time.advance(days(30));
    await reset();
    expect(await credits.view(userId)).toMatchObject({ used: 0, limit: 20, available: 1_020 });
    await applied(userId, paid(1, period('in_i24', credits.clock())));
    expect(await credits.view(userId)).toMatchObject({ limit: 500, available: 1_500 });
  });
});
