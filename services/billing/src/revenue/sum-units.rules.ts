// Which sums a report reads. Revenue is summed by UTC day, three hours and quarter hour, and time zones differ from UTC by whole quarter hours. Each
// UTC day counts for the period that the nearest start of a day is in. What lies between that start and the instant at which a period really
// begins counts for the other period, so it is moved: by three hours to the instant nearest to it, by quarter hours for the rest, forward or back. In
// India, 5:30 ahead of UTC, those are two sums of three hours less two of quarter hours, where quarter hours alone would be 22.
import { days, hours, minutes, startOf } from '@shortlist/contracts/durations';

/** The lengths of what is summed. */
export const UNITS = { quarter: minutes(15), three_hours: hours(3), day: days(1) } as const;

/** A sum to move to the period before (`sign` 1), or from there (-1). `period`: the index of the boundary. */
export type MovedSum = { period: number; unit: 'quarter' | 'three_hours'; startsAt: Date; sign: 1 | -1 };

const nearestStart = (time: Date, length: number): Date =>
  startOf(new Date(time.getTime() + Math.ceil(length / 2) - 1), length);

/** The start of a UTC day that is nearest to a boundary. */
export const nearestDay = (boundary: Date): Date => nearestStart(boundary, UNITS.day);

const between = (from: Date, to: Date, { unit, period }: Pick<MovedSum, 'unit' | 'period'>): MovedSum[] => {
  const [first, last] = from < to ? [from, to] : [to, from];
  const length = UNITS[unit];
  return Array.from({ length: (last.getTime() - first.getTime()) / length }, (_, index) => ({
    ...{ unit, period },
    startsAt: new Date(first.getTime() + index * length),
    sign: from < to ? 1 : -1,
  }));
};

export const sumsToMove = (boundary: Date, period: number): MovedSum[] => {
  const near = nearestStart(boundary, UNITS.three_hours);
  return [
    ...between(nearestDay(boundary), near, { unit: 'three_hours', period }),
    ...between(near, boundary, { unit: 'quarter', period }),
  ];
};

/** As the database writes a time, in UTC and whole seconds. */
export const inDateTime = (time: Date): string => time.toISOString().slice(0, 19).replace('T', ' ');
