import { creditsDoors } from '@shortlist/contracts/api/credits';
import * as facts from '@shortlist/contracts/events/credits';
import type { ReserveInput } from '@shortlist/contracts/schemas/credits';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { brokenWindows, type Credits, DAY, newUser, openCredits, period, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());
beforeEach(() => credits.time.set(START));

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const code = ({ code: of }: { code: string }): string => of;

const reserve = (userId: string, key: string = uuidv7(), more: Partial<ReserveInput> = {}) =>
  credits.ask(
    creditsDoors.reserve,
    { userId, reason: 'email_found', ...more },
    { caller: { role: 'user', userId }, headers: { 'idempotency-key': key } },
  );
const settle = (userId: string, reservationId: string, how: 'commitReservation' | 'releaseReservation') =>
  credits.ask(creditsDoors[how], { userId, reservationId }, { caller: { role: 'user', userId } }).catch(code);
const commit = (userId: string, id: string) => settle(userId, id, 'commitReservation');
const release = (userId: string, id: string) => settle(userId, id, 'releaseReservation');

describe('reservations', () => {
  it('a hold counts as spent at once, and a commit makes it so for good', async () => {
    const userId = newUser();
    const held = await reserve(userId);
    expect(held).toMatchObject({ state: 'held', used: 1, available: 19 });
    expect(await commit(userId, held.id)).toEqual({ used: 1, available: 19, limit: 20 });
    expect(await commit(userId, held.id)).toEqual({ used: 1, available: 19, limit: 20 });
    expect(await release(userId, held.id)).toBe('credits.reservation_ended');
  });

  it('a release gives the credit back once, with a ledger row of its own', async () => {
    const userId = newUser();
    const held = await reserve(userId);
    const answers = await Promise.all(times(10).map(() => release(userId, held.id)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await commit(userId, held.id)).toBe('credits.reservation_ended');
    expect(await credits.view(userId)).toMatchObject({ used: 0, available: 20 });
    const rows = await credits.db.query('SELECT amount, reason FROM ledger WHERE user_id = ? ORDER BY id', [
      userId,
    ]);
    expect(rows).toEqual([
      { amount: -1, reason: 'email_found' },
      { amount: 1, reason: 'released' },
    ]);
  });

  it.each(['-1', '9'.repeat(200), "1' OR '1'='1", '__proto__', '["a"]', '{"$ne":null}', 'constructor'])(
    'D3 %s is no reservation',
    async (id) => {
      const userId = newUser();
      const held = await reserve(userId);
      for (const answer of [await commit(userId, id), await release(userId, id)])
        expect(['request.invalid', 'credits.reservation_not_found']).toContain(answer);
      expect(await commit(userId, held.id)).toEqual({ used: 1, available: 19, limit: 20 });
    },
  );

  it('commit and release at one moment have one winner', async () => {
    for (const _ of times(30)) {
      const userId = newUser();
      const held = await reserve(userId);
      const answers = await Promise.all([commit(userId, held.id), release(userId, held.id)]);
      expect(answers.filter((answer) => answer === 'credits.reservation_ended')).toHaveLength(1);
    }
    expect(await brokenWindows(credits.db)).toEqual([]);
  });

  it('G1: holds cannot overspend, and G2: the same key holds once', async () => {
    const userId = newUser();
    const results = await Promise.all(times(40).map(() => reserve(userId).catch(code)));
    expect(results.filter((result) => typeof result === 'object')).toHaveLength(20);
    const other = newUser();
    const same = await Promise.all(times(20).map(() => reserve(other, 'operation-1')));
    expect(new Set(same.map(({ id }) => id)).size).toBe(1);
    expect(await credits.view(other)).toMatchObject({ used: 1 });
  });

  it('a hold that nobody settles comes back by itself, once for two workers', async () => {
    const userId = newUser();
    const held = await reserve(userId, uuidv7(), { holdSeconds: 60 });
    credits.time.advance(60_000);
    const sweep = () =>
      credits.ask(creditsDoors.releaseExpired, {}, { caller: { role: 'service', userId: null } });
    const [one, other] = await Promise.all([sweep(), sweep()]);
    expect(one.released + other.released).toBe(1);
    expect(await credits.view(userId)).toMatchObject({ used: 0 });
    expect(await commit(userId, held.id)).toBe('credits.reservation_ended');
  });

  it('before anybody is refused, their own holds that ran out are given back', async () => {
    const userId = newUser();
    for (const _ of times(20)) await reserve(userId, uuidv7(), { holdSeconds: 60 });
    expect(await credits.trySpend(userId)).toBe('credits.balance_too_low');
    credits.time.advance(60_000);
    expect(await credits.spend(userId)).toEqual({ used: 1, available: 19, limit: 20 });
    expect(await brokenWindows(credits.db)).toEqual([]);
  });

  it('a credit that comes back and goes again is no second exhaustion', async () => {
    const userId = newUser();
    const holds = [];
    for (const _ of times(20)) holds.push(await reserve(userId));
    await release(userId, holds[0]?.id ?? '');
    await credits.spend(userId);
    expect(await credits.emitted(facts.creditsExhausted, userId)).toHaveLength(1);
  });

  it('another person cannot settle it', async () => {
    const held = await reserve(newUser());
    expect(await commit(newUser(), held.id)).toBe('credits.reservation_not_found');
  });
});

describe('the same contact', () => {
  const contact = { reason: 'email_found', reference: 'linkedin.com/in/ada' } as const;

  it('is charged once in thirty days, under twenty clicks at once too', async () => {
    const userId = newUser();
    await Promise.all(times(20).map(() => credits.spend(userId, uuidv7(), contact)));
    expect(await credits.view(userId)).toMatchObject({ used: 1 });
    credits.time.advance(30 * DAY - 1);
    await credits.spend(userId, uuidv7(), contact);
    expect(await credits.view(userId)).toMatchObject({ used: 1 });
    credits.time.advance(1);
    await credits.spend(userId, uuidv7(), contact);
    const rows = await credits.db.query('SELECT -SUM(amount) AS spent FROM ledger WHERE user_id = ?', [
      userId,
    ]);
    expect(rows).toMatchObject([{ spent: '2' }]);
    expect(await brokenWindows(credits.db)).toEqual([]);
  });

  it('is another for another reason, person or reference, and costs nothing when all credits are used', async () => {
    const userId = newUser();
    await credits.spend(userId, uuidv7(), contact);
    await credits.spend(userId, uuidv7(), { ...contact, reason: 'message_composed' });
    await credits.spend(userId, uuidv7(), { ...contact, reference: 'linkedin.com/in/Ada' });
    expect(await credits.view(userId)).toMatchObject({ used: 3 });
    for (const _ of times(17)) await credits.spend(userId);
    expect(await credits.spend(userId, 'operation-1', contact)).toEqual({
      used: 20,
      available: 0,
      limit: 20,
    });
    expect(await credits.spend(userId, 'operation-1', contact)).toEqual({
      used: 20,
      available: 0,
      limit: 20,
    });
    expect(await credits.trySpend(userId, uuidv7(), { ...contact, reference: 'grace' })).toBe(
      'credits.balance_too_low',
    );
    expect(await credits.trySpend(userId, uuidv7(), { ...contact, reference: 'grace' })).toBe(
      'credits.balance_too_low',
    );
  });

  it('costs nothing after a payment either, and is answered from the premium window', async () => {
    const userId = newUser();
    await credits.spend(userId, uuidv7(), contact);
    const paid = { version: 1, paid: period('in_contact', START), granted: null };
    await credits.publish(credits.paidFact(userId, paid));
    expect(await credits.spend(userId, uuidv7(), contact)).toEqual({ used: 0, available: 500, limit: 500 });
    expect(await credits.spend(userId)).toEqual({ used: 1, available: 499, limit: 500 });
  });

  it('is charged for again when its hold was released', async () => {
    const userId = newUser();
    const held = await reserve(userId, uuidv7(), contact);
    await release(userId, held.id);
    await credits.spend(userId, uuidv7(), contact);
    expect(await credits.view(userId)).toMatchObject({ used: 1 });
    const free = await reserve(userId, uuidv7(), contact);
    await release(userId, free.id);
    expect(await credits.view(userId)).toMatchObject({ used: 1 });
  });
});
