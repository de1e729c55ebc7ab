import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { days } from '@shortlist/contracts/durations';
import * as events from '@shortlist/contracts/events/credits';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { inTransaction, type Tx } from '@shortlist/kit/data/db';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { listTablesWith } from '@shortlist/kit/testing/user-rows';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findCurrentBuckets } from '../src/buckets/queries.ts';
import { takeCredits } from '../src/charges/charge-credit.ts';
import { type Credits, newUser, openCredits, period, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());
beforeEach(() => credits.time.set(START));

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const charge = (userId: string, amount = 1) =>
  credits.charge(userId, uuidv7(), { reason: 'email_found', amount });
const premiumUser = async (): Promise<string> => {
  const userId = newUser();
  const state = { version: 1, paid: period(`in_${userId}`, credits.clock()), granted: null };
  await credits.publish(credits.paidEvent(userId, state));
  return userId;
};
/** The use of the window in each warning, in the order of the events. */
const warnings = async (userId: string): Promise<{ low: unknown[]; exhausted: unknown[] }> => {
  const usedIn = async (type: { type: string }): Promise<unknown[]> =>
    (await credits.emitted(type, userId)).map(({ data }) => data['used']);
  return { low: await usedIn(events.creditsLow), exhausted: await usedIn(events.creditsExhausted) };
};

/** The statements of a connection so far. */
const countStatements = async (tx: Tx): Promise<number> => {
  const [row] = await tx.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Questions'");
  return Number(row?.Value);
};

const setMails = (userId: string, enabled: boolean) =>
  credits.ask(creditsEndpoints.setCreditMails, { userId, enabled }, { caller: { role: 'user', userId } });

describe('a window warns', () => {
  it('at 80 % and at 100 % of twenty credits that are charged one by one, once each', async () => {
    const userId = newUser();
    for (const _ of times(15)) await charge(userId);
    expect(await warnings(userId)).toEqual({ low: [], exhausted: [] });
    for (const _ of times(5)) await charge(userId);
    expect(await warnings(userId)).toEqual({ low: [16], exhausted: [20] });
    const [low] = await credits.emitted(events.creditsLow, userId);
    expect(low?.data).toEqual({
      plan: 'free',
      limit: 20,
      used: 16,
      windowStart: START.toISOString(),
      windowEnd: new Date(START.getTime() + days(30)).toISOString(),
      available: 4,
      mail: true,
    });
  });

  it('at 80 % of five hundred credits that are charged by the hundred, and not again above it', async () => {
    const userId = await premiumUser();
    for (const amount of [100, 100, 100, 99]) await charge(userId, amount);
    expect(await warnings(userId)).toEqual({ low: [], exhausted: [] });
    await charge(userId, 37);
    await charge(userId, 30);
    expect(await warnings(userId)).toEqual({ low: [436], exhausted: [] });
    await charge(userId, 34);
    expect(await warnings(userId)).toEqual({ low: [436], exhausted: [500] });
  });

  it('of its exhaustion alone when one charge jumps over 80 %', async () => {
    const userId = newUser();
    await charge(userId, 15);
    await charge(userId, 5);
    expect(await warnings(userId)).toEqual({ low: [], exhausted: [20] });
  });

  it('once when credits come back and are charged again', async () => {
    const userId = newUser();
    await charge(userId, 15);
    const { id } = await credits.reserve(userId);
    await credits.release(userId, id);
    await charge(userId);
    const rest = await credits.reserve(userId, uuidv7(), { amount: 4 });
    await credits.commit(userId, rest.id, { amount: 1 });
    await charge(userId, 3);
    expect(await warnings(userId)).toEqual({ low: [16], exhausted: [20] });
  });

  it('of nothing more once it was exhausted, whatever comes back', async () => {
    const userId = newUser();
    const { id } = await credits.reserve(userId, uuidv7(), { amount: 20 });
    await credits.release(userId, id);
    for (const _ of times(20)) await charge(userId);
    expect(await warnings(userId)).toEqual({ low: [], exhausted: [20] });
  });

  it('of nothing more in a window of which the version before has recorded the exhaustion', async () => {
    const userId = newUser();
    const { id } = await credits.reserve(userId, uuidv7(), { amount: 10 });
    await credits.db.query(
      'INSERT IGNORE INTO exhausted_windows (window_id, user_id) SELECT id, user_id FROM credit_buckets WHERE user_id = ?',
      [userId],
    );
    await credits.release(userId, id);
    await charge(userId, 20);
    expect(await warnings(userId)).toEqual({ low: [], exhausted: [] });
  });

  it('by no refused charge, and by none that a contact pays for', async () => {
    const userId = newUser();
    const contact = { reason: 'email_found', reference: 'ada@engines.test', amount: 15 } as const;
    await credits.charge(userId, uuidv7(), contact);
    expect(await credits.tryCharge(userId, uuidv7(), { reason: 'email_found', amount: 6 })).toBe(
      'credits.balance_too_low',
    );
    expect(await credits.charge(userId, uuidv7(), contact)).toMatchObject({ charged: 0 });
    expect(await warnings(userId)).toEqual({ low: [], exhausted: [] });
  });

  it('once for an operation that is repeated', async () => {
    const userId = newUser();
    await charge(userId, 15);
    const key = uuidv7();
    await Promise.all(times(4).map(() => credits.charge(userId, key, { reason: 'email_found' })));
    await credits.charge(userId, key, { reason: 'email_found' });
    expect(await warnings(userId)).toEqual({ low: [16], exhausted: [] });
  });

  it('again after a reset', async () => {
    const userId = newUser();
    await charge(userId, 16);
    credits.time.advance(days(30));
    await charge(userId, 15);
    expect(await warnings(userId)).toEqual({ low: [16], exhausted: [] });
    await charge(userId);
    await charge(userId, 4);
    expect(await warnings(userId)).toEqual({ low: [16, 16], exhausted: [20] });
  });

  it.each([
    ['one credit', 1, 12],
    ['three credits', 3, 4],
    ['seven credits', 7, 3],
  ])('once each under concurrent charges of %s', async (_, amount, before) => {
    for (const _round of times(6)) {
      const userId = newUser();
      await charge(userId, before);
      const charging = () =>
        credits.charges
          .charge({
            userId,
            reason: 'email_found',
            operationId: uuidv7(),
            clientId: null,
            amount,
          })
          .catch(() => null);
      await Promise.all(times(20).map(charging));
      const { low, exhausted } = await warnings(userId);
      const { used } = await credits.view(userId);
      expect(low).toHaveLength(1);
      expect(exhausted).toHaveLength(used === 20 ? 1 : 0);
    }
  });

  it('once each under concurrent charges, reservations and releases around both thresholds', async () => {
    for (const _round of times(6)) {
      const userId = newUser();
      await charge(userId, 13);
      const reserveAndRelease = async (): Promise<void> => {
        const { id } = await credits.reserve(userId, uuidv7(), { amount: 4 });
        await credits.release(userId, id);
      };
      await Promise.allSettled(
        times(16).map((index) => (index % 2 === 0 ? reserveAndRelease() : charge(userId))),
      );
      const { low, exhausted } = await warnings(userId);
      expect(low.length).toBeLessThanOrEqual(1);
      expect(exhausted.length).toBeLessThanOrEqual(1);
      expect(low.length + exhausted.length).toBeGreaterThan(0);
    }
  });

  const CHARGE = {
    requestedAmount: 1,
    reason: 'email_found',
    reference: null,
    clientId: null,
    reservation: null,
  } as const;

  it('with no statement more in a charge that reaches no threshold', async () => {
    const userId = newUser();
    await charge(userId);
    const statementsOf = (amount: number): Promise<number> =>
      inTransaction(credits.db, async (tx) => {
        const selected = await findCurrentBuckets(tx, userId, credits.clock());
        if (!selected.isOpen) throw new Error('no bucket');
        const before = await countStatements(tx);
        await takeCredits(tx, selected, { ...CHARGE, amount, operationId: uuidv7() }, credits.clock);
        return (await countStatements(tx)) - before - 1; // the count is a statement too
      });
    expect(await statementsOf(14)).toBe(2); // the window, and CreditsSpent
    expect(await statementsOf(1)).toBe(5);
    expect(await statementsOf(3)).toBe(2);
  });
});

