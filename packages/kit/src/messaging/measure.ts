// The metrics of a consumer are read from the broker only when they are scraped.
import type { Consumption } from '@shortlist/contracts/api/status';
import {
  consumerLag,
  consumerUp,
  deadLettersUnresolved,
  queueAge,
  queueJobs,
  unreadableBatches,
} from '../process/declared-metrics.ts';
import { withTimeout } from '../process/clock.ts';
import type { Metrics } from '../process/metrics.ts';
import type { Bus, Position, RunningConsumer } from './bus.ts';
import { type DeadLetter, deadLetterTopic, listDeadLetters } from './dead-letters.ts';

type Parts = {
  bus: Bus;
  consumer: string;
  topics: readonly string[];
  metrics: Metrics;
  runningConsumer: () => RunningConsumer | null;
};

/** Shorter than the usual scrape interval, so that each scrape reads once. */
const POSITIONS_MS = 25_000;

/** Calls `read` once for all callers within `maxAgeMs`; again after a failure. */
const remember = <T>(read: () => Promise<T>, maxAgeMs: number): (() => Promise<T>) => {
  let readAt = 0;
  let latest: Promise<T> | null = null;
  return () => {
    if (latest !== null && performance.now() - readAt < maxAgeMs) return latest;
    readAt = performance.now();
    const current = read();
    latest = current;
    current.catch(() => (latest = latest === current ? null : latest));
    return current;
  };
};

const lagOf = ({ low, high, next }: Position): number => Number(high - (next ?? low));

type DeadLetterCount = { deadLetters: number; unreadable: number };

const countIn = (deadLetters: readonly DeadLetter[]): DeadLetterCount => {
  const unreadable = deadLetters.filter(({ isUnreadable }) => isUnreadable).length;
  return { deadLetters: deadLetters.length - unreadable, unreadable };
};

/** Counts the dead letters that are neither replayed nor settled. Reads their topic only if its offsets have changed and it is not empty. */
const createDeadLetterCount = (bus: Bus, consumer: string) => {
  const empty = { state: '', count: Promise.resolve(countIn([])) };
  let counted = empty;
  return (positions: readonly Position[]): Promise<DeadLetterCount> => {
    const filled = positions.filter(({ low, high }) => high > low);
    const state = filled.map(({ partition, low, high }) => `${partition}:${low}-${high}`).join();
    if (state === '') counted = empty;
    if (state === counted.state) return counted.count;
    const current = { state, count: listDeadLetters(bus, consumer).then(countIn) };
    counted = current;
    current.count.catch(() => (counted = counted === current ? empty : counted));
    return current.count;
  };
};

const lagByTopic = (positions: readonly Position[]): { topic: string; waiting: number }[] =>
  [...Map.groupBy(positions, ({ topic }) => topic)].map(([topic, ofTopic]) => ({
    topic,
    waiting: ofTopic.reduce((sum, position) => sum + lagOf(position), 0),
  }));

/** For an admin who checks again, or several who look at once. */
const CONSUMPTION_MS = 5_000;
/** Joining a group to read new dead letters takes longer; the next call has their number. */
const COUNT_MS = 1_000;
const UNCOUNTED = { deadLetters: null, unreadable: null };

/** Reads the lag of a consumer and its dead letters, from any process of its service. */
export const createConsumptionReader = (
  bus: Bus,
  consumer: string,
  topics: readonly string[],
): (() => Promise<Consumption>) => {
  const dead = deadLetterTopic(consumer);
  const countDeadLetters = createDeadLetterCount(bus, consumer);
  return remember(async () => {
    const positions = await bus.readPositions(consumer, [...topics, dead]);
    const count = countDeadLetters(positions.filter(({ topic }) => topic === dead));
    return {
      lag: lagByTopic(positions.filter(({ topic }) => topic !== dead)),
      ...(await withTimeout(count, COUNT_MS, () => new Error('timed out')).catch(() => UNCOUNTED)),
    };
  }, CONSUMPTION_MS);
};

/** Adds the metrics of a consumer: whether it consumes, its lag, and its dead letters. */
export const measureConsumer = ({ bus, consumer, topics, metrics, runningConsumer }: Parts): void => {
  const dead = deadLetterTopic(consumer);
  const positions = remember(() => bus.readPositions(consumer, [...topics, dead]), POSITIONS_MS);
  const countDeadLetters = createDeadLetterCount(bus, consumer);
  metrics.gaugeBy(consumerUp, () =>
    Promise.resolve([[{ consumer }, runningConsumer()?.healthy() ? 1 : 0]] as const),
  );
  metrics.gaugeBy(consumerLag, async () => {
    const consumed = (await positions()).filter(({ topic }) => topic !== dead);
    return lagByTopic(consumed).map(({ topic, waiting }) => [{ consumer, topic }, waiting] as const);
  });
  const countUnresolved = async (): Promise<DeadLetterCount> =>
    countDeadLetters((await positions()).filter(({ topic }) => topic === dead));
  metrics.gaugeBy(deadLettersUnresolved, async () => {
    const { deadLetters } = await countUnresolved();
    return [[{ consumer }, deadLetters]] as const;
  });
  metrics.gaugeBy(unreadableBatches, async () => {
    const { unreadable } = await countUnresolved();
    return [[{ consumer }, unreadable]] as const;
  });
};

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
