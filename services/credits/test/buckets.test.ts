import { days } from '@shortlist/contracts/durations';
import * as billing from '@shortlist/contracts/events/billing';
import * as events from '@shortlist/contracts/events/credits';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { listTablesWith } from '@shortlist/kit/testing/user-rows';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { newUser, openCheckedCredits, packOf, period, START } from './support.ts';

const credits = await openCheckedCredits();
beforeEach(() => credits.time.set(START));

const email = (amount: number) => ({ reason: 'email_found', amount }) as const;
const charge = (userId: string, amount: number) => credits.charge(userId, uuidv7(), email(amount));
const premium = (userId: string, version = 1) =>
  credits.publish(
    credits.paidEvent(userId, {
      version,
      paid: period(`in_${userId}_${version}`, credits.clock()),
      granted: null,
    }),
  );
const later = (count: number): string => new Date(START.getTime() + days(count)).toISOString();

describe('G8: a charge', () => {
  it('takes from what ends first, and from packs last, the oldest first', async () => {
    const userId = newUser();
    await charge(userId, 1); // the window lasts thirty days
    const young = await credits.pack(userId, { credits: 9, paidCredits: 9, paidAt: later(1) });
    const old = await credits.pack(userId, { credits: 8, paidCredits: 8 });
    await credits.grant(userId, { credits: 7, days: 60 });
    await credits.grant(userId, { credits: 6, days: 10 });
    expect(await credits.left(userId)).toEqual([
      ['grant', 6],
      ['plan', 19],
      ['grant', 7],
      ['pack', 8],
      ['pack', 9],
    ]);
    expect((await credits.view(userId)).buckets.slice(-2).map(({ id }) => id)).toEqual([old, young]);
    await charge(userId, 10);
    expect(await credits.left(userId)).toEqual([
      ['plan', 15],
      ['grant', 7],
      ['pack', 8],
      ['pack', 9],
    ]);
    await charge(userId, 16);
    expect(await credits.left(userId)).toEqual([
      ['plan', 0],
      ['grant', 6],
      ['pack', 8],
      ['pack', 9],
    ]);
    await charge(userId, 15);
    expect(await credits.left(userId)).toEqual([
      ['plan', 0],
      ['pack', 8],
    ]);
    expect(await credits.view(userId)).toMatchObject({ used: 20, limit: 20, available: 8, exhausted: false });
  });

  it('of more than any bucket has spans them, or takes nothing', async () => {
    const userId = newUser();
    await charge(userId, 10);
    await credits.pack(userId, { credits: 90, paidCredits: 90 });
    expect(await credits.tryCharge(userId, uuidv7(), email(100))).toEqual({
      used: 20,
      available: 0,
      limit: 20,
      charged: 100,
    });
    expect(await credits.tryCharge(userId, uuidv7(), email(1))).toBe('credits.balance_too_low');
    await credits.pack(userId, { credits: 3, paidCredits: 3 });
    expect(await credits.tryCharge(userId, uuidv7(), email(4))).toBe('credits.balance_too_low');
    expect(await credits.left(userId)).toEqual([
      ['plan', 0],
      ['pack', 3],
    ]);
  });

  it('takes nothing from a grant that has ended', async () => {
    const userId = newUser();
    await charge(userId, 15);
    await credits.grant(userId, { credits: 50, days: 2 });
    expect(await credits.view(userId)).toMatchObject({ available: 55 });
    credits.time.advance(days(2));
    expect(await credits.view(userId)).toMatchObject({ available: 5 });
    expect(await credits.tryCharge(userId, uuidv7(), email(6))).toBe('credits.balance_too_low');
    expect(await charge(userId, 5)).toMatchObject({ available: 0 });
  });

  it('that is repeated has the response of the first, also after the balance has changed', async () => {
    const userId = newUser();
    await credits.pack(userId);
    const key = uuidv7();
    const first = await credits.charge(userId, key, email(30));
    expect(first).toEqual({ used: 20, available: 240, limit: 20, charged: 30 });
    await charge(userId, 5);
    expect(await credits.charge(userId, key, email(30))).toEqual(first);
    expect(await credits.view(userId)).toMatchObject({ available: 235 });
  });

  it('of a contact that was charged before takes nothing and says what is left in all', async () => {
    const userId = newUser();
    await credits.pack(userId);
    const contact = { ...email(2), reference: 'ada@engines.test' };
    await credits.charge(userId, uuidv7(), contact);
    expect(await credits.charge(userId, uuidv7(), contact)).toEqual({
      used: 2,
      available: 268,
      limit: 20,
      charged: 0,
    });
  });

  it('by a process that knows of no pack sees one that came meanwhile', async () => {
    const userId = newUser();
    await charge(userId, 18); // the window is remembered
    await credits.pack(userId);
    expect(await charge(userId, 1)).toMatchObject({ used: 19, available: 251 });
    expect(await charge(userId, 5)).toMatchObject({ used: 20, available: 246 });
  });

  it('by a process that knows of no pack sees credits that returned to one', async () => {
    const userId = newUser();
    await charge(userId, 1);
    await credits.pack(userId, { credits: 10, paidCredits: 10 });
    const { id } = await credits.reserve(userId, uuidv7(), { amount: 29 });
    expect(await credits.tryCharge(userId)).toBe('credits.balance_too_low'); // the empty window is remembered
    await credits.release(userId, id);
    expect(await charge(userId, 1)).toMatchObject({ available: 28 });
  });
});

