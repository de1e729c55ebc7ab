// The periods of a report: days of the calendar in the viewer's time zone, which differ in length where clocks change; the steps into which they are
// divided, weeks from Monday and months, the first and the last cut at the ends of the range; and what they are compared with.
import type { Comparison, RevenueStep } from '@shortlist/contracts/api/revenue';
import { dayOf, days } from '@shortlist/contracts/durations';
import { type Day, startOfDay, wallClockIn } from './calendar.rules.ts';

/** Both days inclusive, as YYYY-MM-DD. */
export type DayRange = { from: string; to: string };

const utc = (day: string): Date => new Date(`${day}T00:00:00Z`);
const textOf = (time: number): string => dayOf(new Date(time));

const toDay = (date: Date): Day => ({
  year: date.getUTCFullYear(),
  month: date.getUTCMonth() + 1,
  day: date.getUTCDate(),
});

const shiftDays = (day: string, count: number): string => textOf(utc(day).getTime() + days(count));

const lastDayOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The same day of another month, or that month's last. */
const shiftMonths = (date: string, count: number): string => {
  const { year, month, day } = toDay(utc(date));
  const first = new Date(Date.UTC(year, month - 1 + count, 1));
  const { year: inYear, month: inMonth } = toDay(first);
  return textOf(Date.UTC(inYear, inMonth - 1, Math.min(day, lastDayOf(inYear, inMonth))));
};

/** The number of days in a range; 0 or less if it ends before it begins. */
export const lengthOf = ({ from, to }: DayRange): number =>
  (utc(to).getTime() - utc(from).getTime()) / days(1) + 1;

const isMonthEnd = (date: string): boolean => {
  const { year, month, day } = toDay(utc(date));
  return day === lastDayOf(year, month);
};

const monthsIn = ({ from, to }: DayRange): number => {
  const [first, last] = [toDay(utc(from)), toDay(utc(to))];
  return (last.year - first.year) * 12 + last.month - first.month + 1;
};

/** Whole months are compared with whole months. */
const shiftRange = ({ from, to }: DayRange, months: number): DayRange => {
  const shifted = { from: shiftMonths(from, months), to: shiftMonths(to, months) };
  const { year, month } = toDay(utc(shifted.to));
  return isMonthEnd(to) && from.endsWith('-01')
    ? { ...shifted, to: textOf(Date.UTC(year, month - 1, lastDayOf(year, month))) }
    : shifted;
};

/**
 * What a range is compared with; null for nothing. A range that begins with a month is compared with the same days of the months before, any
 * other with as many days before it.
 */
export const comparedWith = (range: DayRange, comparison: Comparison): DayRange | null => {
  if (comparison === 'none') return null;
  if (comparison === 'year') return shiftRange(range, -12);
  if (range.from.endsWith('-01')) return shiftRange(range, -monthsIn(range));
  const count = lengthOf(range);
  return { from: shiftDays(range.from, -count), to: shiftDays(range.from, -1) };
};

/** The first day of the next step. */
const nextStep = (date: string, step: RevenueStep): string => {
  const { year, month, day } = toDay(utc(date));
  if (step === 'month') return textOf(Date.UTC(year, month, 1));
  if (step === 'day') return textOf(Date.UTC(year, month - 1, day + 1));
  return shiftDays(date, 7 - ((utc(date).getUTCDay() + 6) % 7));
};

/** The instants at which the steps of a range begin, and at last the one at which it ends; fewer than all if there are more than `max`. */
export const boundariesOf = (
  range: DayRange,
  { step, timeZone, max }: { step: RevenueStep | 'range'; timeZone: string; max: number },
): Date[] => {
  const wallClock = wallClockIn(timeZone);
  const end = shiftDays(range.to, 1);
  const starts: string[] = [];
  for (let day = range.from; day < end && starts.length <= max;)
    day = (starts.push(day), step === 'range' ? end : nextStep(day, step));
  return [...starts, end].map((day) => startOfDay(wallClock, toDay(utc(day))));
};
