import { DelayedError, type Job, Queue, Worker } from 'bullmq';
import type { ServerDetails } from '@shortlist/contracts/api/status';
import { days, inSeconds, seconds } from '@shortlist/contracts/durations';
import { describeRedis } from '../data/describe-server.ts';
import { connectRedis, type Redis } from '../data/redis.ts';
import { parseRedisUrl } from '../data/variables.ts';
import type { Clock } from '../process/clock.ts';
import { AppError } from '../process/errors.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { type Attributes, inSpan, parseTraceparent, traceparentOf } from '../process/trace.ts';
import { measureRuns } from './measure.ts';

export type JobQueue<Data> = {
  /**
   * Adds a job, unless one with the same id exists. An id must not contain `:`. `once`: adds no second job of this name while one waits for a
   * worker. A running one does not count, because it may have missed the reason for the new one.
   */
  add: (
    name: string,
    data: Data,
    options?: { id?: string; delayMs?: number; once?: boolean },
  ) => Promise<void>;
  /** Runs a job repeatedly under a fixed name. Calling it again updates the schedule. */
  schedule: (name: string, interval: { every: number }, data: Data) => Promise<void>;
  check: () => Promise<void>;
  /** Of its Redis server. */
  describe: () => Promise<ServerDetails>;
  /** The number of jobs, and for how many milliseconds the oldest has waited for a worker; 0 if there is none. */
  measure: () => Promise<QueueSize>;
  /** The jobs that failed last, newest first. */
  listFailed: (limit: number) => Promise<FailedRun[]>;
  /** Has a failed job run again, with all its attempts. Returns false if it is not a failed one any more. */
  retry: (id: string) => Promise<boolean>;
  close: () => Promise<void>;
};

type FailedRun = {
  id: string;
  name: string;
  attempts: number;
  error: string;
  failedAt: Date | null;
};

export type QueueSize = { jobs: Record<JobState, number>; oldestMs: number };

/** An added job continues the trace of the code that added it; a scheduled one starts its own. */
type Traced<Data> = { data: Data; traceparent?: string };

const RETRY_MS = 1_000;
const COMMAND_MS = 2_000;
const ATTEMPTS = 8;
const retriesAfter = (delay: number) =>
  ({ attempts: ATTEMPTS, backoff: { type: 'exponential', delay, jitter: 0.5 } }) as const;
/** A run of a schedule is retried until the next one at most, which would do its work. The waits double, from a second on. */
const attemptsBetween = (everyMs: number): number =>
  Math.min(ATTEMPTS, 1 + Math.floor(Math.log2(1 + everyMs / RETRY_MS)));
const SCHEDULED = {
  backoff: retriesAfter(RETRY_MS).backoff,
  removeOnComplete: { count: 50 },
  removeOnFail: { age: inSeconds(days(7)), count: 200 },
};

/** In a cluster, all keys of a queue have one hash tag, because scripts need them on one node. */
const prefixFor = (url: string): string => (parseRedisUrl(url).kind === 'cluster' ? '{bull}' : 'bull');

const connect = (url: string, options: object): Redis =>
  connectRedis(url, {
    ...options,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });

const queueAttributes = (queue: string): Attributes => ({
  'messaging.system': 'bullmq',
  'messaging.destination.name': queue,
});

type JobState = 'waiting' | 'active' | 'delayed' | 'failed';
const JOB_STATES: readonly JobState[] = ['waiting', 'active', 'delayed', 'failed'];

type QueueParts = {
  url: string;
  log: Log;
  clock: Clock;
  /** The delay before the first retry of a job; each further one waits twice as long. */
  retryMs?: number;
  /** The time limit of a Redis command. */
  commandMs?: number;
};

