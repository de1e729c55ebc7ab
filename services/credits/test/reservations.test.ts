import * as events from '@shortlist/contracts/events/credits';
import { idempotencyKeySchema } from '@shortlist/contracts/schemas/credits';
import { databaseNow } from '@shortlist/kit/data/db';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { internalOperationId } from '../src/charges/operation-id.ts';
import { brokenWindows, type Credits, newUser, openCredits, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());
beforeEach(() => credits.time.set(START));

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const code = ({ code: of }: { code: string }): string => of;
const reserve: Credits['reserve'] = (...asked) => credits.reserve(...asked);
const commit: Credits['commit'] = (...asked) => credits.commit(...asked);
const release: Credits['release'] = (...asked) => credits.release(...asked);
const sweep: Credits['sweep'] = (...asked) => credits.sweep(...asked);

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
    await credits.ageHolds(userId, 60);
    const [one, other] = await Promise.all([sweep(), sweep()]);
    expect(one.released + other.released).toBe(1);
    expect(await credits.view(userId)).toMatchObject({ used: 0 });
    expect(await commit(userId, held.id)).toBe('credits.reservation_ended');
  });

  it("X23: a hold ends by the clock that all share, so one that is ahead ends nobody else's", async () => {
    const userId = newUser();
    const before = await databaseNow(credits.db.manager);
    const held = await reserve(userId, uuidv7(), { holdSeconds: 300 });
    const ends = Date.parse(held.expiresAt) - before.getTime();
    expect(ends).toBeGreaterThanOrEqual(300_000);
    expect(ends).toBeLessThan(360_000);
    credits.time.set(new Date(before.getTime() + 600_000));
    expect(await sweep()).toMatchObject({ released: 0 });
    expect(await commit(userId, held.id)).toMatchObject({ used: 1 });
  });

  it('G3: nobody can take the id under which a credit comes back', async () => {
    const userId = newUser();
    expect(idempotencyKeySchema.validate(internalOperationId('expired:1')).error).toBeDefined();
    for (const [reason, letGo] of [
      ['released', (id: string) => release(userId, id)],
      ['expired', () => credits.ageHolds(userId, 3_600).then(() => sweep())],
    ] as const) {
      const held = await reserve(userId);
      await credits.spend(userId, `${reason}:${held.id}`);
      await letGo(held.id);
      expect(await commit(userId, held.id)).toBe('credits.reservation_ended');
    }
    expect(await credits.view(userId)).toMatchObject({ used: 2 });
    expect(await brokenWindows(credits.db)).toEqual([]);
  });

  it('a hold that cannot be given back keeps nobody waiting and comes again later', async () => {
    const [broken, other] = [newUser(), newUser()];
    await reserve(broken, 'operation-1');
    const rename = (to: string) =>
      credits.db.query('UPDATE ledger SET operation_id = ? WHERE user_id = ?', [to, broken]);
    await rename('elsewhere');
    await reserve(other);
    await credits.ageHolds(broken, 3_600);
    await credits.ageHolds(other, 1_800);
    expect(await sweep(1)).toEqual({ released: 0, more: true });
    expect(await sweep(1)).toEqual({ released: 1, more: true });
    expect(await sweep(1)).toEqual({ released: 0, more: false });
    expect(await credits.view(other)).toMatchObject({ used: 0 });
    await rename('operation-1');
    await credits.ageHolds(broken, 3_600);
    expect(await sweep()).toMatchObject({ released: 1 });
    expect(await credits.view(broken)).toMatchObject({ used: 0 });
  });

  it.each(['a spend that comes after a hold', 'a hold that comes after a spend'])(
    'G2: %s under its key is refused, so that no answer outlives the charge',
    async (order) => {
      const userId = newUser();
      const asked = [() => reserve(userId, 'operation-1'), () => credits.spend(userId, 'operation-1')];
      if (order.startsWith('a hold')) asked.reverse();
      await asked[0]?.();
      expect(await asked[1]?.().catch(code)).toBe('credits.key_reused');
      expect(await credits.view(userId)).toMatchObject({ used: 1 });
    },
  );

  it('before anybody is refused, their own holds that ran out are given back', async () => {
    const userId = newUser();
    for (const _ of times(20)) await reserve(userId, uuidv7(), { holdSeconds: 60 });
    expect(await credits.tryCharge(userId)).toBe('credits.balance_too_low');
    await credits.ageHolds(userId, 60);
    expect(await credits.spend(userId)).toEqual({ used: 1, available: 19, limit: 20 });
    expect(await brokenWindows(credits.db)).toEqual([]);
  });

  it('a credit that comes back and goes again is no second exhaustion', async () => {
    const userId = newUser();
    const holds = [];
    for (const _ of times(20)) holds.push(await reserve(userId));
    await release(userId, holds[0]?.id ?? '');
    await credits.spend(userId);
    expect(await credits.emitted(events.creditsExhausted, userId)).toHaveLength(1);
  });

  it('another person cannot settle it', async () => {
    const held = await reserve(newUser());
    expect(await commit(newUser(), held.id)).toBe('credits.reservation_not_found');
  });
});
