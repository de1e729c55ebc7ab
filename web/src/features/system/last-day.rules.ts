// How each half hour of the last 24 hours of a service was. One was down if no process was up for five of its minutes, which is longer than a restart,
// and had errors if one request in a thousand failed. Of one without a record nothing is known.
import type { RequestReport } from '@shortlist/contracts/api/status';
import { halfHours } from '@shortlist/contracts/durations';

const STROKES = 48;

type HalfHour = RequestReport['halfHours'][number];
export const STROKE_STATES = ['fine', 'errors', 'down', 'unknown'] as const;
export type StrokeState = (typeof STROKE_STATES)[number];
/** `counts` is null where nothing is known. */
export type Stroke = { start: string; state: StrokeState; counts: HalfHour | null };

const DOWN_MINUTES = 5;
const ERROR_SHARE = 0.001;

const stateOf = ({ requests, errors, minutesDown }: HalfHour): StrokeState => {
  if (minutesDown >= DOWN_MINUTES) return 'down';
  return errors > 0 && errors >= requests * ERROR_SHARE ? 'errors' : 'fine';
};

/** The half hours of a day that end with the one in which the status was read, the oldest first. */
export const strokesOf = (report: RequestReport | null, checkedAt: string): Stroke[] => {
  const known = new Map(report?.halfHours.map((counts) => [Date.parse(counts.start), counts]));
  const current = Math.floor(Date.parse(checkedAt) / halfHours(1)) * halfHours(1);
  return Array.from({ length: STROKES }, (_, index) => {
    const time = current - halfHours(STROKES - 1 - index);
    const counts = known.get(time) ?? null;
    return {
      start: new Date(time).toISOString(),
      state: counts === null ? 'unknown' : stateOf(counts),
      counts,
    };
  });
};
