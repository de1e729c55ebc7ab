// A period is the viewer's own: this week begins on Monday, this month on the first, this year in January, at midnight where the
// viewer is. Days and months differ in length (short months, clock changes), so each bucket's start is found by itself.
import type { EarningsPeriod } from '@shortlist/contracts/api/public';

export type Buckets = { starts: Date[]; end: Date };
type Day = { year: number; month: number; day: number };

type WallClock = (at: Date) => Record<string, number>;

/** What a clock on the wall shows there. Made once for many moments: the formatter is dear. */
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
 * The instant at which the day begins there. Asked twice, because the first guess may lie across a clock change; where clocks go
 * forward at midnight there is no midnight, and the day begins with the later of the two.
 */
const startOfDay = (wallClock: WallClock, { year, month, day }: Day): Date => {
  const wanted = Date.UTC(year, month - 1, day);
  const behind = (at: number): number => wanted - asUtc(wallClock(new Date(at)));
  const first = wanted + behind(wanted);
  const second = first + behind(first);
  return new Date(behind(second) === 0 ? second : Math.max(first, second));
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
  const starts = daysOf(period, { year, month, day }).map((one) => startOfDay(wallClock, one));
  const end = starts.pop() ?? now;
  return { starts, end };
};
