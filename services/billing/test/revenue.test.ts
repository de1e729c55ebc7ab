import { type RevenueFigures, revenueEndpoints } from '@shortlist/contracts/api/revenue';
import { days, hours, minutes } from '@shortlist/contracts/durations';
import { countRowsRead, countStatements } from '@shortlist/kit/testing/databases';
import { isLongRun, randomFrom, seed } from '@shortlist/kit/testing/sample';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { reconcile } from '../src/reconcile/reconcile.ts';
import { compareBalance } from '../src/revenue/check-revenue.ts';
import { addToSums } from '../src/revenue/movement-queries.ts';
import { boundariesOf } from '../src/revenue/period.rules.ts';
import { recordPage } from '../src/revenue/record-movements.ts';
import { listEntries, listSubscribers, sumPeriods } from '../src/revenue/report-queries.ts';
import { type Billing, GOOD_CARD, LATER_BAD_CARD, openBilling, times } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

/** In a long run, a year of 2,000 subscribers. */
const [MONTHS, NEW_SUBSCRIBERS] = isLongRun ? [12, 168] : [6, 3];

const MARCH = { from: '2026-03-01', to: '2026-03-31' };

const revenue = async (range = MARCH, compare: 'previous' | 'year' | 'none' = 'none') =>
  (await billing.call(revenueEndpoints.getRevenue, { ...range, compare }, billing.asAdmin)).data;
const figures = async (range = MARCH): Promise<RevenueFigures> => (await revenue(range)).current;

/** The sums that are not 0, as amount and count. */
const sums = async (range = MARCH): Promise<Record<string, string>> =>
  Object.fromEntries(
    Object.entries((await figures(range)).sums)
      .filter(([, { amount, count }]) => amount !== 0 || count !== 0)
      .map(([kind, { amount, count }]) => [kind, `${amount} ${count}`]),
  );

/** The sums as the movements themselves say. */
const storedSums = () =>
  billing.db.query<{ kind: string; amount: string; count: string }[]>(
    'SELECT kind, SUM(amount) AS amount, SUM(count) AS count FROM revenue_movements GROUP BY kind ORDER BY kind',
  );
const addedSums = (unit: 'day' | 'three_hours' | 'quarter') =>
  billing.db.query<{ kind: string; amount: string; count: string }[]>(
    'SELECT kind, SUM(amount) AS amount, SUM(count) AS count FROM revenue_sums WHERE unit = ? GROUP BY kind ORDER BY kind',
    [unit],
  );
const refund = (invoice: string, amount?: number) =>
  billing.sandbox.control('POST', `/invoices/${invoice}/refund`, amount === undefined ? {} : { amount });

describe('a payment', () => {
  it('is new MRR, a subscriber and money with its fee, once however often it is read', async () => {
    const { userId } = await billing.subscribe();
    await Promise.all(times(4).map(() => billing.reconcile()));
    expect(await sums()).toEqual({ new: '5900 1', payment: '5900 1', fee: '-201 1' });
    expect(await figures()).toMatchObject({
      mrrAtStart: 0,
      mrr: 5_900,
      subscribersAtStart: 0,
      subscribers: 1,
    });
    const { data, next } = await billing.call(
      revenueEndpoints.listRevenueEntries,
      { ...MARCH, kind: 'new' },
      billing.asAdmin,
    );
    expect(data).toMatchObject([
      { user: { id: userId, name: 'Ada Lovelace' }, amount: 5_900, invoiceId: null },
    ]);
    expect(next).toBeNull();
  });

  it('leads to its invoice, and its subscriber is listed', async () => {
    const { userId, invoice } = await billing.subscribe();
    const { data } = await billing.call(
      revenueEndpoints.listRevenueEntries,
      { ...MARCH, kind: 'payment' },
      billing.asAdmin,
    );
    expect(data).toMatchObject([{ user: { id: userId }, invoiceId: invoice }]);
    const subscribers = await billing.call(revenueEndpoints.listSubscribers, {}, billing.asAdmin);
    expect(subscribers.data).toEqual([
      { user: { id: userId, name: 'Ada Lovelace', email: `${userId}@people.test` }, mrr: 5_900 },
    ]);
  });

  it('of a granted plan or a pack is no MRR', async () => {
    const userId = await billing.register();
    await billing.grant(userId);
    const sessionId = billing.sessionIn((await billing.openPackCheckout(userId)).url);
    await billing.pay(sessionId);
    await billing.confirmPack(userId, sessionId);
    await billing.reconcile();
    expect(await sums()).toMatchObject({ pack: '1900 1' });
    expect(await figures()).toMatchObject({ mrr: 0, subscribers: 0 });
  });

  it('that a discount paid in full is no MRR and no money', async () => {
    const userId = await billing.register();
    const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
    await billing.pay(sessionId, GOOD_CARD, 100);
    await billing.confirm(userId, sessionId);
    expect((await billing.stateOf(userId)).plan).toBe('premium');
    expect(await sums()).toEqual({});
  });
});