const sizeOf = async (queue: Queue, clock: Clock): Promise<QueueSize> => {
  const [counts, waiting] = await Promise.all([
    queue.getJobCounts(...JOB_STATES),
    queue.getJobs(['waiting'], 0, 0, true),
  ]);
  const [oldest] = waiting;
  return {
    jobs: Object.fromEntries(JOB_STATES.map((state) => [state, counts[state] ?? 0])) as QueueSize['jobs'],
    // The wait of a delayed job starts when its delay ends.
    oldestMs: oldest ? Math.max(0, clock().getTime() - oldest.timestamp - (oldest.opts.delay ?? 0)) : 0,
  };
};

export const createQueue = <Data>(
  name: string,
  { url, log, clock, retryMs = RETRY_MS, commandMs = COMMAND_MS }: QueueParts,
): JobQueue<Data> => {
  // Adding a job fails fast, even if Redis hangs.
  const redis = connect(url, { maxRetriesPerRequest: 1, commandTimeout: commandMs });
  redis.on('error', (error) => log.warn({ err: error }, 'queue'));
  const queue = new Queue<Traced<Data>, unknown, string>(name, {
    connection: redis,
    prefix: prefixFor(url),
  });
  queue.on('error', (error) => log.warn({ err: error }, 'queue'));
  // BullMQ would wait for Redis without limit. A job that is not added is found later by a maintenance job.
  const assertReady = (): void => {
    if (redis.status !== 'ready')
      throw Object.assign(new Error('the queue is not connected'), { code: 'ECONNREFUSED' });
  };
  return {
    add: async (job, data, { id, delayMs, once = false } = {}) => {
      assertReady();
      const options = {
        ...retriesAfter(retryMs),
        ...(id === undefined ? {} : { jobId: id }),
        ...(delayMs === undefined ? {} : { delay: delayMs }),
        ...(once ? { deduplication: { id: job } } : {}),
        removeOnComplete: once || { age: inSeconds(days(1)) },
        removeOnFail: { age: inSeconds(days(7)) },
      };
      await inSpan(`add ${job}`, { kind: 'producer', attributes: queueAttributes(name) }, ({ trace }) =>
        queue.add(job, { data, traceparent: traceparentOf(trace) }, options),
      );
    },
    schedule: async (job, interval, data) => {
      assertReady();
      const next = (await queue.getJobScheduler(job))?.next ?? 0;
      // A wrong clock scheduled a run this far ahead; an update would keep it.
      if (next > clock().getTime() + 2 * interval.every) await queue.removeJobScheduler(job);
      await queue.upsertJobScheduler(job, interval, {
        name: job,
        data: { data },
        opts: { ...SCHEDULED, attempts: attemptsBetween(interval.every) },
      });
    },
    check: async () => void (await redis.ping()),
    describe: () => describeRedis(redis),
    measure: () => {
      assertReady();
      return sizeOf(queue, clock);
    },
    listFailed: async (limit) => {
      assertReady();
      const failed = await queue.getFailed(0, limit - 1);
      return failed.map((job) => ({
        id: job.id ?? '',
        name: job.name,
        attempts: job.attemptsMade,
        error: job.failedReason,
        failedAt: job.finishedOn === undefined ? null : new Date(job.finishedOn),
      }));
    },
    retry: async (id) => {
      assertReady();
      const job = await queue.getJob(id);
      if (job === undefined || !(await job.isFailed())) return false;
      await job.retry('failed', { resetAttemptsMade: true }).catch(async (error: unknown) => {
        // Another call may have been faster.
        if (await job.isFailed()) throw error;
      });
      return true;
    },
    close: async () => {
      await queue.close();
      redis.disconnect();
    },
  };
};

/** What runs the jobs of each name. It must be idempotent, because the job of a stalled worker runs again elsewhere. */
type JobHandlers<Data> = Readonly<Record<string, (data: Data) => Promise<unknown>>>;

type WorkOptions<Data> = {
  url: string;
  log: Log;
  clock: Clock;
  concurrency: number;
  metrics?: Metrics;
  handlers: JobHandlers<Data>;
  /** How long a job without a handler waits before a worker takes it again. */
  unknownMs?: number;
};

