// The instants at which days begin in a time zone.

/** A month or a day beyond the last one is of the next year or month. */
export type Day = { year: number; month: number; day: number };

type WallClock = (at: Date) => Record<string, number>;

/** Returns a function that gives the local date and time of an instant. One formatter serves all instants: creating one is slow. */
export const wallClockIn = (timeZone: string): WallClock => {
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
export const startOfDay = (wallClock: WallClock, { year, month, day }: Day): Date => {
  const midnight = Date.UTC(year, month - 1, day);
  const offset = (at: number): number => midnight - asUtc(wallClock(new Date(at)));
  const first = midnight + offset(midnight);
  const second = first + offset(first);
  return new Date(offset(second) === 0 ? second : Math.max(first, second));
};
