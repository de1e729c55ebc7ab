import Joi from 'joi';
import { minutes } from '@shortlist/contracts/durations';
import { type ConfigOf, variable } from './config.ts';
import { traceSpansDropped } from './declared-metrics.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { setTracer } from './trace.ts';

const HEADER = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/;

/** `name=value` pairs separated by commas, with URL-encoded values. */
const parseHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(',').map((pair) => {
      const [, name, value = ''] = HEADER.exec(pair) ?? [];
      if (name === undefined) throw new Error('a header is name=value');
      return [name, decodeURIComponent(value.trim())];
    }),
  );

/** Where spans go. Names and meanings are OpenTelemetry's. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: variable.optional(
    Joi.string()
      .uri({ scheme: ['http', 'https'] })
      .empty(''),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Joi.string<Record<string, string>>().empty('').custom(parseHeaders).default({}),
  OTEL_TRACES_SAMPLER_ARG: Joi.number().min(0).max(1).empty('').default(0.1),
};

export type TracingSettings = ConfigOf<typeof tracingVariables>;

const REPORT_MS = minutes(1);

/** Reports a collector that is away once, and then at most once a minute. */
const createReport = (log: Log): ((error: unknown) => void) => {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    // The error itself may carry the collector's response.
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'spans not exported');
  };
};

/** Records and exports spans if the settings name a collector. Call it first, so that it stops last. */
export const startTracing = async ({
  name,
  lifecycle,
  config,
  metrics,
  exportTimeoutMs,
}: {
  name: string;
  lifecycle: Pick<Lifecycle, 'log' | 'onStop'>;
  config: TracingSettings;
  metrics: Metrics;
  exportTimeoutMs?: number | undefined;
}): Promise<void> => {
  const dropped = metrics.counter(traceSpansDropped);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  if (endpoint === undefined) return;
  const { openSpanExport } = await import('./span-export.ts');
  const onFailure = createReport(lifecycle.log);
  const { tracer, stop } = openSpanExport({
    service: name,
    endpoint,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    share: config.OTEL_TRACES_SAMPLER_ARG,
    timeoutMs: exportTimeoutMs,
    onDropped: (count) => dropped.inc(count),
    onFailure,
  });
  setTracer(tracer);
  lifecycle.onStop('traces', async () => {
    setTracer(null);
    await stop().catch(onFailure);
  });
};
