import * as billing from '@shortlist/contracts/events/billing';
import * as events from '@shortlist/contracts/events/credits';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { type Credits, DAY, eventOf, newUser, openCredits, period, START } from './support.ts';

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
    : list.flatMap((first, at) => ordersOf(list.toSpliced(at, 1)).map((rest) => [first, ...rest]));

describe('duplicate events', () => {
  it('H4: the same payment heard ten times opens one window', async () => {
    const userId = newUser();
    const event = credits.paidEvent(userId, state(1, 'in_1'));
    for (const _ of times(10)) await credits.publish(event);
    await credits.spend(userId);
    await credits.publish(event);
    expect(await credits.windows(userId)).toMatchObject([{ plan: 'premium', used: 1 }]);
    expect(await credits.emitted(events.creditsReset, userId)).toHaveLength(1);
  });

  it('V2: the same invoice told of by facts of different ids and versions is one grant of credits', async () => {
    const userId = newUser();
    for (const version of [1, 2, 3]) await credits.publish(credits.paidEvent(userId, state(version, 'in_1')));
    expect(await credits.windows(userId)).toHaveLength(1);
  });
});

describe('out-of-order events', () => {
  it('H3: an older state that comes late changes nothing', async () => {
    const userId = newUser();
    await credits.publish(credits.paidEvent(userId, state(5, 'in_2')));
    await credits.spend(userId);
    await credits.publish(credits.paidEvent(userId, state(4, 'in_1', 1)));
    expect(await credits.view(userId)).toMatchObject({ plan: 'premium', used: 1, limit: 500 });
    expect(await credits.windows(userId)).toHaveLength(1);
  });

  it('G5: whatever the order in which upgrade, grant, refund and end come, the newest state stands', async () => {
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
      for (const one of order) await credits.publish(credits.paidEvent(userId, one));
      expect(await credits.view(userId)).toMatchObject({ plan: 'free', limit: 20 });
    }
  });

  it('a payment that is heard of before the person is registered counts', async () => {
    const userId = newUser();
    await credits.publish(credits.paidEvent(userId, state(1, 'in_1')));
    expect(await credits.spend(userId)).toEqual({ used: 1, available: 499, limit: 500 });
  });

  it('a grant and a paid period stand side by side, and neither touches what the other has left', async () => {
    const userId = newUser();
    const granted = period('grant:9', START);
    await credits.publish(credits.paidEvent(userId, { version: 1, paid: null, granted }));
    for (const _ of times(4)) await credits.spend(userId);
    const both = { version: 2, paid: period('in_9', START), granted };
    await credits.publish(
      eventOf(billing.subscriptionChanged, userId, { reason: 'paid too', planState: both }),
    );
    await credits.spend(userId);
    const refunded = { ...both, version: 3, paid: null };
    await credits.publish(
      eventOf(billing.planRevoked, userId, { by: 'stripe', reason: 'refund', planState: refunded }),
    );
    expect(await credits.spend(userId)).toEqual({ used: 5, available: 495, limit: 500 });
    expect(await credits.windows(userId)).toMatchObject([{ used: 5 }, { used: 1 }]);
  });
});

/** The tables in which a person has a row. */
const rowsLeft = async (userId: string): Promise<string[]> => {
  const left: string[] = [];
  for (const table of [
    ...['accounts', 'windows', 'ledger', 'contacts', 'reservations'],
    ...['free_cycles', 'exhausted_windows'],
  ]) {
    const rows: unknown[] = await credits.db.query(`SELECT 1 FROM ${table} WHERE user_id = ?`, [userId]);
    if (rows.length > 0) left.push(table);
  }
  return left;
};

