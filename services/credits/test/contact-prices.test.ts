import { days } from '@shortlist/contracts/durations';
import { isLongRun } from '@shortlist/kit/testing/sample';
import { change } from '@shortlist/kit/data/sql';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { EXPIRED_CONTACTS } from '../src/contacts/queries.ts';
import { newUser, openCheckedCredits, START } from './support.ts';

const credits = await openCheckedCredits();
beforeEach(() => credits.time.set(START));

const contact = { reason: 'email_found', reference: 'linkedin.com/in/ada' } as const;
const ROUNDS = isLongRun ? 60 : 12;
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const charge = async (userId: string, amount: number): Promise<number> =>
  (await credits.charge(userId, uuidv7(), { ...contact, amount })).charged;
const reserve = (userId: string, amount: number) => credits.reserve(userId, uuidv7(), { ...contact, amount });
const commit = async (userId: string, id: string, amount: number): Promise<number> => {
  const result = await credits.commit(userId, id, { amount });
  if (typeof result === 'string') throw new Error(result);
  return result.charged;
};
const used = async (userId: string): Promise<number> => (await credits.view(userId)).used;
const amountsOf = async (userId: string): Promise<number[]> => {
  const rows = await credits.db.query<{ amount: number }[]>(
    'SELECT amount FROM ledger WHERE user_id = ? ORDER BY id',
    [userId],
  );
  return rows.map(({ amount }) => amount);
};

describe('G3: a dearer charge of a contact', () => {
  it('pays the difference, and one that costs as much or less nothing', async () => {
    const userId = newUser();
    const charged = [];
    for (const amount of [1, 5, 5, 3, 9]) charged.push(await charge(userId, amount));
    expect(charged).toEqual([1, 4, 0, 0, 4]);
    expect(await amountsOf(userId)).toEqual([-1, -4, -4]);
    expect(await used(userId)).toBe(9);
  });

  it('pays the difference to what a reservation was committed with', async () => {
    const userId = newUser();
    await commit(userId, (await reserve(userId, 5)).id, 1);
    expect(await charge(userId, 5)).toBe(4);
    expect(await amountsOf(userId)).toEqual([-5, 4, -4]);
  });

  it.each(['released', 'expired'])('pays all of it after a reservation was %s', async (how) => {
    const userId = newUser();
    const { id } = await reserve(userId, 5);
    if (how === 'released') await credits.release(userId, id);
    else await credits.ageReservations(id, 3_600).then(() => credits.releaseExpired());
    expect(await charge(userId, 5)).toBe(5);
    expect(await used(userId)).toBe(5);
  });

  it('is refused, with the price as it was, when the difference is more than is left', async () => {
    const userId = newUser();
    await charge(userId, 2);
    await credits.charge(userId, uuidv7(), { reason: 'message_composed', amount: 15 });
    expect(await credits.tryCharge(userId, uuidv7(), { ...contact, amount: 6 })).toBe(
      'credits.balance_too_low',
    );
    expect(await charge(userId, 5)).toBe(3);
    expect(await used(userId)).toBe(20);
  });

  it('pays all of it again when the thirty days of the first charge are over', async () => {
    const userId = newUser();
    await charge(userId, 1);
    credits.time.advance(days(29));
    expect(await charge(userId, 3)).toBe(2);
    credits.time.advance(days(1) - 1);
    expect(await charge(userId, 3)).toBe(0);
    credits.time.advance(1);
    expect(await charge(userId, 3)).toBe(3);
    credits.time.advance(days(30) - 1);
    expect(await charge(userId, 4)).toBe(1);
  });
});