/** Short, because a worker of the newer release may be starting; a worker that takes the job again costs three commands. */
const UNKNOWN_MS = seconds(5);

type UnknownJob = { job: Job; token: string | undefined; log: Log; at: number };

/** Whether a call of the job is unknown to the process that got it, which is of the release before. */
const isUnknownThere = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'request.not_found';

/**
 * Leaves a job to a worker of the release that knows its name, or until another process knows its call. A run of a schedule ends instead: the schedule adds the next one, and the runs
 * would pile up where no worker knows them.
 */
const leaveUnknown = async ({ job, token, log, at }: UnknownJob): Promise<void> => {
  if (job.repeatJobKey !== undefined) return log.warn({ job: job.name }, 'run of an unknown job skipped');
  log.warn({ job: job.name, jobId: job.id }, 'unknown job left in the queue');
  await job.moveToDelayed(at, token);
  throw new DelayedError();
};

/** Removes the failed runs of a schedule once one has succeeded: it has done their work too. */
const removeFailedRuns = async (queue: Queue, { repeatJobKey }: Job): Promise<void> => {
  if (repeatJobKey === undefined) return;
  const failed = await queue.getFailed();
  await Promise.all(failed.filter((run) => run.repeatJobKey === repeatJobKey).map((run) => run.remove()));
};

/** A worker renews its lock on a job while it works. The job of a dead worker is taken over within twenty seconds, up to twenty times. */
const STALL_OPTIONS = { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 20 };

/** Runs the jobs of a queue that have a handler. One without a handler is of a newer release: it stays in the queue and costs no attempt. */
export const startWorker = <Data>(
  name: string,
  { url, log, clock, concurrency, handlers, metrics, unknownMs = UNKNOWN_MS }: WorkOptions<Data>,
): { stop: () => Promise<void> } => {
  const redis = connect(url, { maxRetriesPerRequest: null }); // waits for Redis without limit
  redis.on('error', (error) => log.warn({ err: error }, 'queue'));
  const byName = new Map(Object.entries(handlers));
  const run = async (job: string, data: Data): Promise<void> => void (await byName.get(job)?.(data));
  const measured = measureRuns({ queue: name, work: run, metrics });
  const options = { connection: redis, prefix: prefixFor(url) };
  const queue = new Queue(name, options);
  const worker = new Worker<Traced<Data>, void, string>(
    name,
    async (job: Job<Traced<Data>, void, string>, token) => {
      const leave = () => leaveUnknown({ job, token, log, at: clock().getTime() + unknownMs });
      if (!byName.has(job.name)) return leave();
      if (job.deduplicationId !== undefined) await job.removeDeduplicationKey();
      return inSpan(
        `run ${job.name}`,
        {
          kind: 'consumer',
          attributes: { ...queueAttributes(name), 'messaging.operation.type': 'process' },
          parent: parseTraceparent(job.data.traceparent),
        },
        () => measured(job.name, job.data.data),
      ).catch((error: unknown) => {
        if (isUnknownThere(error)) return leave();
        throw error;
      });
    },
    { ...options, concurrency, ...STALL_OPTIONS },
  );
  worker.on('error', (error) => log.warn({ err: error }, 'worker'));
  queue.on('error', (error) => log.warn({ err: error }, 'queue'));
  worker.on('completed', (job) => {
    removeFailedRuns(queue, job).catch((error: unknown) =>
      log.warn({ err: error, job: job.name }, 'failed runs not removed'),
    );
  });
  worker.on('failed', (job, error) =>
    log.warn({ err: error, job: job?.name, attempts: job?.attemptsMade }, 'job failed'),
  );
  return {
    stop: async () => {
      await worker.close();
      await queue.close();
      redis.disconnect();
    },
  };
};
