import { days } from '@shortlist/contracts/durations';
import { isLongRun, sample, seed } from '@shortlist/kit/testing/sample';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { brokenBuckets, type Credits, newUser, openCredits, period, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());
beforeEach(() => credits.time.set(START));

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const reserve: Credits['reserve'] = (...args) => credits.reserve(...args);
const commit: Credits['commit'] = (...args) => credits.commit(...args);
const release: Credits['release'] = (...args) => credits.release(...args);
const releaseExpired: Credits['releaseExpired'] = (...args) => credits.releaseExpired(...args);

describe('a repeated charge of a contact', () => {
  const contact = { reason: 'email_found', reference: 'linkedin.com/in/ada' } as const;

  it('takes one credit in thirty days, for twenty concurrent charges too', async () => {
    const userId = newUser();
    await Promise.all(times(20).map(() => credits.charge(userId, uuidv7(), contact)));
    expect(await credits.view(userId)).toMatchObject({ used: 1 });
    credits.time.advance(days(30) - 1);
    await credits.charge(userId, uuidv7(), contact);
    expect(await credits.view(userId)).toMatchObject({ used: 1 });
    credits.time.advance(1);
    await credits.charge(userId, uuidv7(), contact);
    const rows = await credits.db.query('SELECT -SUM(amount) AS charged FROM ledger WHERE user_id = ?', [
      userId,
    ]);
    expect(rows).toMatchObject([{ charged: '2' }]);
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('takes one credit for all spellings of a contact, and adds nothing to the history', async () => {
    const userId = newUser();
    const spellings = [
      'linkedin.com/in/ada',
      'https://www.LinkedIn.com/in/Ada/?trk=x',
      'uk.linkedin.com/in/ADA',
    ];
    for (const reference of spellings) await credits.charge(userId, uuidv7(), { ...contact, reference });
    expect(await credits.view(userId)).toMatchObject({ used: 1 });
    const rows = await credits.db.query(
      'SELECT reference, amount FROM ledger WHERE user_id = ? ORDER BY id',
      [userId],
    );
    expect(rows).toEqual([{ reference: spellings[0], amount: -1 }]);
  });

  it('takes one credit for an address that is too long until it is decoded, however it is written', async () => {
    const userId = newUser();
    const address = `https://www.linkedin.com/in/${'张'.repeat(150)}`;
    for (const reference of [encodeURI(address), address, `${encodeURI(address).toLowerCase()}/`])
      await credits.charge(userId, uuidv7(), { ...contact, reference });
    expect(await credits.view(userId)).toMatchObject({ used: 1 });
    const operation = uuidv7();
    for (let time = 0; time < 2; time += 1)
      await credits.charge(userId, operation, { reason: 'message_composed', reference: encodeURI(address) });
    const rows = await credits.db.query('SELECT reference FROM ledger WHERE user_id = ? ORDER BY id', [
      userId,
    ]);
    expect(rows).toEqual([{ reference: address }, { reference: address }]);
  });

  it('takes a credit for another reason or reference, and none for the same contact when all credits are used', async () => {
    const userId = newUser();
    await credits.charge(userId, uuidv7(), contact);
    await credits.charge(userId, uuidv7(), { ...contact, reason: 'message_composed' });
    await credits.charge(userId, uuidv7(), { ...contact, reference: 'linkedin.com/in/ada-l' });
    expect(await credits.view(userId)).toMatchObject({ used: 3 });
    for (const _ of times(17)) await credits.charge(userId);
    expect(await credits.charge(userId, 'operation-1', contact)).toEqual({
      used: 20,
      available: 0,
      limit: 20,
      charged: 0,
    });
    expect(await credits.charge(userId, 'operation-1', contact)).toEqual({
      used: 20,
      available: 0,
      limit: 20,
      charged: 0,
    });
    expect(await credits.tryCharge(userId, uuidv7(), { ...contact, reference: 'grace' })).toBe(
      'credits.balance_too_low',
    );
    expect(await credits.tryCharge(userId, uuidv7(), { ...contact, reference: 'grace' })).toBe(
      'credits.balance_too_low',
    );
  });

  it('takes no credit after a payment either, and returns the amounts of the premium window', async () => {
    const userId = newUser();
    await credits.charge(userId, uuidv7(), contact);
    const paid = { version: 1, paid: period('in_contact', START), granted: null };
    await credits.publish(credits.paidEvent(userId, paid));
    expect(await credits.charge(userId, uuidv7(), contact)).toEqual({
      used: 0,
      available: 500,
      limit: 500,
      charged: 0,
    });
    expect(await credits.charge(userId)).toEqual({ used: 1, available: 499, limit: 500, charged: 1 });
  });

  it('takes a credit again after its reservation was released', async () => {
    const userId = newUser();
    const first = await reserve(userId, uuidv7(), contact);
    await release(userId, first.id);
    await credits.charge(userId, uuidv7(), contact);
    expect(await credits.view(userId)).toMatchObject({ used: 1 });
    const second = await reserve(userId, uuidv7(), contact);
    await release(userId, second.id);
    expect(await credits.view(userId)).toMatchObject({ used: 1 });
  });
});

describe('concurrent charges and reservations of a contact', () => {
  const contact = { reason: 'email_found', reference: 'linkedin.com/in/ada' } as const;
  const ENDS = ['commit', 'release', 'expire'] as const;

  /** Every interleaving of the steps of several sequences. */
  const interleave = (sequences: string[][]): string[][] => {
    if (sequences.every((sequence) => sequence.length === 0)) return [[]];
    return sequences.flatMap(([step, ...rest], index) =>
      step === undefined ? [] : interleave(sequences.with(index, rest)).map((after) => [step, ...after]),
    );
  };
  const sequences = ENDS.flatMap((one) => ENDS.map((other) => [one, other])).flatMap(([one, other]) => {
    const reservations = [
      ['reserve a', `${one} a`],
      ['reserve b', `${other} b`],
    ];
    return [...interleave(reservations), ...interleave([...reservations, ['charge']])];
  });

  const entriesOf = (userId: string): Promise<{ amount: number; usedAfter: number }[]> =>
    credits.db.query('SELECT amount, used_after AS usedAfter FROM ledger WHERE user_id = ? ORDER BY id', [
      userId,
    ]);

  /** What each operation charges or holds, and what a commit keeps of it. */
  const AMOUNTS: Record<string, number> = { a: 3, b: 5, '': 4 };
  const KEPT: Record<string, number> = { a: 2, b: 5 };
  const amountOf = (name: string): number => AMOUNTS[name] ?? 0;
  const keptOf = (name: string): number => KEPT[name] ?? 0;

  type Steps = { held: Map<string, number>; paid: number };

  /** A model of the rule: each operation whose charge is final pays what it costs beyond what was paid, and gets back the rest. */
  const follow: Record<string, (steps: Steps, name: string) => void> = {
    reserve: ({ held, paid }, name) => void held.set(name, Math.max(0, amountOf(name) - paid)),
    charge: (steps, name) => void (steps.paid = Math.max(steps.paid, amountOf(name))),
    commit: (steps, name) => {
      steps.paid = Math.max(steps.paid, keptOf(name));
      steps.held.delete(name);
    },
    release: ({ held }, name) => void held.delete(name),
    expire: ({ held }, name) => void held.delete(name),
  };

  const usedAfter = (steps: string[]): number => {
    const state: Steps = { held: new Map(), paid: 0 };
    for (const step of steps) {
      const [action = '', name = ''] = step.split(' ');
      follow[action]?.(state, name);
    }
    return [...state.held.values()].reduce((sum, amount) => sum + amount, state.paid);
  };

  const run = async (steps: string[]): Promise<void> => {
    const userId = newUser();
    const ids = new Map<string, string>();
    const withAmount = (name: string) => ({ ...contact, amount: amountOf(name) });
    const actions: Record<string, (id: string, name: string) => Promise<unknown>> = {
      reserve: async (_, name) => ids.set(name, (await reserve(userId, uuidv7(), withAmount(name))).id),
      charge: () => credits.charge(userId, uuidv7(), withAmount('')),
      commit: (id, name) => commit(userId, id, { amount: keptOf(name) }),
      release: (id) => release(userId, id),
      expire: (id) => credits.ageReservations(id, 3_600).then(() => releaseExpired()),
    };
    for (const [index, step] of steps.entries()) {
      const [action = '', name = ''] = step.split(' ');
      const result = await actions[action]?.(ids.get(name) ?? '', name);
      expect(result, `${step} of ${steps.join()}`).toBeTypeOf('object');
      expect(await credits.view(userId), `${step} of ${steps.join()}`).toMatchObject({
        used: usedAfter(steps.slice(0, index + 1)),
      });
    }
    const entries = await entriesOf(userId);
    const sums = entries.map((_, index) =>
      entries.slice(0, index + 1).reduce((sum, { amount }) => sum - amount, 0),
    );
    const used = usedAfter(steps);
    expect({ steps, used: sums.at(-1) }).toEqual({ steps, used });
    expect(entries.map((entry) => entry.usedAfter)).toEqual(sums);
    await credits.charge(userId, uuidv7(), contact);
    expect(await credits.view(userId), steps.join()).toMatchObject({ used: used || 1 });
  };

  it(`G3: take the credits of the dearest that is final, and none without one, in every order of reservations, commits of a part and charges, seed ${seed}`, async () => {
    expect(sequences).toHaveLength(9 * (6 + 30));
    const sampled = sample(sequences, 40);
    for (let start = 0; start < sampled.length; start += 8)
      await Promise.all(sampled.slice(start, start + 8).map((steps) => run(steps)));
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('G3: take one credit when two commits and a charge are concurrent', async () => {
    for (const _ of times(isLongRun ? 30 : 8)) {
      const userId = newUser();
      const reservations = await Promise.all(times(3).map(() => reserve(userId, uuidv7(), contact)));
      const [one, other, last] = reservations.map(({ id }) => id);
      const results = await Promise.all([
        commit(userId, one ?? ''),
        commit(userId, other ?? ''),
        release(userId, last ?? ''),
        credits.charge(userId, uuidv7(), contact),
      ]);
      for (const result of results) expect(result).toBeTypeOf('object');
      expect(await credits.view(userId)).toMatchObject({ used: 1 });
    }
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('return the credit of a commit once when the contact was charged before it, with the reason in the history', async () => {
    const userId = newUser();
    const reservation = await reserve(userId, uuidv7(), contact);
    expect(await credits.charge(userId, uuidv7(), contact)).toMatchObject({ used: 2 });
    for (const _ of times(2))
      expect(await commit(userId, reservation.id)).toEqual({ used: 1, available: 19, limit: 20, charged: 0 });
    expect(await release(userId, reservation.id)).toBe('credits.reservation_ended');
    const rows = await credits.db.query(
      'SELECT amount, reason, reference FROM ledger WHERE user_id = ? ORDER BY id DESC LIMIT 1',
      [userId],
    );
    expect(rows).toEqual([{ amount: 1, reason: 'already_paid', reference: contact.reference }]);
  });
});
