// Days of the calendar, as YYYY-MM-DD: they have no time zone, so each day has the same length.
import { dayOf, days } from '@shortlist/contracts/durations';

/** The first and the last day. */
export type Days = { from: string; to: string };

const DAY = /^2\d{3}-\d\d-\d\d$/;

export const addDays = (day: string, count: number): string => dayOf(new Date(Date.parse(day) + days(count)));

/** The first day of the month of `day`, or of a month before or after it. */
export const monthStart = (day: string, months = 0): string => {
  const date = new Date(day);
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  return dayOf(date);
};

/** The day; undefined for text that is no day. */
const dayIn = (text: string | null): string | undefined =>
  text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text
    ? text
    : undefined;

/** Two days in whichever order they were entered. */
export const dayRange = (one: string | null, other: string | null): Partial<Days> => {
  const [first, last] = [dayIn(one), dayIn(other)];
  const isReversed = first !== undefined && last !== undefined && first > last;
  const [from, to] = isReversed ? [last, first] : [first, last];
  return { ...(from && { from }), ...(to && { to }) };
};

export const countDays = ({ from, to }: Days): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / days(1)) + 1;