describe('an end', () => {
  it('now is churn, and a new subscription reactivates the subscriber', async () => {
    const { userId } = await billing.subscribe();
    await billing.advance(days(3));
    await billing.revoke(userId);
    expect(await sums()).toMatchObject({ new: '5900 1', churned: '-5900 1' });
    expect(await figures()).toMatchObject({ mrr: 0, subscribers: 0 });
    await billing.advance(days(3));
    await billing.subscribe(userId);
    expect(await sums()).toMatchObject({ new: '5900 1', churned: '-5900 1', reactivated: '5900 1' });
    expect((await figures()).subscribers).toBe(1);
  });

  it('for the end of the period is churn only then', async () => {
    const { userId } = await billing.subscribe();
    await billing.revoke(userId, { when: 'period_end' });
    await billing.reconcile();
    expect(await sums()).not.toHaveProperty('churned');
    await billing.advance(days(31) + hours(1));
    await billing.reconcile();
    expect(await sums({ from: '2026-04-01', to: '2026-04-30' })).toEqual({ churned: '-5900 1' });
  });

  it('by a renewal that fails comes after the grace, although a grant keeps the user premium', async () => {
    const { userId } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(days(31) + hours(1));
    await billing.reconcile();
    const april = { from: '2026-04-01', to: '2026-04-30' };
    expect(await sums(april)).toEqual({ failed_renewal: '5900 1' });
    expect((await figures(april)).mrr).toBe(5_900);
    // A grant moves the end of the plan, so nothing else is due for the user at the end of the grace.
    await billing.db.query('UPDATE subscribers SET granted = ? WHERE user_id = ?', [
      JSON.stringify({
        key: 'grant:1',
        start: '2026-04-02T00:00:00.000Z',
        end: '2026-05-02T00:00:00.000Z',
        graceUntil: null,
      }),
      userId,
    ]);
    await billing.advance(days(7));
    await recordPage(billing, '');
    expect(await sums(april)).toMatchObject({ churned: '-5900 1' });
    expect(await billing.call(revenueEndpoints.listSubscribers, {}, billing.asAdmin)).toMatchObject({
      data: [],
    });
  });

  it('of a deleted user is churn, and its entries name nobody', async () => {
    const { userId } = await billing.subscribe();
    await billing.register(userId);
    await billing.advance(hours(1));
    await billing.remove(userId);
    await billing.reconcile();
    expect(await sums()).toMatchObject({ new: '5900 1', churned: '-5900 1' });
    const { data } = await billing.call(
      revenueEndpoints.listRevenueEntries,
      { ...MARCH, kind: 'churned' },
      billing.asAdmin,
    );
    expect(data).toMatchObject([{ user: { id: userId, name: '', email: '' } }]);
  });
});

