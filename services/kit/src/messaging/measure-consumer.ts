// The metrics of a consumer are read from the broker only when they are scraped: a process that no one scrapes makes no request.
import { consumerLag, consumerUp, deadLettersUnresolved } from '../process/declared-metrics.ts';
import type { Metrics } from '../process/metrics.ts';
import type { Bus, Position, RunningConsumer } from './bus.ts';
import { deadLetterTopic, listDeadLetters } from './dead-letters.ts';

type Parts = {
  bus: Bus;
  consumer: string;
  topics: readonly string[];
  metrics: Metrics;
  runningConsumer: () => RunningConsumer | null;
};

/** Shorter than the usual interval of scrapes, so that each reads once. */
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

/**
 * Counts the dead letters that are not replayed. It reads their topic again only when its offsets have changed, and not at all while
 * it is empty.
 */
const createDeadLetterCount = (bus: Bus, consumer: string) => {
  const empty = { state: '', count: Promise.resolve(0) };
  let counted = empty;
  return (positions: readonly Position[]): Promise<number> => {
    const filled = positions.filter(({ low, high }) => high > low);
    const state = filled.map(({ partition, low, high }) => `${partition}:${low}-${high}`).join();
    if (state === '') counted = empty;
    if (state === counted.state) return counted.count;
    const current = { state, count: listDeadLetters(bus, consumer).then(({ length }) => length) };
    counted = current;
    current.count.catch(() => (counted = counted === current ? empty : counted));
    return current.count;
  };
};

/** Adds the metrics of a consumer: whether it consumes, how far it is behind, and its dead letters. */
export const measureConsumer = ({ bus, consumer, topics, metrics, runningConsumer }: Parts): void => {
  const dead = deadLetterTopic(consumer);
  const positions = remember(() => bus.readPositions(consumer, [...topics, dead]), POSITIONS_MS);
  const countDeadLetters = createDeadLetterCount(bus, consumer);
  metrics.gaugeBy(consumerUp, () =>
    Promise.resolve([[{ consumer }, runningConsumer()?.healthy() ? 1 : 0]] as const),
  );
  metrics.gaugeBy(consumerLag, async () => {
    const byTopic = Map.groupBy(await positions(), ({ topic }) => topic);
    byTopic.delete(dead);
    return [...byTopic].map(
      ([topic, ofTopic]) =>
        [{ consumer, topic }, ofTopic.reduce((sum, position) => sum + lagOf(position), 0)] as const,
    );
  });
  metrics.gaugeBy(deadLettersUnresolved, async () => {
    const ofDeadLetters = (await positions()).filter(({ topic }) => topic === dead);
    return [[{ consumer }, await countDeadLetters(ofDeadLetters)]] as const;
  });
};
