// The months of the plan, without the schemas of plan.ts, so that pages count them too.
import { hours, monthsAfter } from './durations.ts';
import { GRANT_MONTHS_MAX, PLAN_MONTHS } from './limits.ts';

/** The end of a month of the plan that begins then. */
export const nextMonth = (from: Date): Date => monthsAfter(from, PLAN_MONTHS);

/** How many months of a grant begin before its end; one more than GRANT_MONTHS_MAX stands for any that are too many. */
export const grantMonths = (start: Date, end: Date): number => {
  let months = 1;
  while (months <= GRANT_MONTHS_MAX && monthsAfter(start, months) < end) months += 1;
  return months;
};

/**
 * A grant does not begin a month, with its credits, for less than this. The day on which a month ends is the last day of that month, though the
 * admin's day ends later, in 25 hours at most, and though the admin's clock may be ahead.
 */
const LAST_DAY_MS = hours(25);

/**
 * The end of a grant: `until`, or the end of a month that is on the same day; without it, a month from `now`. Null if `until` is past, or after
 * the last day of GRANT_MONTHS_MAX.
 */
export const grantEndAt = (until: string | undefined, now: Date): Date | null => {
  if (until === undefined) return nextMonth(now);
  const end = new Date(until);
  if (end <= now) return null;
  const months = grantMonths(now, end);
  const lastStart = monthsAfter(now, months - 1);
  if (months > 1 && end.getTime() - lastStart.getTime() < LAST_DAY_MS) return lastStart;
  return months > GRANT_MONTHS_MAX ? null : end;
};