describe('money', () => {
  it('of a partial refund lowers cash and no MRR; the rest ends the subscription', async () => {
    const { invoice } = await billing.subscribe();
    await refund(invoice, 1_000);
    await billing.reconcile();
    expect(await sums()).toMatchObject({ refund: '-1000 1' });
    expect((await figures()).mrr).toBe(5_900);
    await billing.advance(hours(1));
    await refund(invoice);
    await billing.reconcile();
    expect(await sums()).toMatchObject({ refund: '-5900 2', churned: '-5900 1' });
  });

  it('that is recorded by several at once is in the sums as often as in the movements', async () => {
    const paid = await Promise.all(times(8).map(() => billing.subscribe()));
    for (const { invoice } of paid.slice(0, 4)) await refund(invoice, 700);
    await Promise.all([billing.reconcile(), billing.reconcile(), recordPage(billing, '')]);
    const stored = await storedSums();
    expect(stored).toMatchObject([
      { kind: 'fee', count: '8' },
      { kind: 'new', amount: '47200', count: '8' },
      { kind: 'payment', count: '8' },
      { kind: 'refund', amount: '-2800', count: '4' },
    ]);
    expect(await addedSums('day')).toEqual(stored);
    expect(await addedSums('quarter')).toEqual(stored);
    expect(await addedSums('three_hours')).toEqual(stored);
  });

  it('of users from before movements were is recorded once, by however many at once', async () => {
    for (const _ of times(6)) await billing.subscribe();
    const before = await storedSums();
    for (const table of ['movements', 'sums', 'cohorts'])
      await billing.db.query(`DELETE FROM revenue_${table}`);
    await Promise.all(times(4).map(() => recordPage(billing, '')));
    expect(await storedSums()).toEqual(before);
    expect(await addedSums('day')).toEqual(before);
    expect((await billing.call(revenueEndpoints.listRetention, {}, billing.asAdmin)).data).toMatchObject([
      { people: 6 },
    ]);
  });

  it('that cannot be recorded of one user keeps reconciliation from no other', async () => {
    for (const _ of times(3)) await billing.subscribe();
    const before = await storedSums();
    const [failing] = await billing.db.query<{ user_id: string }[]>(
      'SELECT user_id FROM revenue_movements LIMIT 1',
    );
    for (const table of ['movements', 'sums', 'cohorts'])
      await billing.db.query(`DELETE FROM revenue_${table}`);
    await billing.db.query(`CREATE TRIGGER refusing BEFORE INSERT ON revenue_movements FOR EACH ROW
      IF NEW.user_id = '${failing?.user_id}' THEN SIGNAL SQLSTATE '45000'; END IF`);
    expect(await billing.reconcile()).toMatchObject({ failed: 2 });
    expect(await storedSums()).toMatchObject([
      { kind: 'fee', count: '2' },
      { kind: 'new', count: '2' },
      { kind: 'payment', count: '2' },
    ]);
    await billing.db.query('DROP TRIGGER refusing');
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
    expect(await storedSums()).toEqual(before);
  });

  it(
    `of every month is the same as in the balance at Stripe, and a difference is seen (seed ${seed})`,
    async () => {
      const random = randomFrom(seed);
      const users: { userId: string; invoice: string }[] = [];
      const anyone = () => users[Math.floor(random() * users.length)] ?? { userId: '', invoice: '' };
      for (const month of times(MONTHS)) {
        for (const _ of times(NEW_SUBSCRIBERS))
          users.push(await billing.subscribe(undefined, random() < 0.4 ? LATER_BAD_CARD : GOOD_CARD));
        await billing.advance(hours(1));
        await refund(users.at(-1)?.invoice ?? '', 500 + month);
        for (const _ of times(NEW_SUBSCRIBERS / 3)) {
          await billing.revoke(anyone().userId);
          if (random() < 0.5) await billing.sandbox.control('POST', `/invoices/${anyone().invoice}/dispute`);
        }
        await billing.advance(days(30));
        await reconcile(billing); // not over HTTP, because all renewals of a month come at once
      }
      // Each run reads some pages of the lists, in which disputes are found whose events are older than Stripe keeps them.
      for (const _ of times(10)) await reconcile(billing);
      const since = new Date('2026-01-01');
      const { months } = await compareBalance(billing, since);
      expect(months.length).toBeGreaterThan(MONTHS - 2);
      for (const { month, here, atStripe } of months)
        expect({ month, net: here }).toEqual({ month, net: atStripe });
      const stored = await storedSums();
      expect(stored.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['churned', 'refund', 'failed_renewal']),
      );
      expect(await addedSums('day')).toEqual(stored);
      await billing.db.query("DELETE FROM revenue_movements WHERE kind = 'payment' LIMIT 1");
      const after = await compareBalance(billing, since);
      expect(after.months.filter(({ here, atStripe }) => here !== atStripe)).toHaveLength(1);
      // What is missing comes back from the records.
      await recordPage(billing, '');
      expect((await compareBalance(billing, since)).months).toEqual(months);
    },
    minutes(isLongRun ? 40 : 2),
  );
});

