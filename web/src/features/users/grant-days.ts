// An admin grants Premium until the end of a day in their own time zone, from today to a month from now. The last of these days ends within
// the month only at the present time of day, so that it stands for the whole month, which the server counts.
import { dayEdge, oneMonthAfter, tableDate } from '../../lib/dates.ts';

/** The first and the last day of a grant, as YYYY-MM-DD. */
export const grantDays = (now: number): { first: string; last: string } => ({
  first: tableDate(new Date(now)),
  last: tableDate(oneMonthAfter(new Date(now).toISOString())),
});

/** What the server gets as the end of a grant; nothing for the last possible day. */
export const grantEnd = (day: string, last: string): { until?: string } =>
  day === last ? {} : { until: dayEdge(day, 'end') };
