import { halfHours, minutes } from '@shortlist/contracts/durations';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createRequestStore, requestCounts } from '../src/data/request-counts.ts';
import { type RequestStore, readRequests, startCountingRequests } from '../src/process/count-requests.ts';
import { createLog } from '../src/process/log.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { NO_BOUND, p95Of, reportOf, type StoredHalfHour } from '../src/process/request-counts.rules.ts';
import { createTestDb } from '../src/testing/databases.ts';
import { until } from '../src/testing/until.ts';

const NOW = new Date('2026-11-20T09:41:30.000Z');
const START = new Date('2026-11-20T09:30:00.000Z');
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
  const stored = (ago: number, change: Partial<StoredHalfHour> = {}): StoredHalfHour => ({
    startsAt: new Date(START.getTime() - halfHours(ago)),
    requests: new Map([[5, 10]]),
    errors: 0,
    minutesUp: 30,
    ...change,
  });

  it('has a half hour without a process where nothing is stored, and ends with the present one', () => {
    const report = reportOf([stored(60), stored(48), stored(3), stored(0, { minutesUp: 12 })], NOW);
    expect(report).toMatchObject({ requests: 20, errors: 0, p95: 5 });
    expect(report.halfHours).toHaveLength(48);
    const down = report.halfHours.map(({ minutesDown }) => minutesDown);
    expect(down).toEqual([...Array<number>(44).fill(30), 0, 30, 30, 0]);
    expect(report.halfHours.at(-1)?.start).toBe(START.toISOString());
  });

  it('begins when it was first counted, and knows the minutes of a half hour in which no process was up', () => {
    const first = stored(2, { minutesUp: 1 });
    const report = reportOf(
      [first, stored(1, { minutesUp: 18, errors: 3 }), stored(0, { minutesUp: 4 })],
      NOW,
    );
    expect(report.halfHours.map(({ minutesDown, errors }) => [minutesDown, errors])).toEqual([
      [0, 0],
      [12, 3],
      [7, 0],
    ]);
  });

  it('of a service that was never counted is its present half hour, of which nothing is known', () => {
    expect(reportOf([], NOW)).toEqual({
      requests: 0,
      errors: 0,
      p95: null,
      halfHours: [{ start: START.toISOString(), requests: 0, errors: 0, p95: null, minutesDown: 0 }],
    });
  });
});

const { db, drop } = await createTestDb({ entities: [], migrations: [requestCounts] });
afterAll(drop);
beforeEach(() => db.query('DELETE FROM request_counts'));

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
    await Promise.all(processes.map((store, index) => store.add(START, counts(index % 4))));
    expect(await processes[0]?.list(START)).toEqual([
      {
        startsAt: START,
        requests: new Map([
          [5, 8],
          [NO_BOUND, 16],
        ]),
        errors: 8,
        minutesUp: 4,
      },
    ]);
  });

  it('keeps the 30th minute, and a day and a half hour at most', async () => {
    const store = createRequestStore(db, () => NOW);
    await store.add(new Date(START.getTime() - halfHours(50)), counts(0));
    await createRequestStore(db, () => NOW).add(START, counts(29));
    const all = await store.list(new Date(0));
    expect(all.map(({ startsAt, minutesUp }) => [startsAt, minutesUp])).toEqual([[START, 1]]);
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
      await createRequestStore(db, () => now).list(START);
    expect([...requests].filter(([, amount]) => amount > 0)).toEqual([
      [2, 1],
      [5, 1],
      [NO_BOUND, 1],
    ]);
    expect([errors, minutesUp]).toEqual([1, 1]);
    expect(await read()).toMatchObject({ requests: 3, errors: 1, halfHours: [{ minutesDown: 0 }] });
  });

  it('estimates p95 within its bucket, though those below it are empty', async () => {
    const { stop } = count(createRequestStore(db, () => now).add);
    for (const took of [...Array<number>(94).fill(0.004), ...Array<number>(6).fill(4)]) serve(200, took);
    await stop();
    const { p95 } = await read();
    expect(p95).toBeGreaterThan(2_500);
    expect(p95).toBeLessThan(5_000);
  });

  it('keeps what could not be stored, with its half hour, and adds it once', async () => {
    const store = createRequestStore(db, () => now);
    let isAway = true;
    const add: RequestStore['add'] = (startsAt, counts) =>
      isAway ? Promise.reject(new Error('away')) : store.add(startsAt, counts);
    const { step, stop } = count(add);
    serve(200, 0.004);
    await step();
    now = new Date(NOW.getTime() + minutes(30));
    serve(200, 0.004);
    await step();
    isAway = false;
    await stop();
    expect((await read()).halfHours.map(({ requests }) => requests)).toEqual([1, 1]);
  });
});
