// Charges of several buckets, while what they are charged to changes.
import { setTimeout as sleep } from 'node:timers/promises';
import { days } from '@shortlist/contracts/durations';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { inTransaction } from '@shortlist/kit/data/db';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { isLongRun } from '@shortlist/kit/testing/sample';
import { listTablesWith } from '@shortlist/kit/testing/user-rows';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockAccount } from '../src/accounts/queries.ts';
import { newUser, openCheckedCredits, period, START } from './support.ts';

const credits = await openCheckedCredits({ poolSize: 30 });
beforeEach(() => credits.time.set(START));

const ROUNDS = isLongRun ? 60 : 6;
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const charge = (userId: string, amount: number) =>
  credits.tryCharge(userId, uuidv7(), { reason: 'email_found', amount });
const sumOf = (results: unknown[]): number =>
  results.reduce<number>((sum, result) => sum + ((result as { charged?: number } | null)?.charged ?? 0), 0);

describe('charges at once', () => {
  it('G1: of the last credits of a window and a pack take exactly these, all of an amount or nothing', async () => {
    for (const _ of times(ROUNDS)) {
      const userId = newUser();
      await credits.pack(userId, { credits: 30, paidCredits: 30 });
      const results = await Promise.all(times(20).map(() => charge(userId, 7)));
      expect(sumOf(results)).toBe(49);
      const refused = results.filter((result) => typeof result === 'string');
      expect(refused).toEqual(times(13).map(() => 'credits.balance_too_low'));
      // Each saw what the others had left.
      const left = results.flatMap((result) => (typeof result === 'string' ? [] : [result.available]));
      expect(left.toSorted((one, other) => one - other)).toEqual(times(7).map((index) => 1 + 7 * index));
      expect(await credits.view(userId)).toMatchObject({ used: 20, available: 1 });
    }
  });

  it('G1: a pack that comes during them is charged, and nothing is charged twice', async () => {
    for (const _ of times(ROUNDS)) {
      const userId = newUser();
      await charge(userId, 5);
      const [results] = await Promise.all([
        Promise.all(times(30).map(() => charge(userId, 3))),
        credits.pack(userId, { credits: 40, paidCredits: 40 }),
      ]);
      const { available } = await credits.view(userId);
      expect(available).toBe(55 - sumOf(results));
    }
  });

  it('G2: of one operation over two buckets are one charge', async () => {
    const userId = newUser();
    await credits.pack(userId);
    const key = uuidv7();
    const once = () => credits.charge(userId, key, { reason: 'email_found', amount: 60 });
    const replies = await Promise.all(times(8).map(once));
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(await credits.view(userId)).toMatchObject({ available: 210 });
  });
});

it('a charge of one bucket waits for a change of its account, before it locks the bucket', async () => {
  const userId = newUser();
  await charge(userId, 1);
  await inTransaction(credits.db, (tx) => lockAccount(tx, userId));
  const waiting = await inTransaction(credits.db, async (tx) => {
    await lockAccount(tx, userId);
    const charged = charge(userId, 1);
    const first = await Promise.race([charged, sleep(300, 'waits')]);
    expect(first).toBe('waits');
    // Fails if the charge has locked it.
    await tx.query('SELECT id FROM credit_buckets WHERE user_id = ? FOR UPDATE NOWAIT', [userId]);
    return { charged };
  });
  expect(await waiting.charged).toMatchObject({ charged: 1, used: 2 });
});

describe('G9: a refund of a pack', () => {
  it('during charges leaves no more charged than the database says, and nothing to charge after it', async () => {
    for (const _ of times(ROUNDS)) {
      const userId = newUser();
      await charge(userId, 20);
      const packId = await credits.pack(userId, { credits: 100, paidCredits: 100 });
      const [results] = await Promise.all([
        Promise.all(times(20).map(() => charge(userId, 9))),
        credits.pack(userId, { packId, credits: 100, version: 2, paidCredits: 0 }),
      ]);
      expect(await charge(userId, 1)).toBe('credits.balance_too_low');
      await credits.pack(userId, { packId, credits: 100, version: 3, paidCredits: 100 });
      expect(await credits.view(userId)).toMatchObject({ available: 100 - sumOf(results) });
    }
  });
});

