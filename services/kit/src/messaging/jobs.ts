import { type Job, Queue, Worker } from 'bullmq';
import { connectRedis, type Redis } from '../data/redis.ts';
import { parseRedisUrl } from '../data/redis-url.ts';
import type { Clock } from '../process/clock.ts';
import type { Log } from '../process/log.ts';
import { type Attributes, inSpan } from '../process/span.ts';
import { parseTraceparent, traceparentOf } from '../process/trace.ts';

export type JobQueue<Data> = {
  /** Adds a job. While a job with the same id exists, no second one is added. An id must not contain `:`. */
  add: (name: string, data: Data, options?: { id?: string; delayMs?: number }) => Promise<void>;
  /** Runs a job repeatedly under a fixed name. Calling it again updates the schedule and adds no second one. */
  schedule: (name: string, interval: { every: number }, data: Data) => Promise<void>;
  check: () => Promise<void>;
  close: () => Promise<void>;
};

/** An added job continues the trace of the code that added it; a scheduled one starts a trace of its own. */
type Traced<Data> = { data: Data; traceparent?: string };

const RETRIES = { attempts: 8, backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 } } as const;

/** All keys of a queue have one hash tag in a cluster, where its scripts need them on one node. */
const prefixFor = (url: string): string => (parseRedisUrl(url).kind === 'cluster' ? '{bull}' : 'bull');

const connect = (url: string, forWorker: boolean): Redis =>
  connectRedis(url, {
    // A worker waits for Redis without limit; adding a job fails fast, also when Redis hangs.
    ...(forWorker ? { maxRetriesPerRequest: null } : { maxRetriesPerRequest: 1, commandTimeout: 2_000 }),
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });

const queueAttributes = (queue: string): Attributes => ({
  'messaging.system': 'bullmq',
  'messaging.destination.name': queue,
});

type QueueParts = { url: string; log: Log; clock: Clock };

export const createQueue = <Data>(name: string, { url, log, clock }: QueueParts): JobQueue<Data> => {
  const redis = connect(url, false);
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
    add: async (job, data, { id, delayMs } = {}) => {
      assertReady();
      const options = {
        ...RETRIES,
        ...(id === undefined ? {} : { jobId: id }),
        ...(delayMs === undefined ? {} : { delay: delayMs }),
        removeOnComplete: { age: 86_400 },
        removeOnFail: { age: 7 * 86_400 },
      };
      await inSpan(`add ${job}`, { kind: 'producer', attributes: queueAttributes(name) }, ({ trace }) =>
        queue.add(job, { data, traceparent: traceparentOf(trace) }, options),
      );
    },
    schedule: async (job, interval, data) => {
      assertReady();
      const next = (await queue.getJobScheduler(job))?.next ?? 0;
      // A next run that far ahead was scheduled by a clock that was wrong; an update would keep it.
      if (next > clock().getTime() + 2 * interval.every) await queue.removeJobScheduler(job);
      await queue.upsertJobScheduler(job, interval, {
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
 * A worker renews its lock on a job while it works. The job of a worker that died is taken over within twenty seconds, and is
 * retried after as many as twenty such stalls.
 */
const STALL_OPTIONS = { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 20 };

/** Runs the jobs of a queue. `work` must be idempotent: the job of a stalled worker runs a second time elsewhere. */
export const startWorker = <Data>(
  name: string,
  { url, log, concurrency, work }: WorkOptions<Data>,
): { stop: () => Promise<void> } => {
  const redis = connect(url, true);
  redis.on('error', (error) => log.warn({ err: error }, 'queue'));
  const worker = new Worker<Traced<Data>, void, string>(
    name,
    (job: Job<Traced<Data>, void, string>) =>
      inSpan(
        `run ${job.name}`,
        {
          kind: 'consumer',
          attributes: { ...queueAttributes(name), 'messaging.operation.type': 'process' },
          parent: parseTraceparent(job.data.traceparent),
        },
        () => work(job.name, job.data.data),
      ),
    {
      connection: redis,
      prefix: prefixFor(url),
      concurrency,
      ...STALL_OPTIONS,
    },
  );
  worker.on('error', (error) => log.warn({ err: error }, 'worker'));
  worker.on('failed', (job, error) =>
    log.warn({ err: error, job: job?.name, attempts: job?.attemptsMade }, 'job failed'),
  );
  return {
    stop: async () => {
      await worker.close();
      redis.disconnect();
    },
  };
};
