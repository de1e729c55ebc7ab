import { dayOf } from '@shortlist/contracts/durations';
import { LOCALE } from '@shortlist/contracts/messages';

/** The current time in milliseconds. No other module reads the clock. */
// eslint-disable-next-line house/no-now -- a browser has no entry point that could pass a clock to every screen
export const now = (): number => Date.now();

type Time = string | Date;

const formatOf = (options: Intl.DateTimeFormatOptions): ((time: Time) => string) => {
  const format = new Intl.DateTimeFormat(LOCALE, options);
  return (time) => format.format(new Date(time));
};

const SPAN = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' });

// For users: on every screen, and outside the tables on those of admins.
/** Nov 20, 2026 */
export const shortDay = formatOf({ dateStyle: 'medium' });
/** Nov 20, 2026, 9:41 AM */
export const shortTime = formatOf({ dateStyle: 'medium', timeStyle: 'short' });
/** A day in UTC, as YYYY-MM-DD: Nov 20, 2026 */
export const utcDay = formatOf({ dateStyle: 'medium', timeZone: 'UTC' });
/** Two days, as YYYY-MM-DD: November 1 – 21, 2026 */
export const daySpan = ({ from, to }: { from: string; to: string }): string =>
  SPAN.formatRange(new Date(from), new Date(to));
/** A month in UTC, as YYYY-MM: Nov 2026 */
export const utcMonth = formatOf({ month: 'short', year: 'numeric', timeZone: 'UTC' });
/** 9:41 AM, next to the name of a day, or of the current one */
export const timeOfDay = formatOf({ timeStyle: 'short' });

/** The labels of a chart's time axis, where there is room for one word. */
export const axisDates = {
  /** Mon */
  week: formatOf({ weekday: 'short' }),
  /** 16 */
  month: formatOf({ day: 'numeric' }),
  /** Nov */
  year: formatOf({ month: 'short' }),
  /** Nov 20 */
  day: formatOf({ month: 'short', day: 'numeric' }),
  /** A day in UTC, as YYYY-MM-DD: Nov 20 */
  utcDay: formatOf({ month: 'short', day: 'numeric', timeZone: 'UTC' }),
};

/** The viewer's time zone, in which a service counts days. */
export const currentTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The current day in the viewer's time zone, as YYYY-MM-DD. */
export const localToday = (): string => tableDate(new Date(now()));

/** The start or the end of a day (YYYY-MM-DD) in the viewer's time zone. */
export const dayEdge = (day: string, edge: 'start' | 'end'): string =>
  new Date(`${day}T${edge === 'start' ? '00:00:00.000' : '23:59:59.999'}`).toISOString();

/** The current day in UTC, as YYYY-MM-DD. */
export const utcToday = (): string => dayOf(new Date(now()));

const two = (figure: number): string => String(figure).padStart(2, '0');

// For the tables of admins, in the viewer's time zone.
/** 2026-11 */
export const tableMonth = (time: Time): string => {
  const date = new Date(time);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}`;
};
/** 2026-11-20 */
export const tableDate = (time: Time): string => `${tableMonth(time)}-${two(new Date(time).getDate())}`;
/** 2026-11-20 09:41 */
export const tableTime = (time: Time): string => {
  const date = new Date(time);
  return `${tableDate(date)} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

/** 2026-11-20T09:41, the value of an input for a time in the viewer's time zone */
export const inputTime = (time: Time): string => tableTime(time).replace(' ', 'T');

export const daysAfter = (iso: string, days: number): Date => {
  const date = new Date(iso);
  date.setDate(date.getDate() + days);
  return date;
};