describe('G8: credits that return', () => {
  it('go back to where they came from, the part that was charged last first', async () => {
    const userId = newUser();
    await credits.grant(userId, { credits: 5, days: 3 });
    await credits.pack(userId, { credits: 10, paidCredits: 10 });
    const { id } = await credits.reserve(userId, uuidv7(), { amount: 30 });
    expect(await credits.left(userId)).toEqual([
      ['plan', 0],
      ['pack', 5],
    ]);
    expect(await credits.commit(userId, id, { amount: 18 })).toEqual({
      used: 13,
      available: 17,
      limit: 20,
      charged: 18,
    });
    expect(await credits.left(userId)).toEqual([
      ['plan', 7],
      ['pack', 10],
    ]);
    expect(await credits.commit(userId, id, { amount: 18 })).toMatchObject({ available: 17, charged: 18 });
  });

  it('by a release or an expiry go back to every bucket, once', async () => {
    const userId = newUser();
    await credits.grant(userId, { credits: 5, days: 3 });
    await credits.pack(userId, { credits: 10, paidCredits: 10 });
    const released = await credits.reserve(userId, uuidv7(), { amount: 35 });
    expect(await credits.release(userId, released.id)).toMatchObject({ used: 0, available: 35 });
    expect(await credits.release(userId, released.id)).toMatchObject({ used: 0, available: 35 });
    const expired = await credits.reserve(userId, uuidv7(), { amount: 35 });
    await credits.ageReservations(expired.id, 3_600);
    await credits.releaseExpired();
    expect(await credits.left(userId)).toEqual([
      ['grant', 5],
      ['plan', 20],
      ['pack', 10],
    ]);
  });

  it('to a grant or a window that has ended meanwhile count nowhere else', async () => {
    const userId = newUser();
    await charge(userId, 1);
    await credits.grant(userId, { credits: 40, days: 3 });
    const { id } = await credits.reserve(userId, uuidv7(), { amount: 50 });
    credits.time.advance(days(31));
    await charge(userId, 1);
    expect(await credits.release(userId, id)).toMatchObject({ used: 1 });
    expect(await credits.view(userId)).toMatchObject({ used: 1, available: 19 });
  });

  it('to a window that has ended meanwhile are in no response: it says what may be charged now', async () => {
    const userId = newUser();
    const [free, other] = [
      await credits.reserve(userId, 'free', email(10)),
      await credits.reserve(userId, 'other', email(5)),
    ];
    await premium(userId);
    const paid = await credits.reserve(userId, 'paid', email(50));
    const left = { used: 50, available: 450, limit: 500 };
    for (let time = 0; time < 2; time += 1) {
      expect(await credits.commit(userId, free.id, { amount: 4 })).toEqual({ ...left, charged: 4 });
      expect(await credits.release(userId, other.id)).toEqual(left);
    }
    await credits.publish(credits.paidEvent(userId, { version: 2, paid: null, granted: null }));
    expect(await credits.release(userId, paid.id)).toEqual({ used: 4, available: 16, limit: 20 });
    expect(await credits.view(userId)).toMatchObject({ used: 4, available: 16, limit: 20 });
  });

  it('to a pack that was refunded meanwhile count nowhere', async () => {
    const userId = newUser();
    const packId = await credits.pack(userId);
    await charge(userId, 20);
    const { id } = await credits.reserve(userId, uuidv7(), { amount: 100 });
    await credits.pack(userId, { packId, version: 2, paidCredits: 0 });
    expect(await credits.release(userId, id)).toMatchObject({ available: 0 });
    expect(await credits.tryCharge(userId)).toBe('credits.balance_too_low');
  });
});

