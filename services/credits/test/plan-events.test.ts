import { eventOf } from '@shortlist/kit/testing/event-of';
import { days } from '@shortlist/contracts/durations';
import * as billing from '@shortlist/contracts/events/billing';
import * as events from '@shortlist/contracts/events/credits';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { insertUserRows, listTablesWith } from '@shortlist/kit/testing/user-rows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilLockWait } from '@shortlist/kit/testing/databases';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { type Credits, newUser, openCredits, period, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const state = (version: number, key: string, days = 30) => ({
  version,
  paid: period(key, START, days),
  granted: null,
});

const ordersOf = <T>(list: T[]): T[][] =>
  list.length < 2
    ? [list]
    : list.flatMap((first, index) => ordersOf(list.toSpliced(index, 1)).map((rest) => [first, ...rest]));

describe('duplicate events', () => {
  it('H4: a payment event that is delivered ten times opens one window', async () => {
    const userId = newUser();
    const event = credits.paidEvent(userId, state(1, 'in_1'));
    for (const _ of times(10)) await credits.publish(event);
    await credits.charge(userId);
    await credits.publish(event);
    expect(await credits.windows(userId)).toMatchObject([{ plan: 'premium', used: 1 }]);
    expect(await credits.emitted(events.creditsReset, userId)).toHaveLength(1);
  });

  it('V2: events of different ids and versions about one invoice open one window', async () => {
    const userId = newUser();
    for (const version of [1, 2, 3]) await credits.publish(credits.paidEvent(userId, state(version, 'in_1')));
    expect(await credits.windows(userId)).toHaveLength(1);
  });
});

describe('out-of-order events', () => {
  it('H3: an older plan state that arrives after a newer one changes nothing', async () => {
    const userId = newUser();
    await credits.publish(credits.paidEvent(userId, state(5, 'in_2')));
    await credits.charge(userId);
    await credits.publish(credits.paidEvent(userId, state(4, 'in_1', 1)));
    expect(await credits.view(userId)).toMatchObject({ plan: 'premium', used: 1, limit: 500 });
    expect(await credits.windows(userId)).toHaveLength(1);
  });

  it('G5: the newest plan state applies in every order of upgrade, grant, refund and end', async () => {
    const grant = { ...period('grant:1', START), key: 'grant:1' };
    const ended = { ...period('in_1', START), end: START.toISOString() };
    const states = [
      { version: 1, paid: period('in_1', START), granted: null },
      { version: 2, paid: period('in_1', START), granted: grant },
      { version: 3, paid: ended, granted: grant },
      { version: 4, paid: ended, granted: { ...grant, end: START.toISOString() } },
    ];
    const orders = ordersOf(states);
    expect(orders).toHaveLength(24);
    for (const order of orders) {
      const userId = newUser();
      for (const planState of order) await credits.publish(credits.paidEvent(userId, planState));
      expect(await credits.view(userId)).toMatchObject({ plan: 'free', limit: 20 });
    }
  });

  it('a payment event that arrives before the user is registered opens a window', async () => {
    const userId = newUser();
    await credits.publish(credits.paidEvent(userId, state(1, 'in_1')));
    expect(await credits.charge(userId)).toEqual({ used: 1, available: 499, limit: 500, charged: 1 });
  });

  it('a grant and a paid period have windows of their own, and neither changes the use of the other', async () => {
    const userId = newUser();
    const granted = period('grant:9', START);
    await credits.publish(credits.paidEvent(userId, { version: 1, paid: null, granted }));
    for (const _ of times(4)) await credits.charge(userId);
    const both = { version: 2, paid: period('in_9', START), granted };
    await credits.publish(
      eventOf(billing.subscriptionChanged, userId, { reason: 'paid too', planState: both }),
    );
    await credits.charge(userId);
    const refunded = { ...both, version: 3, paid: null };
    await credits.publish(
      eventOf(billing.planRevoked, userId, { by: 'stripe', reason: 'refund', planState: refunded }),
    );
    expect(await credits.charge(userId)).toEqual({ used: 5, available: 495, limit: 500, charged: 1 });
    expect(await credits.windows(userId)).toMatchObject([{ used: 5 }, { used: 1 }]);
  });
});

/** The row of deleted_users prevents that a later event creates anything. */
const MARK = ['deleted_users'];
/** Entries of the audit log stay, without what they say of the user. */
const AUDITED = ['audit_log', ...MARK];