describe('the warnings of a deleted user', () => {
  it('are gone, and no charge brings another', async () => {
    const userId = newUser();
    await charge(userId, 16);
    expect(await listTablesWith(credits.db, userId)).toContain('exhausted_windows');
    const deletion = eventOf(userDeleted, userId, { by: 'user', generation: 1 });
    await credits.publish(deletion, 'identity.events');
    expect(await credits.tryCharge(userId, uuidv7(), { reason: 'email_found', amount: 4 })).toBe(
      'credits.user_not_found',
    );
    expect(await warnings(userId)).toEqual({ low: [16], exhausted: [] });
    expect(await listTablesWith(credits.db, userId)).toEqual(['deleted_users']);
  });
});

describe('the setting for mails about credits', () => {
  it('is in both warnings, as it is when they are emitted', async () => {
    const userId = newUser();
    await charge(userId, 15);
    await setMails(userId, false);
    await charge(userId);
    await setMails(userId, true);
    await charge(userId, 4);
    const mailOf = async (type: { type: string }) =>
      (await credits.emitted(type, userId)).map(({ data }) => data['mail']);
    expect(await mailOf(events.creditsLow)).toEqual([false]);
    expect(await mailOf(events.creditsExhausted)).toEqual([true]);
  });

  it('that is turned on after a warning brings no second one', async () => {
    const userId = newUser();
    await setMails(userId, false);
    await charge(userId, 16);
    await setMails(userId, true);
    const { id } = await credits.reserve(userId);
    await credits.release(userId, id);
    await charge(userId);
    expect(await warnings(userId)).toEqual({ low: [16], exhausted: [] });
  });
});

it('a user with a pack is warned when no more is left in all than a fifth of the window, and when nothing is', async () => {
  const userId = await premiumUser();
  await credits.pack(userId);
  for (const _ of times(6)) await charge(userId, 100);
  expect(await warnings(userId)).toEqual({ low: [], exhausted: [] });
  await charge(userId, 90);
  expect(await warnings(userId)).toEqual({ low: [500], exhausted: [] });
  const [low] = await credits.emitted(events.creditsLow, userId);
  expect(low?.data['available']).toBe(60);
  await charge(userId, 60);
  expect(await warnings(userId)).toEqual({ low: [500], exhausted: [500] });
  await credits.pack(userId, { credits: 1, paidCredits: 1 });
  expect(await credits.view(userId)).toMatchObject({ exhausted: false, available: 1 });
  await charge(userId, 1);
  expect(await warnings(userId)).toEqual({ low: [500], exhausted: [500] });
});
