import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../src/process/config.ts';
import { createLog } from '../src/process/log.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { inSpan, newTrace, startSpan } from '../src/process/trace.ts';
import { startTracing, type TracingSettings, tracingVariables } from '../src/process/tracing.ts';
import { openCollector } from '../src/testing/collector.ts';
import { until } from '../src/testing/until.ts';

const read = (env: Record<string, string>): TracingSettings => loadConfig(tracingVariables, env);

describe('the settings', () => {
  it('are optional, even if empty', () => {
    const defaults = { OTEL_EXPORTER_OTLP_HEADERS: {}, OTEL_TRACES_SAMPLER_ARG: 0.1 };
    expect(read({})).toEqual(defaults);
    expect(read(Object.fromEntries(Object.keys(tracingVariables).map((name) => [name, ''])))).toEqual(
      defaults,
    );
  });

  it('of headers have encoded values', () => {
    const { OTEL_EXPORTER_OTLP_HEADERS: headers } = read({
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi, x-scope=a=b',
    });
    expect(headers).toEqual({ authorization: 'Basic YTpi', 'x-scope': 'a=b' });
  });

  it.each([
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a header without a value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=%zz'],
  ])('that are invalid prevent the start: %s=%s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`invalid ${name}`);
  });
});

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

it('a collector that refuses every batch is reported once', async () => {
  const collector = await openCollector(400);
  stops.push(collector.close);
  const lines: string[] = [];
  const log = createLog('test', 'info', { destination: { write: (line) => void lines.push(line) } });
  await startTracing({
    name: 'test',
    lifecycle: { log, onStop: (_, stop) => void stops.push(stop) },
    config: read({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '1' }),
    metrics: createMetrics('test'),
  });
  for (let span = 0; span < 1_000; span += 1)
    await inSpan('work', { kind: 'internal' }, () => Promise.resolve());
  await until('several batches', () => collector.bodies.length >= 3);
  await until('the report', () => lines.length > 0);
  for (const stop of stops.splice(1)) await stop();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('spans not exported');
});

it('without tracing a span records nothing and continues the trace', async () => {
  const parent = { ...newTrace(), sampled: true };
  expect(startSpan('work', { kind: 'internal', parent }).trace).toEqual(parent);
  expect(await inSpan('work', { kind: 'internal', parent }, ({ trace }) => Promise.resolve(trace))).toEqual(
    parent,
  );
});
