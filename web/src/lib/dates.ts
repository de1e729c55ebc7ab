import { dayOf } from '@shortlist/contracts/durations';
import { PLAN_MONTHS } from '@shortlist/contracts/limits';
import { LOCALE } from '@shortlist/contracts/messages';

/** The current time in milliseconds. No other module reads the clock. */
// eslint-disable-next-line house/no-now -- a browser has no entry point that could pass a clock to every screen
export const now = (): number => Date.now();

const LONG = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long' });

const TIME = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });

/** November 20, 2026 at 9:41 AM */
export const longDate = (iso: string | Date): string => LONG.format(new Date(iso));
/** November 20, 2026 */
export const longDay = (iso: string | Date): string => DAY.format(new Date(iso));

/** 9:41 AM */
export const timeOfDay = (iso: string): string => TIME.format(new Date(iso));

const DAY_OF_YEAR = new Intl.DateTimeFormat(LOCALE, { month: 'long', day: 'numeric' });

/** November 20 */
export const dayOfYear = (iso: string): string => DAY_OF_YEAR.format(new Date(iso));

const UTC_DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' });

/** A day in UTC, as YYYY-MM-DD: November 20, 2026 */
export const utcDay = (day: string): string => UTC_DAY.format(new Date(day));

const UTC_DAY_SHORT = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A day in UTC, as YYYY-MM-DD: Nov 20 */
export const utcDayShort = (day: string): string => UTC_DAY_SHORT.format(new Date(day));

/** The current day in UTC, as YYYY-MM-DD. */
export const utcToday = (): string => dayOf(new Date(now()));

const SHORT = new Intl.DateTimeFormat(LOCALE, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** Nov 20, 9:41 AM */
export const shortTime = (iso: string): string => SHORT.format(new Date(iso));

const two = (figure: number): string => String(figure).padStart(2, '0');

/** 2026-11-20, in the viewer's time zone. */
export const tableDate = (iso: string | Date): string => {
  const date = new Date(iso);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

/** 2026-11-20 09:41:07, in the viewer's time zone. */
export const tableTime = (iso: string): string => {
  const date = new Date(iso);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${tableDate(date)} ${time}`;
};

/** The same time one month later, or on the last day of a shorter month. */
export const oneMonthAfter = (iso: string): Date => {
  const date = new Date(iso);
  const day = date.getDate();
  date.setDate(1);
  date.setMonth(date.getMonth() + PLAN_MONTHS);
  const lastDay = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
  date.setDate(Math.min(day, lastDay));
  return date;
};

export const daysAfter = (iso: string, days: number): Date => {
  const date = new Date(iso);
  date.setDate(date.getDate() + days);
  return date;
};
