import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { expect, it, vi } from 'vitest';
import { createSpanProcessor } from '../src/process/span-export.ts';

type Export = SpanExporter['export'];
const SPAN = { spanContext: () => ({ traceFlags: 1 }), resource: {} } as unknown as ReadableSpan;

const open = (exportSpans: Export) => {
  const counts = { dropped: 0, failures: 0 };
  const processor = createSpanProcessor({
    exporter: { export: exportSpans, shutdown: () => Promise.resolve() },
    onDropped: (count) => void (counts.dropped += count),
    onFailure: () => void (counts.failures += 1),
  });
  const end = (count: number): void => {
    for (let index = 0; index < count; index += 1) processor.onEnd(SPAN);
  };
  return { processor, counts, end };
};

it('spans wait in a bounded queue while the collector does not respond; further ones are dropped and counted', async () => {
  const underWay: (() => void)[] = [];
  const { processor, counts, end } = open((_, done) => void underWay.push(() => done({ code: 0 })));
  end(3_000);
  // A batch of 256 is being sent, and 2,048 wait.
  expect([underWay.length, counts.dropped]).toEqual([1, 3_000 - 256 - 2_048]);
  const flushed = processor.forceFlush();
  expect(underWay).toHaveLength(9);
  for (const finish of underWay) finish();
  await flushed;
  expect(counts).toEqual({ dropped: 696, failures: 0 });
});

it('a batch that is refused is dropped and counted, and the next one is sent', async () => {
  const sizes: number[] = [];
  const { processor, counts, end } = open((spans, done) => {
    sizes.push(spans.length);
    done(sizes.length === 1 ? { code: 1, error: new Error('refused') } : { code: 0 });
  });
  end(300);
  await processor.forceFlush();
  expect(sizes).toEqual([256, 44]);
  expect(counts).toEqual({ dropped: 256, failures: 1 });
});

it('a stop does not wait for a collector that never responds', async () => {
  const { processor, end } = open(() => undefined);
  end(1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const flushed = expect(processor.forceFlush()).rejects.toThrow('the collector took too long');
  await vi.advanceTimersByTimeAsync(3_000);
  vi.useRealTimers();
  await flushed;
});