describe('a report', () => {
  it('divides a range by days of the time zone, and its periods add up to it', async () => {
    await billing.subscribe();
    await billing.advance(hours(13)); // the next day in UTC, still the same day in New York
    await billing.subscribe();
    const zones = { UTC: [1, 1], 'America/New_York': [2, 0], 'Asia/Kathmandu': [1, 1] };
    for (const [timeZone, counts] of Object.entries(zones)) {
      const range = { from: '2026-03-01', to: '2026-03-02', timeZone };
      const { data } = await billing.call(
        revenueEndpoints.listRevenue,
        { ...range, step: 'day' },
        billing.asAdmin,
      );
      expect({ timeZone, counts: data.periods.map(({ sums: { new: sum } }) => sum.count) }).toEqual({
        timeZone,
        counts,
      });
      expect((await revenue(range)).current.mrr).toBe(11_800);
      expect(data.periods.at(-1)?.mrr).toBe(11_800);
    }
  });

  it('counts each quarter hour in its period, wherever in a UTC day the periods begin and whenever clocks change', async () => {
    const begin = Date.parse('2026-03-20T00:00:00Z');
    const movements = times(96 * 20).map((_, index) => ({
      ...({ kind: 'payment', currency: 'usd', source: '', invoiceId: null } as const),
      ...{ amount: 1 + ((index * 7_919) % 1_009), count: 1, movedAt: new Date(begin + minutes(15 * index)) },
    }));
    await addToSums(billing.db.manager, movements);
    const between = (from: string, to: string): number =>
      movements
        .filter(({ movedAt }) => movedAt >= new Date(from) && movedAt < new Date(to))
        .reduce((sum, { amount }) => sum + amount, 0);
    const zones = ['UTC', 'Europe/London', 'America/New_York', 'Australia/Lord_Howe'];
    zones.push(
      'Asia/Kathmandu',
      'Asia/Kolkata',
      'Pacific/Auckland',
      'Pacific/Marquesas',
      'Pacific/Kiritimati',
    );
    for (const timeZone of zones)
      for (const step of ['day', 'week'] as const) {
        const input = { from: '2026-03-22', to: '2026-04-06', timeZone, step };
        const { data } = await billing.call(revenueEndpoints.listRevenue, input, billing.asAdmin);
        const shown = data.periods.map(({ sums: { payment } }) => payment.amount);
        expect({ timeZone, shown }).toEqual({
          timeZone,
          shown: data.periods.map(({ from, to }) => between(from, to)),
        });
      }
  });

  it('lists a period of long ago, and the subscribers, without reading what is newer', async () => {
    const { db } = billing;
    const ids = times(4_000).map(() => uuidv7());
    const rows = ids.flatMap((userId, index) =>
      (['new', 'payment'] as const).map((kind) => [
        ...[userId, kind, 'usd', 5_900, 1, new Date(Date.parse('2026-01-01') + hours(index)), '', new Date()],
      ]),
    );
    const columns = 'user_id, kind, currency, amount, count, moved_at, source, recorded_at';
    await db.query(`INSERT INTO revenue_movements (${columns}) VALUES ?`, [rows]);
    await db.query('ANALYZE TABLE revenue_movements');
    // A third is newer, and most of the rest is in the period: estimates alone do not tell where to begin.
    const to = new Date(Date.parse('2026-01-01') + hours(2_500));
    const period = { kind: 'payment', currency: 'usd', from: new Date('2026-01-01'), to } as const;
    const MOST = 150; // with those of the measurement
    const old = await countRowsRead(db, (tx) => listEntries(tx, { ...period, cursor: undefined }, 10));
    expect(old.result.data.map(({ user }) => user.id)).toEqual(ids.slice(2_490, 2_500).toReversed());
    expect(old.rowsRead).toBeLessThan(MOST);
    const cursor = old.result.next ?? '';
    const next = await countRowsRead(db, (tx) => listEntries(tx, { ...period, cursor }, 10));
    expect(next.result.data.map(({ user }) => user.id)).toEqual(ids.slice(2_480, 2_490).toReversed());
    expect(next.rowsRead).toBeLessThan(MOST);
    const subscribers = await countRowsRead(db, (tx) =>
      listSubscribers(tx, { currency: 'usd', cursor: ids[200] }, 10),
    );
    expect(subscribers.result.data.map(({ user }) => user.id)).toEqual(ids.slice(201, 211));
    expect(subscribers.rowsRead).toBeLessThan(MOST);
  });

  it('of a year by day reads the sums of whole days, and four more of each day in India', async () => {
    const movements = times(96 * 400).map((_, index) => ({
      ...({ kind: 'payment', currency: 'usd', source: '', invoiceId: null } as const),
      ...{ amount: 1, count: 1, movedAt: new Date(Date.parse('2025-01-01') + minutes(15 * index)) },
    }));
    for (let from = 0; from < movements.length; from += 2_000)
      await addToSums(billing.db.manager, movements.slice(from, from + 2_000));
    await billing.db.query('ANALYZE TABLE revenue_sums');
    const year = { from: '2025-01-15', to: '2026-01-14' };
    const boundaries = boundariesOf(year, { step: 'day', timeZone: 'Asia/Kolkata', max: 400 });
    const rowsRead = await billing.db.transaction(async (tx) => {
      const readSoFar = async (): Promise<number> => {
        const rows = await tx.query<{ Value: string }[]>(
          "SHOW SESSION STATUS WHERE Variable_name IN ('Handler_read_key', 'Handler_read_next')",
        );
        return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
      };
      const before = await readSoFar();
      const sums = await sumPeriods(tx, 'usd', boundaries);
      expect(sums.reduce((sum, { count }) => sum + count, 0)).toBe(96 * 379);
      return (await readSoFar()) - before;
    });
    // A look-up is a key and what follows it; temporary tables of groups are read, too. Quarter hours alone were 8,400 rows.
    expect(rowsRead).toBeGreaterThan(366 * 4);
    expect(rowsRead).toBeLessThan(366 * 4 * 2 + 4_000);
  });

  it('is compared with the period before, and says how long both are', async () => {
    await billing.subscribe();
    await billing.advance(days(35));
    await billing.reconcile();
    expect(await revenue({ from: '2026-04-01', to: '2026-04-30' }, 'previous')).toMatchObject({
      currencies: ['usd'],
      days: 30,
      daysBefore: 31,
      current: { mrrAtStart: 5_900, subscribers: 1, sums: { new: { count: 0 } } },
      before: { mrrAtStart: 0, mrr: 5_900, sums: { new: { count: 1 } } },
    });
  });

  it('of nothing has figures of 0', async () => {
    expect(await revenue(MARCH, 'year')).toMatchObject({
      currencies: [],
      current: { mrr: 0 },
      before: { mrr: 0 },
    });
    expect(await billing.call(revenueEndpoints.listRetention, {}, billing.asAdmin)).toEqual({ data: [] });
  });

  it('shows who stayed, month by month', async () => {
    const [stays, leaves] = [await billing.subscribe(), await billing.subscribe()];
    await billing.advance(days(32));
    await billing.revoke(leaves.userId);
    await billing.advance(days(30));
    await billing.reconcile();
    const { data } = await billing.call(revenueEndpoints.listRetention, {}, billing.asAdmin);
    expect(data).toEqual([{ month: '2026-03', people: 2, active: [1, 1] }]);
    expect(stays.userId).not.toBe(leaves.userId);
  });

  it('refuses a range that ends before it begins, or has more periods than a year has days', async () => {
    const ask = (from: string, to: string, step: 'day' | 'month') =>
      billing.call(revenueEndpoints.listRevenue, { from, to, step }, billing.asAdmin);
    await expect(ask('2026-03-02', '2026-03-01', 'day')).rejects.toMatchObject({
      code: 'billing.range_reversed',
    });
    await expect(ask('2026-01-01', '2027-06-01', 'day')).rejects.toMatchObject({
      code: 'billing.range_too_long',
    });
    await expect(ask('2026-01-01', '2027-06-01', 'month')).resolves.toMatchObject({
      data: { currency: 'usd' },
    });
  });

  it('is a CSV file with amounts in whole units', async () => {
    await billing.subscribe();
    const token = await billing.sign('billing', billing.asAdmin.caller);
    const query = new URLSearchParams({ ...MARCH, step: 'month' });
    const response = await fetch(`${billing.url}${revenueEndpoints.exportRevenue.path}?${query.toString()}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.headers.get('content-disposition')).toContain('revenue.csv');
    const [header = '', line = ''] = (await response.text()).split('\r\n');
    const names = header.split(',');
    const valueOf = (name: string): string | undefined => line.split(',')[names.indexOf(name)];
    expect(valueOf('MRR at the end')).toBe('59');
    expect(valueOf('fee')).toBe('-2.01');
    expect(valueOf('new (count)')).toBe('1');
  });

  it('takes as many statements for a year as for a day', async () => {
    await billing.subscribe();
    const count = (range: typeof MARCH) => countStatements(billing.db, () => revenue(range));
    const [day, year] = [
      await count({ from: '2026-03-01', to: '2026-03-01' }),
      await count({ from: '2026-01-01', to: '2026-12-31' }),
    ];
    expect(year).toEqual(day);
  });
});
