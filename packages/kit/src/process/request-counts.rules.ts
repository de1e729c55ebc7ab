// What is kept of the requests of a service: for each half hour of the last day, how many took how long, how many failed, and in which minutes any
// of its processes was up. p95 is estimated as Prometheus does: within its bucket, durations are taken to be spread evenly. A half hour of which
// nothing is stored was one without a process, except before the first: then nothing had been counted yet.
import type { RequestReport } from '@shortlist/contracts/api/status';
import { halfHours, minutes, startOf } from '@shortlist/contracts/durations';

/** The upper bound of the last bucket, which has none. */
export const NO_BOUND = 2 ** 32 - 1;

/** Requests by the upper bound of their bucket in milliseconds. */
type Buckets = ReadonlyMap<number, number>;

/** What one process has counted in a half hour since it last stored it. `minutes`: of the half hour, in which it was up. */
export type HalfHourCounts = { requests: Map<number, number>; errors: number; minutes: Set<number> };
/** A half hour as all processes have counted it. */
export type StoredHalfHour = { startsAt: Date; requests: Buckets; errors: number; minutesUp: number };

/** A day. */
export const SHOWN_HALF_HOURS = 48;

const LENGTH = halfHours(1);
/** In minutes. */
const WHOLE = LENGTH / minutes(1);

/** The start of the half hour of a time. */
export const halfHourOf = (time: Date): Date => startOf(time, LENGTH);

/** The minute of its half hour that a time is in. */
export const minuteOf = (time: Date): number => time.getUTCMinutes() % WHOLE;

/** The first half hour that is kept: one more than is shown, so that the first one shown is whole. */
export const firstKept = (now: Date): Date =>
  new Date(halfHourOf(now).getTime() - halfHours(SHOWN_HALF_HOURS));

const sumOf = (requests: Buckets): number => [...requests.values()].reduce((sum, count) => sum + count, 0);

/** The duration in milliseconds below which 95 % of the requests stay; of the last bucket, its lower bound. Null without requests. */
export const p95Of = (requests: Buckets): number | null => {
  const total = sumOf(requests);
  if (total === 0) return null;
  const target = total * 0.95;
  let [below, lower] = [0, 0];
  for (const [bound, count] of [...requests].toSorted(([one], [other]) => one - other)) {
    if (below + count >= target && count > 0)
      return bound === NO_BOUND ? lower : Math.round(lower + ((bound - lower) * (target - below)) / count);
    below += count;
    lower = bound === NO_BOUND ? lower : bound;
  }
  return lower;
};

const EMPTY = { requests: new Map<number, number>(), errors: 0, minutesUp: 0 };

const addBuckets = (sum: Map<number, number>, requests: Buckets): Map<number, number> => {
  for (const [bound, count] of requests) sum.set(bound, (sum.get(bound) ?? 0) + count);
  return sum;
};

/** The last day, from what is stored from `firstKept` on. */
export const reportOf = (stored: readonly StoredHalfHour[], now: Date): RequestReport => {
  const current = halfHourOf(now).getTime();
  const byStart = new Map(stored.map((one) => [one.startsAt.getTime(), one]));
  const first = Math.min(current, ...byStart.keys());
  const start = Math.max(first, current - halfHours(SHOWN_HALF_HOURS - 1));
  const shown = Array.from(
    { length: (current - start) / LENGTH + 1 },
    (_, index) => start + halfHours(index),
  );
  const all = new Map<number, number>();
  const list = shown.map((time) => {
    const { requests, errors, minutesUp } = byStart.get(time) ?? EMPTY;
    addBuckets(all, requests);
    // The present minute is not over, and the first half hour began when it was first counted.
    const passed = time === current ? Math.floor((now.getTime() - time) / minutes(1)) : WHOLE;
    const minutesDown = time === first ? 0 : Math.max(0, passed - minutesUp);
    const p95 = p95Of(requests);
    return { start: new Date(time).toISOString(), requests: sumOf(requests), errors, p95, minutesDown };
  });
  return {
    requests: sumOf(all),
    errors: list.reduce((sum, { errors }) => sum + errors, 0),
    p95: p95Of(all),
    halfHours: list,
  };
};
