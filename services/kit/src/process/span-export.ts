// Loaded only while tracing is on: OpenTelemetry's packages cost an idle process several megabytes.
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace as traceApi, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import type { Span, Tracer } from './span.ts';
import { createSpanBatches } from './span-batches.ts';
import type { Trace } from './trace.ts';

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
