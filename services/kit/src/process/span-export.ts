import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace as traceApi, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { withTimeout } from './clock.ts';
import type { Span, Trace, Tracer } from './trace.ts';

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

// Loaded only while tracing is on: OpenTelemetry's packages cost an idle process several megabytes.

type Settings = {
  service: string;
  /** Of the collector; spans go to `/v1/traces` below it. */
  endpoint: string;
  headers: Record<string, string>;
  share: number;
  /** After which the export of a batch is given up. */
  timeoutMs?: number | undefined;
  onDropped: (count: number) => void;
  onFailure: (error: unknown) => void;
};

const EXPORT_TIMEOUT_MS = 5_000;

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

const contextOf = (parent: Trace | null) =>
  parent === null
    ? ROOT_CONTEXT
    : traceApi.setSpanContext(ROOT_CONTEXT, {
        traceId: parent.traceId,
        spanId: parent.spanId,
        traceFlags: TraceFlags.SAMPLED,
        isRemote: true,
      });

const createTracer = (provider: TracerProvider, share: number): Tracer => {
  const tracer = provider.getTracer('shortlist');
  return {
    share,
    start: (name, { kind, attributes = {}, parent }): Span => {
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent));
      const { traceId, spanId } = span.spanContext();
      return {
        trace: { traceId, spanId, sampled: true },
        rename: (next) => void span.updateName(next),
        set: (more) => void span.setAttributes(more),
        fail: (code) =>
          void span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR, message: code }),
        end: () => span.end(),
      };
    },
  };
};

/** Opens the export of spans to a collector, by OTLP over HTTP. `stop` exports what is left. */
export const openSpanExport = (settings: Settings): { tracer: Tracer; stop: () => Promise<void> } => {
  const { service, endpoint, headers, share, timeoutMs, onDropped, onFailure } = settings;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers,
    timeoutMillis: timeoutMs ?? EXPORT_TIMEOUT_MS,
  });
  const batches = createSpanBatches({ exporter, onDropped, onFailure });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'shortlist' }),
    spanProcessors: [batches],
  });
  return { tracer: createTracer(provider, share), stop: batches.flush };
};
