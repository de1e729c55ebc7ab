import { type Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Clock } from '../process/clock.ts';
import type { Log } from '../process/log.ts';
import { currentTraceparent, inTrace, traceFrom } from '../process/trace.ts';

export type JobQueue<Data> = {
  /** Adds a job under an id of our own: while one of that id exists, another is not added. `:` is not allowed in ids. */
  add: (name: string, data: Data, options?: { id?: string; delayMs?: number }) => Promise<void>;
  /** Repeats a job for ever under a fixed name; asked again, it changes or mends the schedule and adds none. */
  schedule: (name: string, every: { every: number }, data: Data) => Promise<void>;
  check: () => Promise<void>;
  close: () => Promise<void>;
};

/** A job goes on in the trace of whoever asked for it; a scheduled one begins its own. */
type Traced<Data> = { data: Data; traceparent?: string };

const RETRIES = { attempts: 8, backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 } } as const;

const connection = (url: string, forWorker: boolean): Redis =>
  new Redis(url, {
    // A worker waits for Redis as long as it takes; whoever adds a job wants to know at once, also when it hangs.
    ...(forWorker ? { maxRetriesPerRequest: null } : { maxRetriesPerRequest: 1, commandTimeout: 2_000 }),
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });

type QueueParts = { url: string; log: Log; clock: Clock };

export const createQueue = <Data>(name: string, { url, log, clock }: QueueParts): JobQueue<Data> => {
  const redis = connection(url, false);
  redis.on('error', (error) => log.warn({ err: error }, 'queue'));
  const queue = new Queue<Traced<Data>, unknown, string>(name, { connection: redis });
  queue.on('error', (error) => log.warn({ err: error }, 'queue'));
  // BullMQ would wait for Redis without an end; whoever adds a job has a sweep to fall back on and is told at once.
  const assertReady = (): void => {
    if (redis.status !== 'ready')
      throw Object.assign(new Error('the queue is not reached'), { code: 'ECONNREFUSED' });
  };
  return {
    add: async (job, data, { id, delayMs } = {}) => {
      assertReady();
      await queue.add(
        job,
        { data, traceparent: currentTraceparent() },
        {
          ...RETRIES,
          ...(id === undefined ? {} : { jobId: id }),
          ...(delayMs === undefined ? {} : { delay: delayMs }),
          removeOnComplete: { age: 86_400 },
          removeOnFail: { age: 7 * 86_400 },
        },
      );
    },
    schedule: async (job, every, data) => {
      assertReady();
      const next = (await queue.getJobScheduler(job))?.next ?? 0;
      // Put there by a clock that was ahead; asking again would keep it there.
      if (next > clock().getTime() + 2 * every.every) await queue.removeJobScheduler(job);
      await queue.upsertJobScheduler(job, every, {
        name: job,
        data: { data },
        opts: {
          attempts: 3,
          backoff: RETRIES.backoff,
          removeOnComplete: { count: 50 },
          removeOnFail: { count: 200 },
        },
      });
    },
    check: async () => void (await redis.ping()),
    close: async () => {
      await queue.close();
      redis.disconnect();
    },
  };
};

type WorkOptions<Data> = {
  url: string;
  log: Log;
  concurrency: number;
  work: (name: string, data: Data) => Promise<void>;
};

/**
 * A worker renews its hold on a job while it works. What one that died held is taken over within twenty seconds, and is no less
 * worth doing for having met several deaths.
 */
const STALLS = { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 20 };

/** Runs the jobs of a queue. A job may run twice (a stalled worker's is taken over), so `work` must bear repetition. */
export const startWorker = <Data>(
  name: string,
  { url, log, concurrency, work }: WorkOptions<Data>,
): { stop: () => Promise<void> } => {
  const redis = connection(url, true);
  redis.on('error', (error) => log.warn({ err: error }, 'queue'));
  const worker = new Worker<Traced<Data>, void, string>(
    name,
    (job: Job<Traced<Data>, void, string>) =>
      inTrace(traceFrom(job.data.traceparent), () => work(job.name, job.data.data)),
    {
      connection: redis,
      concurrency,
      ...STALLS,
    },
  );
  worker.on('error', (error) => log.warn({ err: error }, 'worker'));
  worker.on('failed', (job, error) =>
    log.warn({ err: error, job: job?.name, tries: job?.attemptsMade }, 'job failed'),
  );
  return {
    stop: async () => {
      await worker.close();
      redis.disconnect();
    },
  };
};
