// What is kept of the requests of a service: for each hour of the last day, how many took how long, how many failed, and in which minutes any
// of its processes was up. p95 is estimated as Prometheus does: within its bucket, durations are taken to be spread evenly. An hour of which
// nothing is stored was one without a process, except before the first: then nothing had been counted yet.
import type { RequestReport } from '@shortlist/contracts/api/status';
import { hours, minutes } from '@shortlist/contracts/durations';

/** The upper bound of the last bucket, which has none. */
export const NO_BOUND = 2 ** 32 - 1;

/** Requests by the upper bound of their bucket in milliseconds. */
type Buckets = ReadonlyMap<number, number>;

/** What one process has counted in an hour since it last stored it. `minutes`: of the hour, in which it was up. */
export type HourCounts = { requests: Map<number, number>; errors: number; minutes: Set<number> };
/** An hour as all processes have counted it. */
export type StoredHour = { hour: Date; requests: Buckets; errors: number; minutesUp: number };

export const SHOWN_HOURS = 24;

export const hourOf = (time: Date): Date => new Date(Math.floor(time.getTime() / hours(1)) * hours(1));

/** The first hour that is kept: one more than is shown, so that the first one shown is whole. */
export const firstKept = (now: Date): Date => new Date(hourOf(now).getTime() - hours(SHOWN_HOURS));

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
export const reportOf = (stored: readonly StoredHour[], now: Date): RequestReport => {
  const current = hourOf(now).getTime();
  const byHour = new Map(stored.map((one) => [one.hour.getTime(), one]));
  const first = Math.min(current, ...byHour.keys());
  const start = Math.max(first, current - hours(SHOWN_HOURS - 1));
  const shown = Array.from({ length: (current - start) / hours(1) + 1 }, (_, index) => start + hours(index));
  const all = new Map<number, number>();
  const list = shown.map((hour) => {
    const { requests, errors, minutesUp } = byHour.get(hour) ?? EMPTY;
    addBuckets(all, requests);
    // The present minute is not over, and the first hour began when it was first counted.
    const passed = hour === current ? Math.floor((now.getTime() - hour) / minutes(1)) : 60;
    const minutesDown = hour === first ? 0 : Math.max(0, passed - minutesUp);
    const p95 = p95Of(requests);
    return { start: new Date(hour).toISOString(), requests: sumOf(requests), errors, p95, minutesDown };
  });
  return {
    requests: sumOf(all),
    errors: list.reduce((sum, { errors }) => sum + errors, 0),
    p95: p95Of(all),
    hours: list,
  };
};