describe('G3: a dearer reservation of a contact', () => {
  it('holds the difference, and a commit charges what it costs beyond the price', async () => {
    const userId = newUser();
    await charge(userId, 2);
    const reserved = await reserve(userId, 6);
    expect(reserved).toMatchObject({ amount: 4, used: 6 });
    expect(await commit(userId, reserved.id, 5)).toBe(3);
    expect(await charge(userId, 6)).toBe(1);
    expect(await amountsOf(userId)).toEqual([-2, -4, 1, -1]);
  });

  it('returns what was paid since, and a release leaves the price as it is', async () => {
    const userId = newUser();
    const [first, second] = [await reserve(userId, 6), await reserve(userId, 4)];
    await charge(userId, 3);
    expect(await commit(userId, first.id, 5)).toBe(2);
    await credits.release(userId, second.id);
    expect(await used(userId)).toBe(5);
    expect(await charge(userId, 6)).toBe(1);
  });

  it('that is committed after the thirty days begins a new period with what it charges', async () => {
    const userId = newUser();
    await charge(userId, 3);
    credits.time.advance(days(30) - 1);
    const { id, amount } = await reserve(userId, 5);
    expect(amount).toBe(2);
    credits.time.advance(1);
    expect(await commit(userId, id, 5)).toBe(2);
    expect(await charge(userId, 5)).toBe(3);
  });
});

describe('G3: concurrent charges, commits and releases of a contact', () => {
  it('charge the dearest of them in all, whatever their order', async () => {
    for (const _ of times(ROUNDS)) {
      const userId = newUser();
      await Promise.all([5, 2, 7, 7, 1, 6].map((amount) => charge(userId, amount)));
      expect(await used(userId)).toBe(7);
    }
  });

  it('charge the dearest that is final, and return the rest', async () => {
    for (const _ of times(ROUNDS)) {
      const userId = newUser();
      const [one, other, third] = await Promise.all([5, 6, 4].map((amount) => reserve(userId, amount)));
      await Promise.all([
        commit(userId, one?.id ?? '', 3),
        commit(userId, other?.id ?? '', 4),
        credits.release(userId, third?.id ?? ''),
        charge(userId, 2),
      ]);
      expect(await used(userId)).toBe(4);
      expect(await charge(userId, 6)).toBe(2);
    }
  });
});

describe('a charge that costs nothing', () => {
  const again = { used: 3, available: 17, limit: 20, charged: 0 };

  it('gets its first response again, also beyond the thirty days and after other charges', async () => {
    const userId = newUser();
    await charge(userId, 3);
    expect(await credits.charge(userId, 'operation-1', contact)).toEqual(again);
    await credits.charge(userId);
    expect(await credits.charge(userId, 'operation-1', contact)).toEqual(again);
    credits.time.advance(days(30));
    expect(await credits.charge(userId, 'operation-1', contact)).toEqual(again);
    expect(await amountsOf(userId)).toEqual([-3, -1]);
  });

  it('is refused with 409 when its key comes with another amount, or to reserve', async () => {
    const userId = newUser();
    await charge(userId, 3);
    await credits.charge(userId, 'operation-1', contact);
    expect(await credits.tryCharge(userId, 'operation-1', { ...contact, amount: 5 })).toBe(
      'credits.key_reused',
    );
    await expect(credits.reserve(userId, 'operation-1', contact)).rejects.toThrow('already used');
    expect(await amountsOf(userId)).toEqual([-3]);
  });

  it('under the key of a charge before gets the response of that, or 409', async () => {
    const userId = newUser();
    const first = await credits.charge(userId, 'operation-1', { ...contact, amount: 3 });
    await charge(userId, 5);
    expect(await credits.charge(userId, 'operation-1', { ...contact, amount: 3 })).toEqual(first);
    expect(await credits.tryCharge(userId, 'operation-1', contact)).toBe('credits.key_reused');
    expect(await credits.tryCharge(userId, 'operation-1', { ...contact, amount: 6 })).toBe(
      'credits.key_reused',
    );
    expect(await used(userId)).toBe(5);
  });
});

it('the contact is deleted a day after its price has ended', async () => {
  const userId = newUser();
  await charge(userId, 1);
  const pruneAt = async (day: number): Promise<number> => {
    const before = new Date(START.getTime() + days(day - EXPIRED_CONTACTS.days));
    const values = [before, 1_000];
    await change(credits.db, { sql: EXPIRED_CONTACTS.remove, values });
    return (await credits.db.query<unknown[]>('SELECT 1 FROM contacts WHERE user_id = ?', [userId])).length;
  };
  expect(await pruneAt(31)).toBe(1);
  expect(await pruneAt(31.001)).toBe(0);
});
