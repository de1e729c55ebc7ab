// A period is the current week (from Monday), month or year in the viewer's time zone. Days and months differ in length (short
// months, clock changes), so each bucket's start is computed on its own.
import type { EarningsPeriod, EarningsSums } from '@shortlist/contracts/api/billing';

export type Buckets = { starts: Date[]; end: Date };
type Day = { year: number; month: number; day: number };

type WallClock = (at: Date) => Record<string, number>;

/** Returns a function that gives the local date and time of an instant. One formatter serves all instants: creating one is slow. */
const wallClockIn = (timeZone: string): WallClock => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) =>
    Object.fromEntries(
      format
        .formatToParts(at)
        .filter(({ type }) => type !== 'literal')
        .map(({ type, value }) => [type, Number(value)]),
    );
};

const asUtc = ({
  year = 0,
  month = 1,
  day = 1,
  hour = 0,
  minute = 0,
  second = 0,
}: Record<string, number>): number => Date.UTC(year, month - 1, day, hour, minute, second);

/**
 * The instant at which a day begins in the time zone. Computed twice, because the first result may be on the other side of a clock change. If
 * clocks go forward at midnight, there is no midnight, and the day begins at the later of the two results.
 */
const startOfDay = (wallClock: WallClock, { year, month, day }: Day): Date => {
  const midnight = Date.UTC(year, month - 1, day);
  const offset = (at: number): number => midnight - asUtc(wallClock(new Date(at)));
  const first = midnight + offset(midnight);
  const second = first + offset(first);
  return new Date(offset(second) === 0 ? second : Math.max(first, second));
};

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
