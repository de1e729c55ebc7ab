// A period is the current week (from Monday), month or year in the viewer's time zone. Days and months differ in length (short
// months, clock changes), so each bucket's start is computed on its own.
import type { EarningsPeriod, EarningsSums } from '@shortlist/contracts/api/billing';
import { type Day, startOfDay, wallClockIn } from '../revenue/calendar.rules.ts';

export type Buckets = { starts: Date[]; end: Date };

const daysFrom = ({ year, month, day }: Day, count: number): Day[] =>
  Array.from({ length: count }, (_, index) => ({ year, month, day: day + index }));

const daysOf = (period: EarningsPeriod, today: Day): Day[] => {
  if (period === 'year')
    return Array.from({ length: 13 }, (_, index) => ({ year: today.year, month: index + 1, day: 1 }));
  if (period === 'month') {
    const length = new Date(Date.UTC(today.year, today.month, 0)).getUTCDate();
    return daysFrom({ ...today, day: 1 }, length + 1);
  }
  const weekday = (new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay() + 6) % 7;
  return daysFrom({ ...today, day: today.day - weekday }, 8);
};

/** The starts of a period's buckets around `now`, days or (for a year) months, and the end of the last. */
export const bucketsOf = (
  period: EarningsPeriod,
  { now, timeZone }: { now: Date; timeZone: string },
): Buckets => {
  const wallClock = wallClockIn(timeZone);
  const { year = 0, month = 1, day = 1 } = wallClock(now);
  const starts = daysOf(period, { year, month, day }).map((date) => startOfDay(wallClock, date));
  const end = starts.pop() ?? now;
  return { starts, end };
};

// Sums of different currencies are never added. The view shows the buckets of one currency; every other currency has its own totals. A fee may
// be in another currency than its payment, after a conversion by Stripe.
/** Sums of one bucket in one currency. Buckets count from 0, and a bucket may have several rows. */
export type BucketSums = EarningsSums & { bucket: number; currency: string };

export const addUp = (rows: EarningsSums[]): EarningsSums => ({
  earnings: rows.reduce((total, { earnings }) => total + earnings, 0),
  expenses: rows.reduce((total, { expenses }) => total + expenses, 0),
  tax: rows.reduce((total, { tax }) => total + tax, 0),
});

/** The sums of one currency by bucket; 0 for a bucket without rows. */
export const inCurrency = (rows: BucketSums[], currency: string, buckets: number): EarningsSums[] =>
  Array.from({ length: buckets }, (_, index) =>
    addUp(rows.filter((row) => row.currency === currency && row.bucket === index)),
  );

/** The totals of every other currency, by its code. */
export const inOtherCurrencies = (
  rows: BucketSums[],
  currency: string,
): (EarningsSums & { currency: string })[] => {
  const codes = new Set(rows.map((row) => row.currency));
  codes.delete(currency);
  return [...codes]
    .toSorted()
    .map((code) => ({ currency: code, ...addUp(rows.filter((row) => row.currency === code)) }))
    .filter(({ earnings, expenses, tax }) => earnings !== 0 || expenses !== 0 || tax !== 0);
};
