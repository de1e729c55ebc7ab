import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunningConsumer } from '../src/messaging/bus.ts';
import { startConsumer } from '../src/messaging/consumer.ts';
import { deadLetterTopic, replayDeadLetters } from '../src/messaging/dead-letters.ts';
import { on } from '../src/messaging/handle-batch.ts';
import { createMetrics, type Metrics } from '../src/process/metrics.ts';
import { createMemoryBus, type MemoryBus } from '../src/testing/memory-bus.ts';
import { until } from '../src/testing/until.ts';
import { ID, noted, noteEvent, silent } from './notes-table.ts';

let bus: MemoryBus;
let metrics: Metrics;
let consumer: RunningConsumer;
let isBroken: boolean;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  bus = createMemoryBus();
  metrics = createMetrics('notes');
  isBroken = false;
  const handler = on(noted, () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()));
  consumer = await startConsumer({
    bus,
    consumer: 'notes',
    handlers: [handler],
    log: silent,
    metrics,
    retryMs: 1,
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await consumer.stop();
});

const publish = (text: string): Promise<void> =>
  bus.publish(noted.topic, [{ key: ID, value: JSON.stringify(noteEvent(text)) }]);
const valueOf = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'm').exec(await metrics.text())?.[1]);
/** The value at the next scrape: the broker is read at most every 25 seconds. */
const nextValueOf = (name: string): Promise<number> => {
  vi.advanceTimersByTime(25_000);
  return valueOf(name);
};

it('the lag of a consumer is the number of unconsumed messages, and 0 once it has caught up', async () => {
  expect(await valueOf('consumer_lag_messages')).toBe(0);
  bus.pause();
  for (const text of ['a', 'b', 'c']) await publish(text);
  expect(await nextValueOf('consumer_lag_messages')).toBe(3);
  await bus.release();
  expect(await nextValueOf('consumer_lag_messages')).toBe(0);
});

it('the broker is read only when the metrics are scraped, and at most every 25 seconds', async () => {
  const read = vi.spyOn(bus, 'readPositions');
  for (let scrape = 0; scrape < 3; scrape += 1) await metrics.text();
  expect(read).toHaveBeenCalledTimes(1);
  await nextValueOf('consumer_lag_messages');
  expect(read).toHaveBeenCalledTimes(2);
});

it('dead letters are counted until they are replayed, and their topic is read only when it has changed', async () => {
  const read = vi.spyOn(bus, 'readAll');
  expect(await valueOf('dead_letters_unresolved')).toBe(0);
  expect(read).not.toHaveBeenCalled();
  isBroken = true;
  await publish('poison');
  await until('the dead letter', () => bus.published(deadLetterTopic('notes')).length === 1);
  expect(await nextValueOf('dead_letters_unresolved')).toBe(1);
  expect(await nextValueOf('dead_letters_unresolved')).toBe(1);
  expect(read).toHaveBeenCalledTimes(1);
  isBroken = false;
  await replayDeadLetters(bus, 'notes', 'all');
  expect(await nextValueOf('dead_letters_unresolved')).toBe(0);
});

it('a consumer is up while it fetches, even if the broker cannot be read', async () => {
  expect(await valueOf('consumer_up')).toBe(1);
  vi.spyOn(consumer, 'healthy').mockReturnValue(false);
  bus.setDown(true);
  expect(await nextValueOf('consumer_up')).toBe(0);
  expect(await metrics.text()).not.toMatch(/^consumer_lag_messages\{/m);
});

it('a group that ends with its process has no metrics', async () => {
  const other = createMetrics('notes');
  const handler = on(noted, () => Promise.resolve());
  const parts = { bus, consumer: 'notes', handlers: [handler], log: silent, metrics: other };
  const live = await startConsumer({ ...parts, group: 'notes-live-1', fromBeginning: false });
  expect(await other.text()).not.toContain('consumer_up');
  await live.stop();
});