describe('G9: a pack', () => {
  it('that is refunded or disputed loses what is left, and a dispute that is won gives back just that', async () => {
    const userId = newUser();
    await charge(userId, 20);
    const packId = await credits.pack(userId);
    await charge(userId, 100);
    await credits.pack(userId, { packId, version: 2, paidCredits: 0 });
    expect(await credits.view(userId)).toMatchObject({ available: 0, used: 20, exhausted: true });
    await credits.pack(userId, { packId, version: 3, paidCredits: 250 });
    expect(await credits.left(userId)).toEqual([
      ['plan', 0],
      ['pack', 150],
    ]);
  });

  it('that is refunded in part keeps what is paid for, less what was charged', async () => {
    const userId = newUser();
    await charge(userId, 20);
    const packId = await credits.pack(userId);
    await charge(userId, 100);
    await credits.pack(userId, { packId, version: 2, paidCredits: 125 });
    expect(await credits.view(userId)).toMatchObject({ available: 25 });
    await credits.pack(userId, { packId, version: 3, paidCredits: 50 });
    expect(await credits.view(userId)).toMatchObject({ available: 0 });
  });

  it('has the newest state whatever the order of its events, however often they come', async () => {
    const states = [250, 0, 250, 125].map((paidCredits, index) => ({ version: index + 1, paidCredits }));
    for (const order of [
      [3, 2, 1, 0],
      [1, 3, 0, 2],
      [0, 0, 3, 3, 1],
    ]) {
      const userId = newUser();
      const packId = uuidv7();
      for (const index of order) await credits.pack(userId, { packId, ...states[index] });
      expect(await credits.view(userId)).toMatchObject({ available: 20 + 125 });
    }
  });

  it('H4: that arrives by an event delivered ten times is added once, also before the user is known', async () => {
    const userId = newUser();
    const event = eventOf(billing.creditPackChanged, userId, packOf());
    for (const _ of Array.from({ length: 10 })) await credits.publish(event);
    expect(await credits.view(userId)).toMatchObject({ available: 270, plan: 'free' });
    const changes = await credits.emitted(events.creditBucketChanged, userId);
    expect(changes.map(({ data }) => data)).toEqual([
      { bucketId: event.data.packId, kind: 'pack', credits: 250, usable: 250, used: 0, endsAt: null },
    ]);
  });

  it('with the id of a grant is dead-lettered, and leaves the grant as it is', async () => {
    const userId = newUser();
    const grantId = await credits.grant(userId, { credits: 5, days: 3 });
    await expect(credits.pack(userId, { packId: grantId })).rejects.toThrow('has the id of a grant');
    const packId = await credits.pack(userId);
    await expect(credits.grant(userId, { credits: 5, days: 3, grantId: packId })).rejects.toMatchObject({
      code: 'credits.grant_changed',
    });
    expect(await credits.left(userId)).toEqual([
      ['grant', 5],
      ['plan', 20],
      ['pack', 250],
    ]);
  });

  it('of a deleted user creates nothing, and none of a user who is deleted is left', async () => {
    const userId = newUser();
    await credits.pack(userId);
    await credits.grant(userId, { credits: 5, days: 3 });
    const { id } = await credits.reserve(userId, uuidv7(), { amount: 50 });
    await credits.publish(eventOf(userDeleted, userId, { by: 'admin', generation: 1 }), 'identity.events');
    await credits.publish(eventOf(billing.creditPackChanged, userId, packOf()));
    expect(await credits.release(userId, id)).toBe('credits.reservation_not_found');
    expect(await credits.tryCharge(userId)).toBe('credits.user_not_found');
    expect(await listTablesWith(credits.db, userId)).toEqual(['audit_log', 'deleted_users']);
  });
});

it('an app gets the same balance as the page: before a charge, with other buckets, and without a credit left', async () => {
  const userId = newUser();
  const expectSame = async (available: number): Promise<void> => {
    const balance = await credits.balance(userId);
    expect(balance).toMatchObject({ available });
    expect(await credits.view(userId)).toMatchObject(balance);
  };
  await expectSame(20);
  await charge(userId, 1);
  await expectSame(19);
  await credits.pack(userId, { credits: 30, paidCredits: 30 });
  await premium(userId);
  await expectSame(530);
  for (const _ of Array.from({ length: 5 })) await charge(userId, 100);
  await charge(userId, 30);
  await expectSame(0);
});