describe('a deleted user', () => {
  it('has no row left in any table that can have one', async () => {
    const userId = newUser();
    const tables = await insertUserRows(credits.db, userId);
    expect(await listTablesWith(credits.db, userId)).toEqual(tables);
    await credits.publish(eventOf(userDeleted, userId, { by: 'admin', generation: 1 }), 'identity.events');
    expect(await listTablesWith(credits.db, userId)).toEqual(AUDITED);
  });

  it('has no row left, and later events create none', async () => {
    const userId = newUser();
    await credits.publish(credits.paidEvent(userId, state(1, 'in_1')));
    await credits.charge(userId, undefined, { reason: 'email_found', reference: 'ada' });
    await credits.publish(eventOf(userDeleted, userId, { by: 'admin', generation: 1 }), 'identity.events');
    await credits.publish(credits.paidEvent(userId, state(2, 'in_2')));
    expect(await credits.tryCharge(userId)).toBe('credits.user_not_found');
    expect(await listTablesWith(credits.db, userId)).toEqual(MARK);
  });

  it('can make no reservation while the deletion waits for a lock, and has no row left', async () => {
    const userId = newUser();
    const contacts = ['ada', 'grace'].map((reference) => ({ reason: 'email_found', reference }) as const);
    for (const contact of contacts) await credits.charge(userId, uuidv7(), contact);
    let deletion: Promise<void> | undefined;
    await credits.db.transaction(async (tx) => {
      await tx.query("SELECT 1 FROM contacts WHERE user_id = ? AND reference = 'ada' FOR UPDATE", [userId]);
      deletion = credits.publish(
        eventOf(userDeleted, userId, { by: 'admin', generation: 1 }),
        'identity.events',
      );
      await untilLockWait(credits.db, new RegExp(`^DELETE FROM.*contacts.*${userId}`, 's'));
      await expect(credits.reserve(userId, uuidv7(), { reference: 'grace' })).rejects.toMatchObject({
        code: 'credits.user_not_found',
      });
    });
    await deletion;
    expect(await listTablesWith(credits.db, userId)).toEqual(MARK);
  });

  it('has no row left by a payment and charges that are concurrent with the deletion', async () => {
    for (const round of times(20)) {
      const userId = newUser();
      await credits.charge(userId, undefined, { reason: 'email_found', reference: 'ada' });
      await Promise.all([
        credits.publish(credits.paidEvent(userId, state(1, `in_${round}`))),
        credits.publish(eventOf(userDeleted, userId, { by: 'admin', generation: 1 }), 'identity.events'),
        ...times(3).map(() => credits.tryCharge(userId)),
        ...['ada', 'grace'].map((reference) =>
          credits.tryCharge(userId, undefined, { reason: 'email_found', reference }),
        ),
      ]);
      expect(await credits.tryCharge(userId)).toBe('credits.user_not_found');
      expect(await listTablesWith(credits.db, userId)).toEqual(MARK);
    }
  });
});

describe('a plan event that has not arrived', () => {
  it('is replaced by a call to billing when a read names a newer plan version', async () => {
    const userId = newUser();
    credits.plans.set(userId, state(3, 'in_1'));
    expect(await credits.view(userId)).toMatchObject({ plan: 'free' });
    expect(await credits.view(userId, 3)).toMatchObject({ plan: 'premium', available: 500 });
    const calls = credits.caughtUp.length;
    expect(await credits.view(userId, 3)).toMatchObject({ plan: 'premium' });
    expect(credits.caughtUp).toHaveLength(calls);
  });

  it('is replaced by a call to billing when a read names no version, which writes nothing for a user who has bought nothing', async () => {
    const userId = newUser();
    expect(await credits.view(userId, null)).toMatchObject({ plan: 'free' });
    expect(await listTablesWith(credits.db, userId)).toEqual([]);
    credits.plans.set(userId, state(3, 'in_1'));
    expect(await credits.view(userId, null)).toMatchObject({ plan: 'premium', available: 500 });
  });

  it('is replaced by a call to billing before a charge is refused', async () => {
    const userId = newUser();
    for (const _ of times(20)) await credits.charge(userId);
    credits.plans.set(userId, state(1, 'in_1'));
    const results = await Promise.all(times(5).map(() => credits.tryCharge(userId)));
    expect(results.map((result) => (typeof result === 'object' ? result.limit : result))).toEqual(
      times(5).map(() => 500),
    );
    expect(await credits.windows(userId)).toMatchObject([{ used: 20 }, { used: 5 }]);
    await credits.publish(credits.paidEvent(userId, state(1, 'in_1')));
    expect((await credits.view(userId)).used).toBe(5);
  });

  it('lets a charge be refused with 402 when billing has no newer plan either', async () => {
    const userId = newUser();
    for (const _ of times(20)) await credits.charge(userId);
    expect(await credits.tryCharge(userId)).toBe('credits.balance_too_low');
    expect(credits.caughtUp).toContain(userId);
  });
});

describe('broker down', () => {
  it('H7: events published while no consumer runs are handled afterwards, in order', async () => {
    const userId = newUser();
    credits.bus.pause();
    for (const version of [1, 2]) {
      const event = credits.paidEvent(userId, state(version, `in_${version}`));
      await credits.bus.publish('billing.events', [{ key: userId, value: JSON.stringify(event) }]);
    }
    credits.time.set(new Date(START.getTime() + days(1)));
    expect(await credits.tryCharge(userId)).toEqual({ used: 1, available: 19, limit: 20, charged: 1 });
    await credits.bus.release();
    await until('Premium', async () => (await credits.view(userId)).plan === 'premium');
    expect(await credits.windows(userId)).toMatchObject([
      { plan: 'free', used: 1 },
      {},
      { source_key: 'in_2' },
    ]);
  });

  it('H5: an invalid message is dead-lettered with its cause, and the events behind it are handled', async () => {
    const userId = newUser();
    const broken = { ...credits.paidEvent(userId, state(1, 'in_1')), data: { nothing: true } };
    await credits.bus.publish('billing.events', [{ key: userId, value: JSON.stringify(broken) }]);
    await credits.publish(credits.paidEvent(userId, state(2, 'in_2')));
    const [dead] = credits.bus.published('credits.dead');
    expect(dead?.headers).toMatchObject({ topic: 'billing.events', cause: /required/ });
    expect(await credits.view(userId)).toMatchObject({ plan: 'premium' });
  });
});
