// A usage report covers days in UTC. Without `to` it ends with the current day; without `from` it has USAGE_DAYS days. It has USAGE_DAYS_MAX
// days at most, since it reads every entry in them.
import { dayOf, days } from '@shortlist/contracts/durations';
import { USAGE_DAYS, USAGE_DAYS_MAX } from '@shortlist/contracts/limits';
import type { DayRange } from '@shortlist/contracts/schemas/validation';

export type UsagePeriod = { start: Date; end: Date };

/** The period of a report, `end` excluded, or null when it is too long. */
export const usagePeriod = ({ from, to }: DayRange, now: Date): UsagePeriod | null => {
  const end = new Date(Date.parse(to ?? dayOf(now)) + days(1));
  const start = from === undefined ? new Date(end.getTime() - days(USAGE_DAYS)) : new Date(from);
  return end.getTime() - start.getTime() > days(USAGE_DAYS_MAX) ? null : { start, end };
};
