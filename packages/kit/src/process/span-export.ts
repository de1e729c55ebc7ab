import { AsyncLocalStorage } from 'node:async_hooks';
import {
  BatchSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import {
  type Counter,
  createNoopMeter,
  type Meter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as traceApi,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { withTimeout } from './clock.ts';
import type { Span, Trace, Tracer } from './trace.ts';

/** The most spans that wait for the collector; further ones are dropped. */
const QUEUE_MAX = 2_048;
const BATCH = 256;
const DELAY_MS = 1_000;
const FLUSH_MS = 3_000;
const EXPORT_TIMEOUT_MS = 5_000;

/** A meter that records only one metric of the batch processor: the spans that reached no collector, with `error.type`. */
const createDropMeter = (onDropped: (count: number) => void): Meter =>
  Object.assign(createNoopMeter(), {
    createCounter: (): Counter => ({
      add: (count, attributes = {}) => {
        if (attributes['error.type'] !== undefined) onDropped(count);
      },
    }),
  });

type Parts = {
  exporter: SpanExporter;
  timeoutMs?: number | undefined;
  onDropped: (count: number) => void;
  onFailure: (error: unknown) => void;
};

/**
 * Exports ended spans in batches, so that a slow or unavailable collector delays no request and costs a bounded amount of memory. `forceFlush`
 * exports the rest, for as long as a stop may wait.
 */
export const createSpanProcessor = ({
  exporter,
  timeoutMs = EXPORT_TIMEOUT_MS,
  onDropped,
  onFailure,
}: Parts): SpanProcessor => {
  // Timers and connections belong to the process, not to the trace of the request that ended a span.
  const outsideTraces = AsyncLocalStorage.snapshot();
  const processor = new BatchSpanProcessor({
    exporter: {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          if (result.error !== undefined) onFailure(result.error);
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    },
    maxQueueSize: QUEUE_MAX,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: DELAY_MS,
    exportTimeoutMillis: 2 * timeoutMs, // the exporter gives up first, and reports it
    selfObsMeterProvider: { getMeter: () => createDropMeter(onDropped) },
  });
  const exportAll = async (): Promise<void> => {
    await processor.forceFlush();
    await exporter.forceFlush?.(); // a batch that was already being sent
  };
  const flush = (): Promise<void> =>
    withTimeout(exportAll(), FLUSH_MS, () => new Error('the collector took too long'));
  return {
    onStart: () => undefined,
    onEnd: (span) => outsideTraces(() => processor.onEnd(span)),
    forceFlush: flush,
    shutdown: flush,
  };
};

// Loaded only while tracing is on: OpenTelemetry's packages cost an idle process several megabytes.

type Settings = {
  service: string;
  /** The collector's URL; spans go to `/v1/traces` below it. */
  endpoint: string;
  headers: Record<string, string>;
  share: number;
  /** The time limit for exporting a batch. */
  timeoutMs?: number | undefined;
  onDropped: (count: number) => void;
  onFailure: (error: unknown) => void;
};

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

/** Opens the export of spans to a collector, by OTLP over HTTP. `stop` exports the rest. */
export const openSpanExport = (settings: Settings): { tracer: Tracer; stop: () => Promise<void> } => {
  const { service, endpoint, headers, share, timeoutMs, onDropped, onFailure } = settings;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers,
    timeoutMillis: timeoutMs ?? EXPORT_TIMEOUT_MS,
  });
  const processor = createSpanProcessor({ exporter, timeoutMs, onDropped, onFailure });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'shortlist' }),
    spanProcessors: [processor],
  });
  return { tracer: createTracer(provider, share), stop: () => processor.forceFlush() };
};
