import * as events from '@shortlist/contracts/events/credits';
import { isLongRun } from '@shortlist/kit/testing/sample';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenBuckets, type Credits, newUser, openCredits, period, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const ROUNDS = isLongRun ? 60 : 12;
const ENDED = 'credits.reservation_ended';
const contact = { reason: 'email_found', reference: 'linkedin.com/in/ada' } as const;
const reserve = async (userId: string, amount: number): Promise<string> =>
  (await credits.reserve(userId, uuidv7(), { amount })).id;
const expire = async (id: string): Promise<void> => {
  await credits.ageReservations(id, 3_600);
  await credits.releaseExpired();
};
const entriesOf = (userId: string): Promise<unknown> =>
  credits.db.query('SELECT amount, reason, reference, used_after FROM ledger WHERE user_id = ? ORDER BY id', [
    userId,
  ]);

describe('a reservation of several credits', () => {
  it('holds them all, and a commit of a part returns the others at once, with an entry and an event', async () => {
    const userId = newUser();
    const reserved = await credits.reserve(userId, uuidv7(), { ...contact, amount: 5 });
    expect(reserved).toMatchObject({ amount: 5, used: 5, available: 15, state: 'held' });
    expect(await credits.commit(userId, reserved.id, { amount: 2 })).toEqual({
      used: 2,
      available: 18,
      limit: 20,
      charged: 2,
    });
    const { reference } = contact;
    expect(await entriesOf(userId)).toEqual([
      { amount: -5, reason: 'email_found', reference, used_after: 5 },
      { amount: 3, reason: 'unused', reference, used_after: 2 },
    ]);
    expect(await credits.emitted(events.creditReleased, userId)).toMatchObject([{ data: { used: 2 } }]);
    expect(await credits.view(userId)).toMatchObject({ used: 2 });
    expect(await credits.charge(userId, uuidv7(), contact)).toMatchObject({ charged: 0 });
  });

  it('that is repeated gets the same amount, also after a commit of a part', async () => {
    const userId = newUser();
    const first = await credits.reserve(userId, 'operation-1', { amount: 5 });
    await credits.commit(userId, first.id, { amount: 2 });
    const again = await credits.reserve(userId, 'operation-1', { amount: 5 });
    expect(again).toEqual({ ...first, state: 'committed' });
    expect(await credits.view(userId)).toMatchObject({ used: 2 });
  });

  it.each([
    ['in part', { amount: 2 }, 2],
    ['by number', { amount: 5 }, 5],
    ['without a number', {}, 5],
  ])(
    'that was committed %s responds the same again, and refuses everything else',
    async (_, more, charged) => {
      const userId = newUser();
      const id = await reserve(userId, 5);
      const response = await credits.commit(userId, id, more);
      expect(response).toMatchObject({ charged, used: charged });
      await credits.charge(userId);
      expect(await credits.commit(userId, id, more)).toEqual(response);
      expect(await credits.commit(userId, id, { amount: charged })).toEqual(response);
      for (const amount of [1, 2, 3, 4, 5].filter((other) => other !== charged))
        expect(await credits.commit(userId, id, { amount })).toBe(ENDED);
      if (charged !== 5) expect(await credits.commit(userId, id)).toBe(ENDED);
      expect(await credits.release(userId, id)).toBe(ENDED);
      await expire(id);
      expect(await credits.view(userId)).toMatchObject({ used: charged + 1 });
      expect(await brokenBuckets(credits.db)).toEqual([]);
    },
  );

  it('is not committed by more than it was made for, and goes on', async () => {
    const userId = newUser();
    const id = await reserve(userId, 5);
    expect(await credits.commit(userId, id, { amount: 6 })).toBe('request.invalid');
    expect(await credits.view(userId)).toMatchObject({ used: 5 });
    expect(await credits.commit(userId, id, { amount: 5 })).toMatchObject({ charged: 5 });
    expect(await credits.commit(userId, id, { amount: 6 })).toBe('request.invalid');
  });

  it.each(['released', 'expired'])(
    'that is %s returns all of them, once, and cannot be committed',
    async (how) => {
      const userId = newUser();
      const id = await reserve(userId, 5);
      const end = (): Promise<unknown> => (how === 'released' ? credits.release(userId, id) : expire(id));
      const responses = await Promise.all(times(5).map(end));
      expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
      await credits.charge(userId);
      expect(await credits.release(userId, id)).toEqual({ used: 0, available: 20, limit: 20 });
      for (const more of [{}, { amount: 5 }, { amount: 1 }])
        expect(await credits.commit(userId, id, more)).toBe(ENDED);
      expect(await entriesOf(userId)).toMatchObject([
        { amount: -5 },
        { amount: 5, reason: how },
        { amount: -1 },
      ]);
    },
  );

  it('can be committed in part after its expiry as long as it has not been released', async () => {
    const userId = newUser();
    const id = await reserve(userId, 5);
    await credits.ageReservations(id, 3_600);
    expect(await credits.commit(userId, id, { amount: 1 })).toMatchObject({ charged: 1, used: 1 });
    expect(await credits.releaseExpired()).toMatchObject({ released: 0 });
  });

  it('returns its part to the window in which it was charged, after that has ended too', async () => {
    const userId = newUser();
    const id = await reserve(userId, 5);
    const paid = period(`in_${userId}`, START);
    await credits.publish(credits.paidEvent(userId, { version: 1, paid, granted: null }));
    expect(await credits.commit(userId, id, { amount: 3 })).toEqual({
      used: 0,
      available: 500,
      limit: 500,
      charged: 3,
    });
    expect(await credits.windows(userId)).toMatchObject([{ used: 3 }, { plan: 'premium', used: 0 }]);
  });

  it('makes room for the charge that was refused before', async () => {
    const userId = newUser();
    const id = await reserve(userId, 20);
    expect(await credits.tryCharge(userId)).toBe('credits.balance_too_low');
    await credits.commit(userId, id, { amount: 17 });
    const most = { reason: 'email_found', amount: 3 } as const;
    expect(await credits.charge(userId, uuidv7(), most)).toMatchObject({ used: 20 });
    expect(await credits.emitted(events.creditsExhausted, userId)).toHaveLength(1);
    expect((await credits.view(userId)).usedFor).toEqual({ messages: 0, emails: 20 });
  });
});

