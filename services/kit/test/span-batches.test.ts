import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { expect, it, vi } from 'vitest';
import { createSpanBatches } from '../src/process/span-export.ts';
import { until } from '../src/testing/until.ts';

type Export = SpanExporter['export'];
const SPAN = {} as ReadableSpan; // the exporters here read nothing of it

const open = (exportSpans: Export) => {
  const counts = { dropped: 0, failures: 0 };
  const batches = createSpanBatches({
    exporter: { export: exportSpans, shutdown: () => Promise.resolve() },
    onDropped: (count) => void (counts.dropped += count),
    onFailure: () => void (counts.failures += 1),
  });
  const end = (count: number): void => {
    for (let index = 0; index < count; index += 1) batches.onEnd(SPAN);
  };
  return { batches, counts, end };
};

it('spans wait in a bounded queue while the collector does not respond; the others are dropped and counted', async () => {
  let finish: (() => void) | undefined;
  const { batches, counts, end } = open((_, done) => void (finish = () => done({ code: 0 })));
  end(3_000);
  // A batch of 256 is under way, and 2,048 wait.
  expect(counts.dropped).toBe(3_000 - 256 - 2_048);
  const flushed = batches.flush();
  for (let batch = 0; batch < 9; batch += 1) {
    await until('the export of a batch', () => finish !== undefined);
    finish?.();
    finish = undefined;
    await Promise.resolve();
  }
  await flushed;
  expect(counts.dropped).toBe(696);
});

it('a batch that is refused is dropped and counted, and the next one is sent', async () => {
  const sizes: number[] = [];
  const { batches, counts, end } = open((spans, done) => {
    sizes.push(spans.length);
    done(sizes.length === 1 ? { code: 1, error: new Error('refused') } : { code: 0 });
  });
  end(300);
  await batches.flush();
  expect(sizes).toEqual([256, 44]);
  expect(counts).toEqual({ dropped: 256, failures: 1 });
});

it('a stop does not wait for a collector that never responds', async () => {
  const { batches, end } = open(() => undefined);
  end(1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const flushed = expect(batches.flush()).rejects.toThrow('the collector took too long');
  await vi.advanceTimersByTimeAsync(3_000);
  vi.useRealTimers();
  await flushed;
});
