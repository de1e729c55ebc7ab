import { minutes } from '@shortlist/contracts/durations';
import * as events from '@shortlist/contracts/events/credits';
import { idempotencyKeySchema } from '@shortlist/contracts/api/credits';
import { databaseNow } from '@shortlist/kit/data/db';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { internalOperationId } from '../src/ledger/queries.ts';
import { brokenBuckets, type Credits, newUser, openCredits, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());
beforeEach(() => credits.time.set(START));

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const codeOf = ({ code }: { code: string }): string => code;
const reserve: Credits['reserve'] = (...args) => credits.reserve(...args);
const commit: Credits['commit'] = (...args) => credits.commit(...args);
const release: Credits['release'] = (...args) => credits.release(...args);
const releaseExpired: Credits['releaseExpired'] = (...args) => credits.releaseExpired(...args);

describe('reservations', () => {
  it('a reservation counts as used at once, and a commit makes it final', async () => {
    const userId = newUser();
    const reservation = await reserve(userId);
    expect(reservation).toMatchObject({ state: 'held', used: 1, available: 19 });
    expect(await commit(userId, reservation.id)).toEqual({ used: 1, available: 19, limit: 20, charged: 1 });
    expect(await commit(userId, reservation.id)).toEqual({ used: 1, available: 19, limit: 20, charged: 1 });
    expect(await release(userId, reservation.id)).toBe('credits.reservation_ended');
  });

  it('a release returns the credit once, with a ledger entry of its own', async () => {
    const userId = newUser();
    const reservation = await reserve(userId);
    const responses = await Promise.all(times(10).map(() => release(userId, reservation.id)));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(await commit(userId, reservation.id)).toBe('credits.reservation_ended');
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
    'D3 the reservation id %s is refused',
    async (id) => {
      const userId = newUser();
      const reservation = await reserve(userId);
      for (const result of [await commit(userId, id), await release(userId, id)])
        expect(['request.invalid', 'credits.reservation_not_found']).toContain(result);
      expect(await commit(userId, reservation.id)).toEqual({ used: 1, available: 19, limit: 20, charged: 1 });
    },
  );

  it('of a concurrent commit and release one succeeds', async () => {
    for (const _ of times(30)) {
      const userId = newUser();
      const reservation = await reserve(userId);
      const results = await Promise.all([commit(userId, reservation.id), release(userId, reservation.id)]);
      expect(results.filter((result) => result === 'credits.reservation_ended')).toHaveLength(1);
    }
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('G1: reservations do not exceed the limit, and G2: one idempotency key reserves one credit', async () => {
    const userId = newUser();
    const results = await Promise.all(times(40).map(() => reserve(userId).catch(codeOf)));
    expect(results.filter((result) => typeof result === 'object')).toHaveLength(20);
    const other = newUser();
    const same = await Promise.all(times(20).map(() => reserve(other, 'operation-1')));
    expect(new Set(same.map(({ id }) => id)).size).toBe(1);
    expect(await credits.view(other)).toMatchObject({ used: 1 });
  });

  it('an expired reservation is released once by two concurrent workers', async () => {
    const userId = newUser();
    const reservation = await reserve(userId, uuidv7(), { holdSeconds: 60 });
    await credits.ageReservations(userId, 60);
    const [one, other] = await Promise.all([releaseExpired(), releaseExpired()]);
    expect(one.released + other.released).toBe(1);
    expect(await credits.view(userId)).toMatchObject({ used: 0 });
    expect(await commit(userId, reservation.id)).toBe('credits.reservation_ended');
  });

  it('X23: a reservation expires by the clock of the database, not by that of a process that is ahead', async () => {
    const userId = newUser();
    const before = await databaseNow(credits.db.manager);
    credits.time.set(before);
    const reservation = await reserve(userId, uuidv7(), { holdSeconds: 300 });
    const ends = Date.parse(reservation.expiresAt) - before.getTime();
    expect(ends).toBeGreaterThanOrEqual(300_000);
    expect(ends).toBeLessThan(360_000);
    credits.time.set(new Date(before.getTime() + minutes(10)));
    expect(await releaseExpired()).toMatchObject({ released: 0 });
    expect(await commit(userId, reservation.id)).toMatchObject({ used: 1 });
  });

  it('G3: no client can use the operation id under which a credit is returned', async () => {
    const userId = newUser();
    expect(idempotencyKeySchema.validate(internalOperationId('expired:1')).error).toBeDefined();
    for (const [reason, settle] of [
      ['released', (id: string) => release(userId, id)],
      ['expired', () => credits.ageReservations(userId, 3_600).then(() => releaseExpired())],
    ] as const) {
      const reservation = await reserve(userId);
      await credits.charge(userId, `${reason}:${reservation.id}`);
      await settle(reservation.id);
      expect(await commit(userId, reservation.id)).toBe('credits.reservation_ended');
    }
    expect(await credits.view(userId)).toMatchObject({ used: 2 });
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('a reservation whose release fails does not delay others and is released later', async () => {
    const [broken, other] = [newUser(), newUser()];
    await reserve(broken, 'operation-1');
    const rename = (to: string) =>
      credits.db.query('UPDATE ledger SET operation_id = ? WHERE user_id = ?', [to, broken]);
    await rename('operation-2');
    await reserve(other);
    await credits.ageReservations(broken, 3_600);
    await credits.ageReservations(other, 1_800);
    expect(await releaseExpired(1)).toEqual({ released: 0, more: true });
    expect(await releaseExpired(1)).toEqual({ released: 1, more: true });
    expect(await releaseExpired(1)).toEqual({ released: 0, more: false });
    expect(await credits.view(other)).toMatchObject({ used: 0 });
    await rename('operation-1');
    await credits.ageReservations(broken, 3_600);
    expect(await releaseExpired()).toMatchObject({ released: 1 });
    expect(await credits.view(broken)).toMatchObject({ used: 0 });
  });

  it('G2: the same idempotency key with another time to hold is refused', async () => {
    const userId = newUser();
    const { id } = await reserve(userId, 'operation-1', { holdSeconds: 60 });
    expect(await reserve(userId, 'operation-1', { holdSeconds: 60 })).toMatchObject({ id });
    for (const other of [{ holdSeconds: 61 }, {}])
      expect(await reserve(userId, 'operation-1', other).catch(codeOf)).toBe('credits.key_reused');
    expect((await reserve(userId, 'operation-2')).id).toBe(
      (await reserve(userId, 'operation-2', { holdSeconds: 300 })).id,
    );
    expect(await credits.view(userId)).toMatchObject({ used: 2 });
  });

  it.each(['a charge after a reservation', 'a reservation after a charge'])(
    'G2: %s under the same idempotency key is refused',
    async (order) => {
      const userId = newUser();
      const requests = [() => reserve(userId, 'operation-1'), () => credits.charge(userId, 'operation-1')];
      if (order.startsWith('a reservation')) requests.reverse();
      await requests[0]?.();
      expect(await requests[1]?.().catch(codeOf)).toBe('credits.key_reused');
      expect(await credits.view(userId)).toMatchObject({ used: 1 });
    },
  );

  it('the expired reservations of a user are released before a charge of the user is refused', async () => {
    const userId = newUser();
    for (const _ of times(20)) await reserve(userId, uuidv7(), { holdSeconds: 60 });
    expect(await credits.tryCharge(userId)).toBe('credits.balance_too_low');
    await credits.ageReservations(userId, 60);
    expect(await credits.charge(userId)).toEqual({ used: 1, available: 19, limit: 20, charged: 1 });
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('a credit that is released and charged again emits no second CreditsExhausted', async () => {
    const userId = newUser();
    const reservations = [];
    for (const _ of times(20)) reservations.push(await reserve(userId));
    await release(userId, reservations[0]?.id ?? '');
    await credits.charge(userId);
    expect(await credits.emitted(events.creditsExhausted, userId)).toHaveLength(1);
  });

  it('a reservation of another user cannot be settled', async () => {
    const reservation = await reserve(newUser());
    expect(await commit(newUser(), reservation.id)).toBe('credits.reservation_not_found');
  });

  it.each([
    ['is released', (userId: string, id: string) => release(userId, id)],
    ['expires', (userId: string) => credits.ageReservations(userId, 3_600).then(() => releaseExpired())],
  ])('a reservation that %s emits CreditReleased once and no CreditsSpent', async (_, settle) => {
    const userId = newUser();
    await credits.charge(userId);
    const { id } = await reserve(userId);
    for (const _repeat of times(2)) await settle(userId, id);
    expect(await credits.emitted(events.creditReleased, userId)).toMatchObject([
      { subject: userId, data: { plan: 'free', limit: 20, used: 1 } },
    ]);
    expect(await credits.emitted(events.creditsSpent, userId)).toHaveLength(2);
  });

  it('a commit emits CreditReleased only when it returns the credit', async () => {
    const userId = newUser();
    const contact = { reason: 'email_found', reference: 'linkedin.com/in/ada' } as const;
    const [first, second] = [
      await reserve(userId, uuidv7(), contact),
      await reserve(userId, uuidv7(), contact),
    ];
    await commit(userId, first.id);
    expect(await credits.emitted(events.creditReleased, userId)).toEqual([]);
    await commit(userId, second.id);
    expect(await credits.emitted(events.creditReleased, userId)).toMatchObject([{ data: { used: 1 } }]);
    expect(await credits.emitted(events.creditsSpent, userId)).toHaveLength(2);
  });
});
