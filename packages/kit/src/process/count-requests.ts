// Adds what the metrics of a process have counted to what its service keeps of each half hour (decision 32). Requests themselves do nothing more than
// before: the histogram of their durations is read a few times a minute.
import { inSeconds, seconds } from '@shortlist/contracts/durations';
import { type Clock, repeat, type Repetition } from './clock.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import {
  firstKept,
  type HalfHourCounts,
  halfHourOf,
  minuteOf,
  NO_BOUND,
  reportOf,
  type StoredHalfHour,
} from './request-counts.rules.ts';

/** Where the processes of a service keep their counts together. */
export type RequestStore = {
  add: (startsAt: Date, counts: HalfHourCounts) => Promise<void>;
  list: (from: Date) => Promise<StoredHalfHour[]>;
};

/** Several times a minute, so that each minute in which the process is up is noted. */
const STEP_MS = seconds(20);

type Totals = { requests: ReadonlyMap<number, number>; errors: number };
const NOTHING: Totals = { requests: new Map(), errors: 0 };

const boundOf = (le: number | string): number =>
  le === '+Inf' ? NO_BOUND : Math.round(Number(le) / inSeconds(1));

/** What the process has counted since its start. prom-client counts the requests of each bucket and of those below it. */
const totalsOf = async ({ httpSeconds }: Pick<Metrics, 'httpSeconds'>): Promise<Totals> => {
  const upTo = new Map<number, number>();
  let errors = 0;
  for (const { metricName, labels, value } of (await httpSeconds.get()).values) {
    const { le, status } = labels as { le?: string | number; status?: string | number };
    if (le !== undefined) upTo.set(boundOf(le), (upTo.get(boundOf(le)) ?? 0) + value);
    else if (metricName?.endsWith('_count') && Number(status) >= 500) errors += value;
  }
  let below = 0;
  const requests = new Map<number, number>();
  for (const [bound, count] of [...upTo].toSorted(([one], [other]) => one - other)) {
    requests.set(bound, count - below);
    below = count;
  }
  return { requests, errors };
};

const addTo = (counts: HalfHourCounts, now: Totals, before: Totals): void => {
  // Empty buckets too: p95 is estimated between the bounds of its own.
  for (const [bound, count] of now.requests) {
    const added = count - (before.requests.get(bound) ?? 0);
    counts.requests.set(bound, (counts.requests.get(bound) ?? 0) + added);
  }
  counts.errors += now.errors - before.errors;
};

type Parts = {
  metrics: Pick<Metrics, 'httpSeconds'>;
  store: RequestStore;
  clock: Clock;
  log: Log;
  stepMs?: number;
};

/**
 * Adds the counts of this process to the store until it is stopped, and then once more. What cannot be stored is kept for the next time, with its
 * half hour.
 */
export const startCountingRequests = ({
  metrics,
  store,
  clock,
  log,
  stepMs = STEP_MS,
}: Parts): Repetition => {
  let counted = NOTHING;
  const pending = new Map<number, HalfHourCounts>();
  const note = async (): Promise<void> => {
    const now = clock();
    const time = halfHourOf(now).getTime();
    const counts = pending.get(time) ?? {
      requests: new Map<number, number>(),
      errors: 0,
      minutes: new Set<number>(),
    };
    const totals = await totalsOf(metrics);
    addTo(counts, totals, counted);
    counted = totals;
    counts.minutes.add(minuteOf(now));
    pending.set(time, counts);
    for (const old of pending.keys()) if (old < firstKept(now).getTime()) pending.delete(old);
  };
  const save = async (): Promise<void> => {
    try {
      for (const [time, counts] of pending) {
        await store.add(new Date(time), counts);
        pending.delete(time);
      }
    } catch (error) {
      log.warn({ err: error }, 'counts of requests not stored');
    }
  };
  let isStarted = false;
  const { stop } = repeat(async () => {
    await note();
    if (isStarted) await save();
    isStarted = true;
    return stepMs;
  });
  return {
    stop: async () => {
      await stop();
      await note();
      await save();
    },
  };
};

/** The last day of a service. */
export const readRequests = async (store: Pick<RequestStore, 'list'>, clock: Clock) => {
  const now = clock();
  return reportOf(await store.list(firstKept(now)), now);
};
