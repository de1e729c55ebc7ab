// How each of the last 24 hours of a service was. An hour was down if no process was up for five of its minutes, which is longer than a restart,
// and had errors if one request in a thousand failed. Of an hour without a record nothing is known.
import type { RequestReport } from '@shortlist/contracts/api/status';
import { hours } from '@shortlist/contracts/durations';

export const HOURS = 24;

type Hour = RequestReport['hours'][number];
export const HOUR_STATES = ['fine', 'errors', 'down', 'unknown'] as const;
export type HourState = (typeof HOUR_STATES)[number];
/** `hour` is null where nothing is known. */
export type Stroke = { start: string; state: HourState; hour: Hour | null };

const DOWN_MINUTES = 5;
const ERROR_SHARE = 0.001;

const stateOf = ({ requests, errors, minutesDown }: Hour): HourState => {
  if (minutesDown >= DOWN_MINUTES) return 'down';
  return errors > 0 && errors >= requests * ERROR_SHARE ? 'errors' : 'fine';
};

/** The 24 hours that end with the one in which the status was read, the oldest first. */
export const strokesOf = (report: RequestReport | null, checkedAt: string): Stroke[] => {
  const known = new Map(report?.hours.map((hour) => [Date.parse(hour.start), hour]));
  const current = Math.floor(Date.parse(checkedAt) / hours(1)) * hours(1);
  return Array.from({ length: HOURS }, (_, index) => {
    const time = current - hours(HOURS - 1 - index);
    const hour = known.get(time) ?? null;
    return { start: new Date(time).toISOString(), state: hour === null ? 'unknown' : stateOf(hour), hour };
  });
};
