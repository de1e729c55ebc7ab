import { randomBytes } from 'node:crypto';
import { minutes } from '@shortlist/contracts/durations';
import { type Backing, startBacking } from '@shortlist/local/backing';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createQueue, type JobQueue, startWorker } from '../src/messaging/jobs.ts';
import { createError, isUnavailable } from '../src/process/errors.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { currentTrace, inTrace, traceFrom } from '../src/process/trace.ts';
import { until } from '../src/testing/until.ts';
import { openLine } from './frozen-connection.ts';
import { clock, silent } from './notes-table.ts';

type Task = { text: string };

let backing: Backing;
let name: string;
let queue: JobQueue<Task>;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  backing = await startBacking({ parts: ['redis'] });
});
afterAll(() => backing.stop());
beforeEach(async () => {
  name = `queue-${randomBytes(4).toString('hex')}`;
  queue = await openQueue();
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A queue that is connected to its Redis. */
const openQueue = async (url = backing.queueRedisUrl, more = {}): Promise<JobQueue<Task>> => {
  const opened = createQueue<Task>(name, { url, log: silent, clock, retryMs: 100, ...more });
  closing.push(opened.close);
  await opened.check();
  return opened;
};
const NAMES = ['greet', 'wake', 'sweep', 'tick'];
type Job = (task: Task) => Promise<void>;
/** A worker that knows these jobs. */
const work = (job: Job, names = NAMES): { stop: () => Promise<void> } => {
  const handlers = Object.fromEntries(names.map((known) => [known, job]));
  const options = { url: backing.queueRedisUrl, log: silent, clock, concurrency: 2, unknownMs: 100 };
  const worker = startWorker<Task>(name, { ...options, handlers });
  closing.push(worker.stop);
  return worker;
};
const inspect = async <T>(look: (raw: Queue) => Promise<T>): Promise<T> => {
  const connection = new Redis(backing.queueRedisUrl, { maxRetriesPerRequest: null });
  const raw = new Queue(name, { connection });
  try {
    return await look(raw);
  } finally {
    await raw.close();
    connection.disconnect();
  }
};
const refused = (attempt: () => Promise<unknown>): Promise<unknown> =>
  attempt().then(
    () => expect.unreachable('it was taken'),
    (cause: unknown) => cause,
  );

it('a job is not added twice with the same id, and runs once', async () => {
  for (let time = 0; time < 3; time += 1) await queue.add('greet', { text: `${time}` }, { id: 'ana' });
  await queue.add('greet', { text: 'other' }, { id: 'ben' });
  const done: string[] = [];
  work(({ text }) => Promise.resolve(void done.push(text)));
  await until('both jobs', () => done.length >= 2);
  await queue.add('greet', { text: 'again' }, { id: 'ana' });
  await queue.add('greet', { text: 'last' });
  await until('the last', () => done.includes('last'));
  expect(done).toEqual(['0', 'other', 'last']);
});

it('a wake-up is added once while it waits, and again once it has begun', async () => {
  const wake = (text: string) => queue.add('wake', { text }, { once: true });
  await wake('first');
  await wake('while the first waits');
  const begun: string[] = [];
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  work(async ({ text }) => {
    begun.push(text);
    await isOver;
  });
  await until('the first', () => begun.length === 1);
  await wake('while the first runs');
  await until('the second', () => begun.length === 2);
  end();
  await wake('last');
  await until('the last', () => begun.length === 3);
  expect(begun).toEqual(['first', 'while the first runs', 'last']);
});

it('a failed wake-up waits for its retry, and does not prevent adding another', async () => {
  const begun: string[] = [];
  work(({ text }) => {
    begun.push(text);
    return begun.length === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve();
  });
  await queue.add('wake', { text: 'fails' }, { once: true });
  await until('the failure', async () => (await queue.measure()).jobs.delayed === 1 || begun.length > 1);
  await queue.add('wake', { text: 'other' }, { once: true });
  await until('all', () => begun.length === 3);
  expect(begun.toSorted()).toEqual(['fails', 'fails', 'other']);
});

it('I2 a job that fails is retried with growing delays', async () => {
  const tries: number[] = [];
  work(() => {
    tries.push(performance.now());
    return tries.length < 4 ? Promise.reject(new Error('not yet')) : Promise.resolve();
  });
  await queue.add('greet', { text: 'a' });
  await until('the fourth try', () => tries.length === 4);
  const [first = 0, second = 0, third = 0] = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
  expect(first).toBeGreaterThan(40);
  expect(second).toBeGreaterThan(90);
  expect(third).toBeGreaterThan(190);
});

it('the size of a queue is measured, with the time for which its oldest job has waited', async () => {
  expect(await queue.measure()).toEqual({
    jobs: { waiting: 0, active: 0, delayed: 0, failed: 0 },
    oldestMs: 0,
  });
  const later = createQueue<Task>(name, {
    url: backing.queueRedisUrl,
    log: silent,
    clock: () => new Date(Date.now() + minutes(1)),
  });
  closing.push(later.close);
  await later.check();
  await queue.add('greet', { text: 'first' });
  await queue.add('greet', { text: 'second' });
  await queue.add('greet', { text: 'later' }, { delayMs: 60_000 });
  const { jobs, oldestMs } = await later.measure();
  expect(jobs).toEqual({ waiting: 2, active: 0, delayed: 1, failed: 0 });
  expect(oldestMs).toBeGreaterThanOrEqual(60_000);
  expect((await queue.measure()).oldestMs).toBeLessThan(oldestMs);
});

it('runs of jobs are measured by job and outcome', async () => {
  const metrics = createMetrics('test');
  let runs = 0;
  const run = (): Promise<void> => {
    runs += 1;
    return runs === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve();
  };
  const options = { url: backing.queueRedisUrl, log: silent, clock, concurrency: 1, metrics };
  closing.push(startWorker<Task>(name, { ...options, handlers: { greet: run } }).stop);
  await queue.add('greet', { text: 'a' });
  await until('both runs', () => runs === 2);
  const outcomes = async (): Promise<string[]> =>
    [...(await metrics.text()).matchAll(/count\{.*,job="greet",outcome="(\w+)"\} 1$/gm)].map(
      ([, outcome = '']) => outcome,
    );
  await until('their measurements', async () => (await outcomes()).length === 2);
  expect((await outcomes()).toSorted()).toEqual(['completed', 'failed']);
});

it('a delayed job waits for its delay', async () => {
  const began = performance.now();
  let doneAt = 0;
  work(() => Promise.resolve(void (doneAt = performance.now())));
  await queue.add('greet', { text: 'a' }, { delayMs: 200 });
  await until('the job', () => doneAt > 0);
  expect(doneAt - began).toBeGreaterThan(180);
});

it('I3 twenty concurrent calls of schedule create one entry, and a new interval replaces the old', async () => {
  const queues = await Promise.all(Array.from({ length: 20 }, () => openQueue()));
  await Promise.all(queues.map((one) => one.schedule('sweep', { every: 60_000 }, { text: 'a' })));
  const entries = (): Promise<unknown[]> => inspect((raw) => raw.getJobSchedulers());
  expect(await entries()).toMatchObject([{ name: 'sweep', every: 60_000 }]);
  await Promise.all(queues.map((one) => one.schedule('sweep', { every: 30_000 }, { text: 'a' })));
  expect(await entries()).toMatchObject([{ name: 'sweep', every: 30_000 }]);
  const waiting = await inspect((raw) => raw.getJobCountByTypes('delayed', 'waiting', 'active'));
  expect(waiting).toBe(1);
});

it('X23 a schedule that a wrong clock set far ahead is corrected by the next call', async () => {
  const ahead = createQueue<Task>(name, { url: backing.queueRedisUrl, log: silent, clock });
  closing.push(ahead.close);
  await ahead.check();
  vi.setSystemTime(new Date(Date.now() + minutes(10)));
  await ahead.schedule('tick', { every: 1_000 }, { text: 'a' });
  await ahead.schedule('tick', { every: 1_000 }, { text: 'a' });
  vi.useRealTimers();
  const next = async (): Promise<number> =>
    (await inspect((raw) => raw.getJobScheduler('tick')))?.next ?? Number.NaN;
  expect(await next()).toBeGreaterThan(Date.now() + 500_000);
  await queue.schedule('tick', { every: 1_000 }, { text: 'a' });
  expect(await next()).toBeLessThanOrEqual(Date.now() + 2_000);
  const runs: string[] = [];
  work(({ text }) => Promise.resolve(void runs.push(text)));
  await until('a run', () => runs.length > 0);
});

it('I3 two workers share the runs of a schedule, and each run happens once', async () => {
  let runs = 0;
  const workers = [1, 2].map(() => work(() => Promise.resolve(void (runs += 1))));
  await queue.schedule('sweep', { every: 200 }, { text: 'a' });
  await until('four runs', () => runs >= 4);
  await Promise.all(workers.map((worker) => worker.stop()));
  // The id of a job contains the time of its run, so there are no two jobs for one run.
  expect(await inspect((raw) => raw.getCompletedCount())).toBe(runs);
});

it('a run of a schedule is retried until the next one, and for two minutes at most', async () => {
  const attempts: (number | undefined)[] = [];
  for (const every of [2_000, 5_000, 30_000, 60_000, minutes(15)]) {
    await queue.schedule('sweep', { every }, { text: '' });
    const [scheduler] = await inspect((raw) => raw.getJobSchedulers());
    attempts.push(scheduler?.template?.opts?.attempts);
  }
  // The last of n attempts begins 2^(n-1) - 1 seconds after the first.
  expect(attempts).toEqual([2, 3, 5, 6, 8]);
});

it('failed runs of a schedule count until one succeeds, those of others go on counting', async () => {
  let isBroken = true;
  work(async ({ text }) => {
    await Promise.resolve();
    if (isBroken || text === 'tick') throw new Error('status 503');
  });
  await queue.schedule('sweep', { every: 100 }, { text: 'sweep' });
  await queue.schedule('tick', { every: 1_000 }, { text: 'tick' });
  const failed = async (): Promise<Set<string>> =>
    new Set((await queue.listFailed(100)).map(({ name: job }) => job));
  await until('failures of both', async () => (await failed()).size === 2);
  isBroken = false;
  await until('no failed run of the one that succeeds', async () => !(await failed()).has('sweep'));
  expect(await failed()).toContain('tick');
});

it('a job that a worker does not know waits for one that does, at the cost of no attempt', async () => {
  const done: string[] = [];
  const finish: Job = ({ text }) => Promise.resolve(void done.push(text));
  work(finish);
  await queue.add('novel', { text: 'by its id' }, { id: 'novel' });
  await queue.add('novel', { text: 'once' }, { once: true });
  const movesOf = async (id: string): Promise<number> =>
    (await inspect((raw) => raw.getJob(id)))?.attemptsStarted ?? 0;
  // Often enough that the job had failed, if a move were an attempt.
  await until('many tries', async () => (await movesOf('novel')) > 10);
  await queue.add('greet', { text: 'known' });
  await until('the job that the worker knows', () => done.length === 1);
  await queue.add('novel', { text: 'while the first waits' }, { once: true });
  expect((await inspect((raw) => raw.getJob('novel')))?.attemptsMade).toBe(0);
  expect((await queue.measure()).jobs).toMatchObject({ failed: 0 });
  work(finish, [...NAMES, 'novel']);
  await until('the others', () => done.length === 3);
  expect(done.toSorted()).toEqual(['by its id', 'known', 'once']);
});

it('a job whose call another process does not know yet waits for one that does, at the cost of no attempt', async () => {
  let calls = 0;
  const attempts: number[] = [];
  work(() => {
    calls += 1;
    return calls < 12 ? Promise.reject(createError('request.not_found')) : Promise.resolve();
  });
  await queue.add('greet', { text: 'a' }, { id: 'new-call' });
  await until('the twelfth call', () => calls === 12);
  await inspect(async (raw) => {
    await until('its end', async () => (await raw.getJobState('new-call')) === 'completed');
    attempts.push((await raw.getJob('new-call'))?.attemptsMade ?? 0);
  });
  expect([attempts, calls]).toEqual([[1], 12]);
});

it('runs of a schedule that a worker does not know do not pile up, and the schedule goes on', async () => {
  await queue.schedule('novel', { every: 100 }, { text: 'a' });
  work(() => Promise.resolve());
  await until('ten runs', async () => (await inspect((raw) => raw.getCompletedCount())) >= 10);
  const { jobs } = await queue.measure();
  expect(jobs.failed + jobs.delayed + jobs.waiting).toBeLessThan(4);
  let runs = 0;
  work(() => Promise.resolve(void (runs += 1)), ['novel']);
  await until('a run', () => runs > 0);
});

it('K5 a job continues the trace of the code that added it', async () => {
  const trace = traceFrom(undefined);
  const seen: unknown[] = [];
  work(() => Promise.resolve(void seen.push(currentTrace()?.traceId)));
  await inTrace(trace, () => queue.add('greet', { text: 'a' }));
  await until('the job', () => seen.length === 1);
  expect(seen).toEqual([trace.traceId]);
});

it('X15 jobs survive a restart of Redis; adding fails while it is away, and recovers', async () => {
  const worked: string[] = [];
  await queue.add('greet', { text: 'before' }, { id: 'before' });
  await backing.redisQueue.stop();
  // Both would wait for Redis without limit, and it comes back only after them.
  expect(isUnavailable(await refused(() => queue.add('greet', { text: 'lost' })))).toBe(true);
  await refused(() => queue.schedule('sweep', { every: 1_000 }, { text: '' }));
  work(({ text }) => Promise.resolve(void worked.push(text)));
  await backing.redisQueue.start();
  const isBack = (): Promise<boolean> =>
    queue.add('greet', { text: 'after' }, { id: 'after' }).then(
      () => true,
      () => false,
    );
  await until('a queue that takes jobs again', isBack);
  await until('both jobs', () => worked.length === 2);
  expect(worked.toSorted()).toEqual(['after', 'before']);
});

it('X15 adding a job fails while Redis hangs', async () => {
  const line = await openLine(backing.queueRedisUrl);
  closing.push(line.close);
  const hanging = await openQueue(line.url, { commandMs: 300 });
  await hanging.add('greet', { text: 'a' });
  line.freeze();
  expect(isUnavailable(await refused(() => hanging.add('greet', { text: 'b' })))).toBe(true);
  line.thaw();
  await until('a queue that takes jobs again', () =>
    hanging.add('greet', { text: 'c' }).then(
      () => true,
      () => false,
    ),
  );
});

it('a job that failed at every try is listed with its error, and runs again when it is retried', async () => {
  let isBroken = true;
  const done: string[] = [];
  work(async ({ text }) => {
    await Promise.resolve();
    if (isBroken) throw new Error('status 503');
    done.push(text);
  });
  await inspect(async (raw) => {
    await raw.add('greet', { data: { text: 'ana' } }, { jobId: 'ana', attempts: 1 });
  });
  await until('the failure', async () => (await queue.listFailed(10)).length === 1);
  expect(await queue.listFailed(10)).toMatchObject([
    { id: 'ana', name: 'greet', attempts: 1, error: 'status 503', failedAt: expect.any(Date) as Date },
  ]);
  isBroken = false;
  expect(await queue.retry('ana')).toBe(true);
  await until('the second run', () => done.length === 1);
  await until('no failed job', async () => (await queue.listFailed(10)).length === 0);
  expect(await queue.retry('ana')).toBe(false);
  expect(await queue.retry('unknown')).toBe(false);
});