describe('G8: a reservation over several buckets', () => {
  it('is released once when its release, its expiry and its commit come at once', async () => {
    for (const _ of times(ROUNDS)) {
      const userId = newUser();
      await credits.grant(userId, { credits: 10, days: 3 });
      await credits.pack(userId, { credits: 30, paidCredits: 30 });
      const { id } = await credits.reserve(userId, uuidv7(), { amount: 60 });
      await credits.ageReservations(id, 3_600);
      await Promise.all([
        credits.release(userId, id),
        credits.releaseExpired(),
        credits.commit(userId, id, { amount: 25 }),
        ...times(3).map(() => charge(userId, 1)),
      ]);
      const { available } = await credits.view(userId);
      const [{ charged } = { charged: 0 }] = await credits.db.query<{ charged: string }[]>(
        'SELECT -SUM(amount) AS charged FROM ledger WHERE user_id = ?',
        [userId],
      );
      expect(available).toBe(60 - Number(charged));
    }
  });

  it('whose window ended and whose grant was revoked meanwhile returns to neither', async () => {
    const userId = newUser();
    await charge(userId, 10);
    const grantId = await credits.grant(userId, { credits: 15, days: 60 });
    const { id } = await credits.reserve(userId, uuidv7(), { amount: 20 });
    await credits.revoke(userId, grantId);
    credits.time.advance(days(30));
    expect(await charge(userId, 1)).toMatchObject({ available: 19 });
    await credits.release(userId, id);
    expect(await credits.view(userId)).toMatchObject({ available: 19 });
  });

  it('is settled against an upgrade: what returns to the pack is there, what returns to the old window is not', async () => {
    const userId = newUser();
    await credits.pack(userId, { credits: 30, paidCredits: 30 });
    const { id } = await credits.reserve(userId, uuidv7(), { amount: 40 });
    const state = { version: 1, paid: period(`in_${userId}`, START), granted: null };
    await Promise.all([
      credits.publish(credits.paidEvent(userId, state)),
      credits.commit(userId, id, { amount: 10 }),
    ]);
    expect(await credits.view(userId)).toMatchObject({ plan: 'premium', available: 530 });
  });
});

describe('a user with packs and grants who is deleted', () => {
  it('leaves nothing behind, whatever is under way', async () => {
    const unexpected: unknown[] = [];
    const expected = /user_not_found|reservation_not_found|reservation_ended|balance_too_low|grant_not_found/;
    for (const _ of times(ROUNDS)) {
      const userId = newUser();
      const packId = await credits.pack(userId);
      const grantId = await credits.grant(userId, { credits: 10, days: 3 });
      const { id } = await credits.reserve(userId, uuidv7(), { amount: 50 });
      const results = await Promise.allSettled([
        ...times(4).map(() => charge(userId, 30)),
        credits.release(userId, id),
        credits.pack(userId, { packId, version: 2, paidCredits: 100 }),
        credits.revoke(userId, grantId),
        credits.grant(userId, { credits: 10, days: 3 }),
        credits.publish(eventOf(userDeleted, userId, { by: 'user', generation: 1 }), 'identity.events'),
      ]);
      for (const result of results)
        if (result.status === 'rejected' && !expected.test((result.reason as { code: string }).code))
          unexpected.push(result.reason);
      expect(await listTablesWith(credits.db, userId)).toEqual(['audit_log', 'deleted_users']);
      const states: { text: string }[] = await credits.db.query(
        "SELECT CONCAT_WS('', before_state, after_state) AS text FROM audit_log WHERE target_id = ?",
        [userId],
      );
      expect(states.filter(({ text }) => text.includes('apology'))).toEqual([]);
    }
    expect(unexpected).toEqual([]);
  });
});