describe('a reservation of several credits for a contact', () => {
  it('that was charged before holds none, and a commit of a part takes none', async () => {
    const userId = newUser();
    await credits.charge(userId, uuidv7(), { ...contact, amount: 5 });
    const { id, amount } = await credits.reserve(userId, uuidv7(), { ...contact, amount: 5 });
    expect(amount).toBe(0);
    expect(await credits.commit(userId, id, { amount: 6 })).toBe('request.invalid');
    const response = { used: 5, available: 15, limit: 20, charged: 0 };
    expect(await credits.commit(userId, id, { amount: 3 })).toEqual(response);
    expect(await credits.commit(userId, id, { amount: 3 })).toEqual(response);
    expect(await credits.commit(userId, id, { amount: 2 })).toBe(ENDED);
    expect(await entriesOf(userId)).toHaveLength(2);
  });

  it('that was charged meanwhile returns what was paid, whatever part is committed', async () => {
    const userId = newUser();
    const { id } = await credits.reserve(userId, uuidv7(), { ...contact, amount: 5 });
    await credits.charge(userId, uuidv7(), { ...contact, amount: 2 });
    const response = { used: 4, available: 16, limit: 20, charged: 2 };
    expect(await credits.commit(userId, id, { amount: 4 })).toEqual(response);
    await credits.charge(userId);
    expect(await credits.commit(userId, id, { amount: 4 })).toEqual(response);
    expect(await credits.commit(userId, id)).toBe(ENDED);
    expect(await entriesOf(userId)).toMatchObject([
      { amount: -5 },
      { amount: -2 },
      { amount: 3, reason: 'already_paid' },
      { amount: -1 },
    ]);
  });
});

describe('of settlements at once', () => {
  it('commits of different parts: one succeeds, and its part is charged', async () => {
    for (const _ of times(ROUNDS)) {
      const userId = newUser();
      const id = await reserve(userId, 6);
      const results = await Promise.all(
        [1, 2, 3, 4, 5, 6, 1, 2, 3].map((amount) => credits.commit(userId, id, { amount })),
      );
      const winners = results.filter((result) => typeof result === 'object');
      const [winner] = winners;
      expect(results.filter((result) => result === ENDED)).toHaveLength(9 - winners.length);
      expect(winners.every((result) => JSON.stringify(result) === JSON.stringify(winner))).toBe(true);
      expect(await credits.view(userId)).toMatchObject({ used: winner?.charged ?? -1 });
    }
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it.each([
    ['a release', (userId: string, id: string) => credits.release(userId, id)],
    ['its expiry', (_: string, id: string) => expire(id)],
  ])('a commit of a part and %s: one of them has all of its effect', async (what, end) => {
    for (const round of times(ROUNDS)) {
      const userId = newUser();
      const id = await reserve(userId, 6);
      const commit = () => credits.commit(userId, id, { amount: 4 });
      const started =
        round % 2 === 0 ? [commit(), end(userId, id)] : [end(userId, id), commit()].toReversed();
      const [committed, ended] = await Promise.all(started);
      const isCommitted = typeof committed === 'object';
      if (!isCommitted) expect(committed).toBe(ENDED);
      if (what === 'a release') expect(ended === ENDED).toBe(isCommitted);
      expect(await credits.view(userId)).toMatchObject({ used: isCommitted ? 4 : 0 });
      expect(await entriesOf(userId)).toHaveLength(2);
    }
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('commits of parts beside charges: the limit holds, and every credit is in the ledger', async () => {
    for (const _ of times(ROUNDS)) {
      const userId = newUser();
      const ids = await Promise.all(times(3).map(() => reserve(userId, 6)));
      const amount = { reason: 'email_found', amount: 4 } as const;
      const results = await Promise.all([
        ...ids.map((id, index) => credits.commit(userId, id, { amount: index + 1 })),
        ...times(6).map(() => credits.tryCharge(userId, uuidv7(), amount)),
      ]);
      const charged = results.reduce(
        (sum, result) => sum + (typeof result === 'object' ? result.charged : 0),
        0,
      );
      expect(await credits.view(userId)).toMatchObject({ used: charged });
    }
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });
});
