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
const reserve: Credits['reserve'] = (...asked) => credits.reserve(...asked);
const commit: Credits['commit'] = (...asked) => credits.commit(...asked);
const release: Credits['release'] = (...asked) => credits.release(...asked);
const sweep: Credits['sweep'] = (...asked) => credits.sweep(...asked);

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
    expect(await credits.tryCharge(userId, uuidv7(), { ...contact, reference: 'grace' })).toBe(
      'credits.balance_too_low',
    );
    expect(await credits.tryCharge(userId, uuidv7(), { ...contact, reference: 'grace' })).toBe(
      'credits.balance_too_low',
    );
  });

  it('costs nothing after a payment either, and is answered from the premium window', async () => {
    const userId = newUser();
    await credits.spend(userId, uuidv7(), contact);
    const paid = { version: 1, paid: period('in_contact', START), granted: null };
    await credits.publish(credits.paidEvent(userId, paid));
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

describe('a contact that several want at once', () => {
  const contact = { reason: 'email_found', reference: 'linkedin.com/in/ada' } as const;
  const ENDS = ['commit', 'release', 'expire'] as const;

  /** Every order in which the steps of several lines can follow each other. */
  const interleave = (lines: string[][]): string[][] => {
    if (lines.every((line) => line.length === 0)) return [[]];
    return lines.flatMap(([step, ...rest], at) =>
      step === undefined ? [] : interleave(lines.with(at, rest)).map((after) => [step, ...after]),
    );
  };
  const stories = ENDS.flatMap((one) => ENDS.map((other) => [one, other])).flatMap(([one, other]) => {
    const holds = [
      ['hold a', `${one} a`],
      ['hold b', `${other} b`],
    ];
    return [...interleave(holds), ...interleave([...holds, ['spend']])];
  });

  const entriesOf = (userId: string): Promise<{ amount: number; usedAfter: number }[]> =>
    credits.db.query('SELECT amount, used_after AS usedAfter FROM ledger WHERE user_id = ? ORDER BY id', [
      userId,
    ]);

  const live = async (story: string[]): Promise<void> => {
    const userId = newUser();
    const ids = new Map<string, string>();
    const deeds: Record<string, (id: string, name: string) => Promise<unknown>> = {
      hold: async (_, name) => ids.set(name, (await reserve(userId, uuidv7(), contact)).id),
      spend: () => credits.spend(userId, uuidv7(), contact),
      commit: (id) => commit(userId, id),
      release: (id) => release(userId, id),
      expire: (id) => credits.ageHolds(id, 3_600).then(() => sweep()),
    };
    for (const step of story) {
      const [deed = '', name = ''] = step.split(' ');
      const answer = await deeds[deed]?.(ids.get(name) ?? '', name);
      expect(answer, `${step} of ${story.join()}`).toBeTypeOf('object');
    }
    const isDelivered = story.some((step) => /spend|commit/.test(step));
    const entries = await entriesOf(userId);
    const sums = entries.map((_, at) =>
      entries.slice(0, at + 1).reduce((sum, { amount }) => sum - amount, 0),
    );
    expect({ story, used: sums.at(-1) }).toEqual({ story, used: isDelivered ? 1 : 0 });
    expect(entries.map(({ usedAfter }) => usedAfter)).toEqual(sums);
    await credits.spend(userId, uuidv7(), contact);
    expect(await credits.view(userId), story.join()).toMatchObject({ used: 1 });
  };

  it('G3: costs one credit if anybody got it and none if nobody did, in every order of holds and spends', async () => {
    expect(stories).toHaveLength(9 * (6 + 30));
    for (let at = 0; at < stories.length; at += 8)
      await Promise.all(stories.slice(at, at + 8).map((story) => live(story)));
    expect(await brokenWindows(credits.db)).toEqual([]);
  });

  it('G3: costs one credit when two commits and a spend come at one moment', async () => {
    for (const _ of times(30)) {
      const userId = newUser();
      const holds = await Promise.all(times(3).map(() => reserve(userId, uuidv7(), contact)));
      const [one, other, last] = holds.map(({ id }) => id);
      const answers = await Promise.all([
        commit(userId, one ?? ''),
        commit(userId, other ?? ''),
        release(userId, last ?? ''),
        credits.spend(userId, uuidv7(), contact),
      ]);
      for (const answer of answers) expect(answer).toBeTypeOf('object');
      expect(await credits.view(userId)).toMatchObject({ used: 1 });
    }
    expect(await brokenWindows(credits.db)).toEqual([]);
  });

  it('a commit that finds it paid for gives its credit back once, and the history says why', async () => {
    const userId = newUser();
    const held = await reserve(userId, uuidv7(), contact);
    expect(await credits.spend(userId, uuidv7(), contact)).toMatchObject({ used: 2 });
    for (const _ of times(2))
      expect(await commit(userId, held.id)).toEqual({ used: 1, available: 19, limit: 20 });
    expect(await release(userId, held.id)).toBe('credits.reservation_ended');
    const rows = await credits.db.query(
      'SELECT amount, reason, reference FROM ledger WHERE user_id = ? ORDER BY id DESC LIMIT 1',
      [userId],
    );
    expect(rows).toEqual([{ amount: 1, reason: 'already_paid', reference: contact.reference }]);
  });
});
