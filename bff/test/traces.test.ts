import { createLog } from '@shortlist/kit/process/log';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { loadConfig } from '@shortlist/kit/process/config';
import { startTracing, tracingVariables } from '@shortlist/kit/process/tracing';
import { type Collector, openCollector } from '@shortlist/kit/testing/collector';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { type Bff, respondWith, send, startBff } from './support.ts';

const CLICK = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) };

let bff: Bff;
let collector: Collector;
let stopTracing: () => unknown;
beforeEach(async () => {
  collector = await openCollector();
  bff = await startBff(inject('sessionsRedisUrl'));
});
afterEach(async () => {
  await bff.close();
  collector.close();
});

/** Traces the given share of the requests until `stopTracing`. */
const trace = async (share: number): Promise<void> => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: String(share),
  };
  await startTracing({
    name: 'bff',
    lifecycle: { log: createLog('bff', 'silent'), onStop: (_, stop) => void (stopTracing = stop) },
    config: loadConfig(tracingVariables, env),
    metrics: createMetrics('bff'),
  });
};
const readCredits = async (
  flags: '00' | '01',
  path = '/api/credits/history?why=secret-query',
): Promise<void> => {
  const { token } = await bff.sessions.begin('0198a0b0-0000-7000-8000-000000000001', 'user');
  const traceparent = `00-${CLICK.traceId}-${CLICK.spanId}-${flags}`;
  await send(bff.port, path, { headers: { authorization: `Bearer ${token}`, traceparent } });
};

it('K5 a proxied request continues the trace of the page, through a span of bff and one of its call', async () => {
  await trace(1);
  await readCredits('00');
  await stopTracing();
  const [call, request] = ['client', 'server'].map((side) =>
    collector.spans.find(({ parentSpanId }) => (parentSpanId === CLICK.spanId) === (side === 'server')),
  );
  expect(request).toMatchObject({ service: 'bff', traceId: CLICK.traceId, failure: null });
  expect(request?.name).toBe('GET /api/credits/history');
  expect(call).toMatchObject({ traceId: CLICK.traceId, parentSpanId: request?.spanId, failure: null });
  expect(bff.upstream.requests[0]?.headers.traceparent).toBe(`00-${CLICK.traceId}-${call?.spanId}-01`);
  expect(collector.bodies.join()).not.toContain('secret-query');
});

it('K5 a client cannot have its requests recorded', async () => {
  await trace(0);
  await readCredits('01');
  await stopTracing();
  expect(bff.upstream.requests[0]?.headers.traceparent).toBe(`00-${CLICK.traceId}-${CLICK.spanId}-00`);
  expect(collector.bodies).toEqual([]);
});

it('K5 a failed request has the code of its error', async () => {
  bff.upstream.respond = respondWith(() => ({}), 401);
  await trace(1);
  await readCredits('00');
  await stopTracing();
  const request = collector.spans.find(({ parentSpanId }) => parentSpanId === CLICK.spanId);
  expect(request?.failure).toBe('service.unavailable');
});
