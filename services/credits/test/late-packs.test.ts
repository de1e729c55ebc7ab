// A pack that was paid, and whose event Kafka has not delivered yet.
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import * as billing from '@shortlist/contracts/events/billing';
import * as events from '@shortlist/contracts/events/credits';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { listTablesWith } from '@shortlist/kit/testing/user-rows';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { newUser, openCheckedCredits, packOf, period, START } from './support.ts';

const credits = await openCheckedCredits();
beforeEach(() => credits.setBillingDown(false));

const email = (amount: number) => ({ reason: 'email_found', amount }) as const;
const tryCharge = (userId: string, amount: number) => credits.tryCharge(userId, uuidv7(), email(amount));
/** A user who has used up the free credits, and bought a pack that billing knows of. */
const buyer = async (change: Partial<billing.CreditPackChanged> = {}) => {
  const userId = newUser();
  await credits.charge(userId, uuidv7(), email(20));
  const pack = packOf(change);
  credits.soldPacks.set(userId, [pack]);
  return { userId, pack };
};
const changes = async (userId: string): Promise<unknown[]> => {
  const asUser = { caller: { role: 'user', userId } } as const;
  const { data } = await credits.ask(creditsEndpoints.listHistory, { userId }, asUser);
  return data
    .filter(({ reason }) => reason.startsWith('pack_'))
    .map(({ reason, amount }) => [reason, amount]);
};

describe('a pack whose event has not arrived', () => {
  it('is read from billing before a charge is refused, and its event adds nothing to it', async () => {
    const { userId, pack } = await buyer();
    expect(await tryCharge(userId, 30)).toEqual({ used: 20, available: 220, limit: 20, charged: 30 });
    await credits.publish(eventOf(billing.creditPackChanged, userId, pack));
    expect(await credits.view(userId)).toMatchObject({ available: 220 });
    expect(await changes(userId)).toEqual([['pack_bought', 250]]);
    expect(await credits.emitted(events.creditBucketChanged, userId)).toHaveLength(1);
  });

  it('is added once by charges at the same moment, as its event arrives', async () => {
    const { userId, pack } = await buyer();
    const results = await Promise.all([
      ...Array.from({ length: 5 }, () => tryCharge(userId, 50)),
      credits.publish(eventOf(billing.creditPackChanged, userId, pack)),
    ]);
    expect(results.slice(0, 5).map((result) => typeof result)).toEqual(Array(5).fill('object'));
    expect(await credits.view(userId)).toMatchObject({ used: 20, available: 0 });
    expect(await changes(userId)).toEqual([['pack_bought', 250]]);
  });

  it('is in what its buyer reads, once', async () => {
    const { userId } = await buyer();
    for (const _ of [1, 2]) expect(await credits.view(userId, null)).toMatchObject({ available: 250 });
    expect(await changes(userId)).toEqual([['pack_bought', 250]]);
  });

  it('comes with the plan when a read names a newer version of that', async () => {
    const { userId } = await buyer();
    credits.plans.set(userId, { version: 1, paid: period('in_late', START), granted: null });
    expect(await credits.view(userId, 1)).toMatchObject({ plan: 'premium', available: 750 });
  });

  it('is not lost to a plan of the same reply, nor the plan to it', async () => {
    const { userId } = await buyer();
    credits.plans.set(userId, { version: 1, paid: period('in_both', credits.clock()), granted: null });
    for (const _ of Array.from({ length: 5 })) await tryCharge(userId, 100);
    expect(await tryCharge(userId, 100)).toMatchObject({ limit: 500, available: 150 });
  });

  it('of a user who is deleted creates nothing', async () => {
    const { userId } = await buyer();
    await credits.publish(eventOf(userDeleted, userId, { by: 'admin', generation: 1 }), 'identity.events');
    await credits.catchUp(userId);
    expect(await listTablesWith(credits.db, userId)).toEqual(['deleted_users']);
  });
});

describe('a refund whose event was faster than the reply of billing', () => {
  it('stays', async () => {
    const { userId, pack } = await buyer();
    await credits.pack(userId, { ...pack, version: 2, paidCredits: 0 });
    expect(await tryCharge(userId, 1)).toBe('credits.balance_too_low');
    expect(await changes(userId)).toEqual([]);
  });

  it('is read from billing too when it is later than the payment', async () => {
    const { userId, pack } = await buyer();
    await credits.pack(userId, pack);
    await tryCharge(userId, 100);
    credits.soldPacks.set(userId, [{ ...pack, version: 2, paidCredits: 100 }]);
    expect(await tryCharge(userId, 90)).toMatchObject({ available: 60 }); // not refused, so billing is not called
    expect(await tryCharge(userId, 61)).toBe('credits.balance_too_low');
    expect(await credits.view(userId)).toMatchObject({ available: 0 });
    expect(await changes(userId)).toEqual([
      ['pack_withdrawn', -60],
      ['pack_bought', 250],
    ]);
  });
});

describe('a charge that billing cannot help', () => {
  it('is refused for the balance while billing is away, and has the pack when it is back', async () => {
    const { userId } = await buyer();
    credits.setBillingDown(true);
    expect(await tryCharge(userId, 1)).toBe('credits.balance_too_low');
    credits.setBillingDown(false);
    expect(await tryCharge(userId, 1)).toMatchObject({ available: 249 });
  });

  it('is refused without a change of packs that are known', async () => {
    const { userId } = await buyer({ credits: 5, paidCredits: 5 });
    expect(await tryCharge(userId, 5)).toMatchObject({ available: 0 });
    for (const _ of [1, 2]) expect(await tryCharge(userId, 1)).toBe('credits.balance_too_low');
    expect(await credits.emitted(events.creditBucketChanged, userId)).toHaveLength(1);
  });
});
