import { queueAge, queueJobs } from '../process/declared-metrics.ts';
import type { Metrics } from '../process/metrics.ts';

type Work<Data> = (name: string, data: Data) => Promise<void>;
type Measurable = { measure: () => Promise<{ jobs: Record<string, number>; oldestMs: number }> };

/** Adds the duration of each run of `work` to the metrics. */
export const measureRuns = <Data>({
  queue,
  work,
  metrics,
}: {
  queue: string;
  work: Work<Data>;
  metrics: Metrics | undefined;
}): Work<Data> => {
  if (metrics === undefined) return work;
  return async (job, data) => {
    const stop = metrics.jobSeconds.startTimer({ queue, job });
    try {
      await work(job, data);
      stop({ outcome: 'completed' });
    } catch (error) {
      stop({ outcome: 'failed' });
      throw error;
    }
  };
};

/** Adds the size of a queue to the metrics, read from Redis when they are scraped. */
export const measureQueue = (metrics: Metrics, name: string, queue: Measurable): void => {
  metrics.gaugeBy(queueJobs, async () => {
    const { jobs } = await queue.measure();
    return Object.entries(jobs).map(([state, count]) => [{ queue: name, state }, count] as const);
  });
  metrics.gaugeBy(queueAge, async () => {
    const { oldestMs } = await queue.measure();
    return [[{ queue: name }, oldestMs / 1_000]] as const;
  });
};
