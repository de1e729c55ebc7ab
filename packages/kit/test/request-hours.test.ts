import { hours, minutes } from '@shortlist/contracts/durations';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createRequestStore, requestHours } from '../src/data/request-hours.ts';
import { type RequestStore, readRequests, startCountingRequests } from '../src/process/count-requests.ts';
import { createLog } from '../src/process/log.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { NO_BOUND, p95Of, reportOf, type StoredHour } from '../src/process/request-hours.rules.ts';
import { createTestDb } from '../src/testing/databases.ts';
import { until } from '../src/testing/until.ts';

const NOW = new Date('2026-11-20T09:41:30.000Z');
const HOUR = new Date('2026-11-20T09:00:00.000Z');
const log = createLog('test', 'silent');

describe('p95', () => {
  it.each<[string, [number, number][], number | null]>([
    ['is unknown without requests', [], null],
    [
      'is within the bucket that has it',
      [
        [5, 90],
        [10, 10],
      ],
      8,
    ],
    [
      'is within the only bucket',
      [
        [5, 0],
        [10, 20],
        [25, 0],
      ],
      10,
    ],
    [
      'of requests beyond the last bound is that bound',
      [
        [10_000, 1],
        [NO_BOUND, 99],
      ],
      10_000,
    ],
  ])('%s', (_what, buckets, expected) => {
    expect(p95Of(new Map(buckets))).toBe(expected);
  });
});

describe('the last day', () => {
  const stored = (hoursAgo: number, change: Partial<StoredHour> = {}): StoredHour => ({
    hour: new Date(HOUR.getTime() - hours(hoursAgo)),
    requests: new Map([[5, 10]]),
    errors: 0,
    minutesUp: 60,
    ...change,
  });

  it('has an hour without a process where nothing is stored, and ends with the present one', () => {
    const report = reportOf([stored(30), stored(24), stored(3), stored(0, { minutesUp: 42 })], NOW);
    expect(report).toMatchObject({ requests: 20, errors: 0, p95: 5 });
    expect(report.hours).toHaveLength(24);
    const down = report.hours.map(({ minutesDown }) => minutesDown);
    expect(down).toEqual([...Array<number>(20).fill(60), 0, 60, 60, 0]);
    expect(report.hours.at(-1)?.start).toBe(HOUR.toISOString());
  });

  it('begins when it was first counted, and knows the minutes of an hour in which no process was up', () => {
    const first = stored(2, { minutesUp: 1 });
    const report = reportOf(
      [first, stored(1, { minutesUp: 48, errors: 3 }), stored(0, { minutesUp: 30 })],
      NOW,
    );
    expect(report.hours.map(({ minutesDown, errors }) => [minutesDown, errors])).toEqual([
      [0, 0],
      [12, 3],
      [11, 0],
    ]);
  });

  it('of a service that was never counted is its present hour, of which nothing is known', () => {
    expect(reportOf([], NOW)).toEqual({
      requests: 0,
      errors: 0,
      p95: null,
      hours: [{ start: HOUR.toISOString(), requests: 0, errors: 0, p95: null, minutesDown: 0 }],
    });
  });
});

const { db, drop } = await createTestDb({ entities: [], migrations: [requestHours] });
afterAll(drop);
beforeEach(() => db.query('DELETE FROM request_hours'));

describe('the store in a database', () => {
  const counts = (minute: number) => ({
    requests: new Map([
      [5, 1],
      [NO_BOUND, 2],
    ]),
    errors: 1,
    minutes: new Set([minute]),
  });

  it('has the sum of what processes add at once', async () => {
    const processes = Array.from({ length: 8 }, () => createRequestStore(db, () => NOW));
    await Promise.all(processes.map((store, index) => store.add(HOUR, counts(index % 4))));
    expect(await processes[0]?.list(HOUR)).toEqual([
      {
        hour: HOUR,
        requests: new Map([
          [5, 8],
          [NO_BOUND, 16],
        ]),
        errors: 8,
        minutesUp: 4,
      },
    ]);
  });

  it('keeps the 60th minute, and a day and an hour at most', async () => {
    const store = createRequestStore(db, () => NOW);
    await store.add(new Date(HOUR.getTime() - hours(26)), counts(0));
    await createRequestStore(db, () => NOW).add(HOUR, counts(59));
    const all = await store.list(new Date(0));
    expect(all.map(({ hour, minutesUp }) => [hour, minutesUp])).toEqual([[HOUR, 1]]);
  });
});

describe('a process', () => {
  let now = NOW;
  const metrics = createMetrics('test');
  const serve = (status: number, took: number): void =>
    metrics.httpSeconds.observe({ method: 'GET', route: '/x', status }, took);
  /** `step`: waits until the process has tried to store its counts once more. */
  const count = (add: RequestStore['add']) => {
    let tries = 0;
    const counting = async (...input: Parameters<typeof add>): Promise<void> => {
      tries += 1;
      await add(...input);
    };
    const store = { add: counting, list: () => Promise.resolve([]) };
    const { stop } = startCountingRequests({ metrics, store, clock: () => now, log, stepMs: 1 });
    const step = async (): Promise<void> => {
      const before = tries;
      await until('counts to be stored twice', () => tries > before + 1); // the first may have been under way
    };
    return { stop, step };
  };
  const read = () =>
    readRequests(
      createRequestStore(db, () => now),
      () => now,
    );
  beforeEach(() => void ((now = NOW), metrics.httpSeconds.reset()));

  it('adds each request once, with its bucket and whether it failed', async () => {
    const { step, stop } = count(createRequestStore(db, () => now).add);
    serve(200, 0.004);
    serve(503, 20);
    await step();
    await step();
    serve(404, 0.001);
    await stop();
    const [{ requests, errors, minutesUp } = { requests: new Map(), errors: 0, minutesUp: 0 }] =
      await createRequestStore(db, () => now).list(HOUR);
    expect([...requests].filter(([, amount]) => amount > 0)).toEqual([
      [2, 1],
      [5, 1],
      [NO_BOUND, 1],
    ]);
    expect([errors, minutesUp]).toEqual([1, 1]);
    expect(await read()).toMatchObject({ requests: 3, errors: 1, hours: [{ minutesDown: 0 }] });
  });

  it('keeps what could not be stored, with its hour, and adds it once', async () => {
    const store = createRequestStore(db, () => now);
    let isAway = true;
    const add: RequestStore['add'] = (hour, counts) =>
      isAway ? Promise.reject(new Error('away')) : store.add(hour, counts);
    const { step, stop } = count(add);
    serve(200, 0.004);
    await step();
    now = new Date(NOW.getTime() + minutes(30));
    serve(200, 0.004);
    await step();
    isAway = false;
    await stop();
    expect((await read()).hours.map(({ requests }) => requests)).toEqual([1, 1]);
  });
});