describe('a person who is gone', () => {
  it('leaves nothing behind, and late facts bring nothing back', async () => {
    const userId = newUser();
    await credits.publish(credits.paidEvent(userId, state(1, 'in_1')));
    await credits.spend(userId, undefined, { reason: 'email_found', reference: 'ada' });
    await credits.publish(eventOf(userDeleted, userId, { by: 'admin' }), 'identity.events');
    await credits.publish(credits.paidEvent(userId, state(2, 'in_2')));
    expect(await credits.tryCharge(userId)).toBe('credits.user_not_found');
    expect(await rowsLeft(userId)).toEqual([]);
  });

  it('a hold that comes while the deletion waits leaves no row behind it', async () => {
    const userId = newUser();
    const contacts = ['ada', 'grace'].map((reference) => ({ reason: 'email_found', reference }) as const);
    for (const contact of contacts) await credits.spend(userId, uuidv7(), contact);
    const isWaiting = async (): Promise<boolean> => {
      const rows: unknown[] = await credits.db.query(
        'SELECT 1 FROM information_schema.processlist WHERE info LIKE ?',
        [`DELETE FROM contacts%${userId}%`],
      );
      return rows.length > 0;
    };
    let deletion: Promise<void> | undefined;
    await credits.db.transaction(async (tx) => {
      await tx.query("SELECT 1 FROM contacts WHERE user_id = ? AND reference = 'ada' FOR UPDATE", [userId]);
      deletion = credits.publish(eventOf(userDeleted, userId, { by: 'admin' }), 'identity.events');
      await until('the deletion to wait', isWaiting);
      await credits.reserve(userId, uuidv7(), { reference: 'grace' });
    });
    await deletion;
    expect(await rowsLeft(userId)).toEqual([]);
  });

  it('deletion, a payment and spends at one moment leave nothing behind', async () => {
    for (const round of times(20)) {
      const userId = newUser();
      await credits.spend(userId, undefined, { reason: 'email_found', reference: 'ada' });
      await Promise.all([
        credits.publish(credits.paidEvent(userId, state(1, `in_${round}`))),
        credits.publish(eventOf(userDeleted, userId, { by: 'admin' }), 'identity.events'),
        ...times(3).map(() => credits.tryCharge(userId)),
        ...['ada', 'grace'].map((reference) =>
          credits.tryCharge(userId, undefined, { reason: 'email_found', reference }),
        ),
      ]);
      expect(await credits.tryCharge(userId)).toBe('credits.user_not_found');
      expect(await rowsLeft(userId)).toEqual([]);
    }
  });
});

describe('when the fact is late', () => {
  it('a read that names a version asks billing, and shows what was paid', async () => {
    const userId = newUser();
    credits.plans.set(userId, state(3, 'in_1'));
    expect(await credits.view(userId)).toMatchObject({ plan: 'free' });
    expect(await credits.view(userId, 3)).toMatchObject({ plan: 'premium', available: 500 });
    const before = credits.asked.length;
    expect(await credits.view(userId, 3)).toMatchObject({ plan: 'premium' });
    expect(credits.asked).toHaveLength(before);
  });

  it('a spend that would be refused asks billing first, and is tried again', async () => {
    const userId = newUser();
    for (const _ of times(20)) await credits.spend(userId);
    credits.plans.set(userId, state(1, 'in_1'));
    const results = await Promise.all(times(5).map(() => credits.tryCharge(userId)));
    expect(results.map((result) => (typeof result === 'object' ? result.limit : result))).toEqual(
      times(5).map(() => 500),
    );
    expect(await credits.windows(userId)).toMatchObject([{ used: 20 }, { used: 5 }]);
    await credits.publish(credits.paidEvent(userId, state(1, 'in_1')));
    expect((await credits.view(userId)).used).toBe(5);
  });

  it('a spend is refused with 402 when billing knows of nothing new', async () => {
    const userId = newUser();
    for (const _ of times(20)) await credits.spend(userId);
    expect(await credits.tryCharge(userId)).toBe('credits.balance_too_low');
    expect(credits.asked).toContain(userId);
  });
});

describe('broker down', () => {
  it('H7: what is published while nobody hears is heard afterwards, in order', async () => {
    const userId = newUser();
    credits.bus.hold();
    for (const version of [1, 2]) {
      const event = credits.paidEvent(userId, state(version, `in_${version}`));
      await credits.bus.publish('billing.events', [{ key: userId, value: JSON.stringify(event) }]);
    }
    credits.time.set(new Date(START.getTime() + DAY));
    expect(await credits.tryCharge(userId)).toEqual({ used: 1, available: 19, limit: 20 });
    await credits.bus.release();
    await until('Premium', async () => (await credits.view(userId)).plan === 'premium');
    expect(await credits.windows(userId)).toMatchObject([
      { plan: 'free', used: 1 },
      {},
      { source_key: 'in_2' },
    ]);
  });

  it('H5: what cannot be read is parked with the cause, and the facts behind it are heard', async () => {
    const userId = newUser();
    const broken = { ...credits.paidEvent(userId, state(1, 'in_1')), data: { nothing: true } };
    await credits.bus.publish('billing.events', [{ key: userId, value: JSON.stringify(broken) }]);
    await credits.publish(credits.paidEvent(userId, state(2, 'in_2')));
    const [dead] = credits.bus.published('credits.dead');
    expect(dead?.headers).toMatchObject({ topic: 'billing.events', cause: /required/ });
    expect(await credits.view(userId)).toMatchObject({ plan: 'premium' });
  });
});
