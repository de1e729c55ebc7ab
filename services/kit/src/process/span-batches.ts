import { AsyncLocalStorage } from 'node:async_hooks';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import { withTimeout } from './timeout.ts';

type Parts = {
  exporter: SpanExporter;
  onDropped: (count: number) => void;
  onFailure: (error: unknown) => void;
};

/** The most spans that wait for the collector; beyond it, spans are dropped. */
const QUEUE_MAX = 2_048;
const BATCH = 256;
const DELAY_MS = 1_000;
const FLUSH_MS = 3_000;

const exportSpans = (exporter: SpanExporter, spans: ReadableSpan[]): Promise<void> =>
  new Promise((resolve, reject) => {
    exporter.export(spans, ({ error }) => (error === undefined ? resolve() : reject(error)));
  });

/**
 * Exports ended spans in batches, one batch at a time, so that a collector that is slow or away costs neither a request nor more than
 * a fixed amount of memory. The processor of OpenTelemetry's package counts nothing of what it drops. `flush` exports what is left,
 * for as long as a stop may wait.
 */
export const createSpanBatches = ({
  exporter,
  onDropped,
  onFailure,
}: Parts): SpanProcessor & { flush: () => Promise<void> } => {
  // Timers and connections belong to the process, not to the trace of the request that ended a span.
  const outsideTraces = AsyncLocalStorage.snapshot();
  const queue: ReadableSpan[] = [];
  let timer: NodeJS.Timeout | undefined;
  let exporting: Promise<void> | null = null;

  const exportQueue = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH);
      try {
        await exportSpans(exporter, batch);
      } catch (error) {
        onDropped(batch.length);
        onFailure(error);
      }
    }
  };
  const startExport = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    exporting ??= outsideTraces(exportQueue).finally(() => (exporting = null));
    return exporting;
  };
  const schedule = (): void => {
    if (queue.length >= BATCH) void startExport();
    else timer ??= outsideTraces(() => setTimeout(() => void startExport(), DELAY_MS).unref());
  };
  const flush = (): Promise<void> =>
    withTimeout(startExport(), FLUSH_MS, () => new Error('the collector took too long'));

  return {
    onStart: () => undefined,
    onEnd: (span) => {
      if (queue.length >= QUEUE_MAX) return onDropped(1);
      queue.push(span);
      schedule();
    },
    forceFlush: flush,
    shutdown: flush,
    flush,
  };
};
