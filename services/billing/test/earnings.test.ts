import { billingEndpoints, type EarningsPeriod } from '@shortlist/contracts/api/billing';
import { days, hours, seconds } from '@shortlist/contracts/durations';
import { countStatements } from '@shortlist/kit/testing/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Billing, codeOf, openBilling, times } from './support.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago', // clocks go forward at midnight, so one day a year has no midnight
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
];
type Money = { at: Date; amount: number; fee: number };
const payments: Money[] = [];
const refunds: Money[] = [];

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
  const from = Date.UTC(2025, 11, 20);
  for (const index of times(600)) {
    // Spread unevenly over thirteen months, some of it within minutes of midnight in one zone or another.
    const at = new Date(from + days(index * 0.66) + (seconds(index * 7_919) % days(1)));
    payments.push({ at, amount: 5_900 + (index % 3), fee: 201 + (index % 2) });
    if (index % 9 === 0)
      refunds.push({ at: new Date(at.getTime() + hours(1)), amount: 1_000 + index, fee: 0 });
  }
  for (const [index, { at, amount, fee }] of payments.entries()) {
    await billing.db.query(
      "INSERT INTO invoices (invoice_id, user_id, status, amount, currency, fee, booked_at) VALUES (?, ?, 'paid', ?, 'usd', ?, ?)",
      [`in_${index}`, 'u', amount, fee, at],
    );
  }
  for (const [index, { at, amount }] of refunds.entries()) {
    await billing.db.query(
      'INSERT INTO refunds (refund_id, invoice_id, amount, created_at) VALUES (?, ?, ?, ?)',
      [`re_${index}`, `in_${index * 9}`, amount, at],
    );
  }
  await billing.db.query(
    "INSERT INTO invoices (invoice_id, user_id, status, amount, currency, fee, booked_at) VALUES ('in_eur', 'u', 'paid', 999, 'eur', 9, ?), ('in_open', 'u', 'open', 5900, 'usd', 0, NULL)",
    [new Date('2026-03-10T00:00:00Z')],
  );
});
afterAll(() => billing.close());

const formats = new Map<string, Intl.DateTimeFormat>();
const dayOf = new Map<string, string>();
const dayIn = (timeZone: string, at: Date): string => {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  const key = `${timeZone} ${at.getTime()}`;
  const day = dayOf.get(key) ?? format.format(at);
  dayOf.set(key, day);
  return day;
};
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

const mondayOf = (day: string): string => {
  const at = new Date(`${day}T00:00:00Z`);
  return new Date(at.getTime() - days((at.getUTCDay() + 6) % 7)).toISOString().slice(0, 10);
};
/** The period and the bucket of a day, computed from calendar dates alone. */
const PERIODS: Record<EarningsPeriod, { same: (day: string) => string; bucket: (day: string) => string }> = {
  week: { same: mondayOf, bucket: (day) => day },
  month: { same: (day) => day.slice(0, 7), bucket: (day) => day },
  year: { same: (day) => day.slice(0, 4), bucket: (day) => day.slice(0, 7) },
};

describe.each(ZONES)('earnings in the time zone %s', (timeZone) => {
  it.each(['week', 'month', 'year'] as const)(
    'of the %s equal the sum of their buckets and of the payments of each day, to the cent',
    async (period) => {
      for (const now of [
        '2026-03-08T12:00:00Z',
        '2026-04-05T03:30:00Z',
        '2026-09-06T04:30:00Z',
        '2026-10-31T23:59:59Z',
      ]) {
        billing.setTime(new Date(now));
        const { data } = await billing.call(billingEndpoints.earnings, { period, timeZone }, billing.asAdmin);
        const { same, bucket } = PERIODS[period];
        const today = same(dayIn(timeZone, new Date(now)));
        const inBucket = (of: Money[], start: string): Money[] =>
          of.filter(({ at }) => {
            const day = dayIn(timeZone, at);
            return same(day) === today && bucket(day) === bucket(dayIn(timeZone, new Date(start)));
          });
        for (const { start, earnings, expenses } of data.buckets) {
          const paid = inBucket(payments, start);
          expect({ start, earnings }).toEqual({ start, earnings: sum(paid.map(({ amount }) => amount)) });
          const back = inBucket(refunds, start).map(({ amount }) => amount);
          expect(expenses).toBe(sum(paid.map(({ fee }) => fee)) + sum(back));
        }
        expect(data.earnings).toBe(sum(data.buckets.map(({ earnings }) => earnings)));
        expect(data.expenses).toBe(sum(data.buckets.map(({ expenses }) => expenses)));
        const all = payments.filter(({ at }) => same(dayIn(timeZone, at)) === today);
        expect(data.earnings).toBe(sum(all.map(({ amount }) => amount)));
      }
    },
  );
});

describe('earnings', () => {
  it("count Stripe's fees and refunds as expenses", async () => {
    billing.setTime(new Date('2027-05-05T12:00:00Z'));
    const { invoice } = await billing.subscribe();
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`, { amount: 1_000 });
    await billing.reconcile();
    const read = async () =>
      (await billing.call(billingEndpoints.earnings, { period: 'month' }, billing.asAdmin)).data;
    expect(await read()).toMatchObject({ earnings: 5_900, expenses: 1_000 + 201 });
  });

  it('never add sums of different currencies', async () => {
    billing.setTime(new Date('2026-03-20T12:00:00Z'));
    const { data } = await billing.call(billingEndpoints.earnings, { period: 'month' }, billing.asAdmin);
    expect(data.others).toEqual([{ currency: 'eur', earnings: 999, expenses: 9, tax: 0 }]);
  });

  it('J4 need two statements for every period', async () => {
    for (const period of ['week', 'month', 'year'] as const)
      expect(
        await countStatements(billing.db, () =>
          billing.call(billingEndpoints.earnings, { period }, billing.asAdmin),
        ),
      ).toBe(2);
  });

  it('are for admins, and require an existing time zone', async () => {
    const user = billing.asUser(await billing.register());
    expect(await billing.call(billingEndpoints.earnings, { period: 'week' }, user).catch(codeOf)).toBe(
      'session.forbidden',
    );
    const call = billing.call(
      billingEndpoints.earnings,
      { period: 'week', timeZone: 'Mars/Base' },
      billing.asAdmin,
    );
    expect(await call.catch(codeOf)).toBe('request.invalid');
  });
});
